package services_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// watched is a store that notes the most records that one read gave.
type watched struct {
	brain.Store
	most int
}

type watchedReader struct {
	brain.Reader
	s *watched
}

func (s *watched) View(ctx context.Context, fn func(brain.Reader) error) error {
	return s.Store.View(ctx, func(r brain.Reader) error { return fn(watchedReader{r, s}) })
}

func (r watchedReader) note(recs []brain.Record, err error) ([]brain.Record, error) {
	r.s.most = max(r.s.most, len(recs))
	return recs, err
}

func (r watchedReader) Records(kind brain.RecordKind, ids ...string) ([]brain.Record, error) {
	return r.note(r.Reader.Records(kind, ids...))
}

func (r watchedReader) ListRecords(kind brain.RecordKind, f brain.RecordFilter) ([]brain.Record, error) {
	return r.note(r.Reader.ListRecords(kind, f))
}

// A run may have a hundred thousand actions of some kB each: nothing may hold
// them all at once.
func TestALongRunIsReadInPages(t *testing.T) {
	const actions, page = 501, 200
	l := newLab(t)
	s := &watched{Store: l.Base.Store}
	archive := backups.NewArchive(filepath.Join(l.dir, "archive"), func(string) {})
	l.Services = services.New(s, services.Options{Now: func() time.Time { return l.now }, Archive: archive, Journal: archive})
	l.run = consolidate.New(l.Base, l.Journal, consolidate.Options{
		Archive: archive, JournalKeep: 24 * time.Hour, Warn: func(err error) { t.Error(err) },
	})
	var ids []string
	for i := range actions {
		ids = append(ids, l.crystallize(fmt.Sprintf("trigger %d", i), "insight"))
	}
	run := l.consolidate().RunID
	n := 0
	for a, err := range l.Journal.Actions(l.ctx(), brain.Run{ID: run, Actions: actions}) {
		if n++; err != nil || a.ID != fmt.Sprintf("%s-%06d", run, n) {
			t.Fatalf("action %d is %s, %v", n, a.ID, err)
		}
	}
	if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run, nil, nil)); n != actions || u.Undone != actions || len(u.Skipped) != 0 {
		t.Errorf("of %d actions %d were undone, %d skipped", n, u.Undone, len(u.Skipped))
	}
	if tier := l.tier(ids[0]); tier != tiers.Working {
		t.Errorf("after undo %s is in %s", ids[0], tier)
	}
	l.now = l.now.AddDate(0, 0, 28)
	l.consolidate()
	l.wantRuns(1)
	lines := 0
	for _, err := range archive.JournalSince(t.Context(), l.now.AddDate(0, -2, 0)) {
		if lines++; err != nil {
			t.Fatal(err)
		}
	}
	if lines != actions+1 {
		t.Errorf("%d lines in the archive, want the run and its %d actions", lines, actions)
	}
	if s.most > page {
		t.Errorf("one read gave %d records, want at most %d", s.most, page)
	}
	l.wantHistory(ids[0], "capture", "promote", "expire")
}

// Pages end where a reader has had enough.
func TestActionsMayStopEarly(t *testing.T) {
	l := newLab(t)
	for i := range 3 {
		l.crystallize(fmt.Sprintf("trigger %d", i), "insight")
	}
	run := must[brain.Run](l)(l.Journal.Run(l.ctx(), l.consolidate().RunID))
	for a, err := range l.Journal.Actions(l.ctx(), run) {
		if err != nil || a.Kind != brain.ActPromote {
			t.Errorf("%+v, %v", a, err)
		}
		break
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	failed := 0
	for _, err := range l.Journal.Actions(ended, run) {
		if err == nil {
			t.Error("an action came after the context had ended")
		}
		failed++
	}
	if failed != 1 {
		t.Errorf("%d errors, want one that ends the sequence", failed)
	}
}
