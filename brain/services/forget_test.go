package services_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// countingArchive counts how often the archive of the day is rewritten.
type countingArchive struct {
	brain.Archive
	appends int
}

func (a *countingArchive) Append(ctx context.Context, day time.Time, f []brain.Forgotten) (string, error) {
	a.appends++
	return a.Archive.Append(ctx, day, f)
}

// everything returns all that a brain holds.
func (l *lab) everything() ([]brain.View, []brain.Source, []brain.Relation) {
	l.t.Helper()
	ms := must[[]brain.View](l)(l.Recall.List(l.ctx(), lifecycle.ListQuery{All: true, Limit: 10_000}))
	ss := must[[]brain.Source](l)(l.Recall.Sources(l.ctx(), brain.SourceFilter{Limit: 10_000}))
	var ids []string
	for _, m := range ms {
		ids = append(ids, m.ID)
	}
	var rels []brain.Relation
	err := l.Base.Store.View(l.ctx(), func(r brain.Reader) (err error) {
		rels, err = r.Relations(ids...)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return ms, ss, rels
}

func (l *lab) fillTests(n int) {
	l.t.Helper()
	var last string
	for i := range n {
		c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Learning, Concept: fmt.Sprint("test ", i), Learned: "of a test"}, brain.Details{}))
		if i%10 == 0 {
			up := 3.0
			c.Energy = &up
		}
		id := must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
		if last != "" {
			ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), id, "follows", last))
		}
		last = id
	}
	for i := range 3 {
		c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Activity, Type: "tested", Description: fmt.Sprint("activity ", i)}, brain.Details{}))
		must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c))
	}
	must[consolidate.Report](l)(l.run.Run(l.ctx(), consolidate.Request{Kind: brain.RunConsolidate}))
}

func TestForgetAllAtOnceAndBack(t *testing.T) {
	l := newTestLab(t)
	archive := &countingArchive{Archive: backups.NewArchive(filepath.Join(l.dir, "archive"), func(string) {})}
	l.Services = services.New(l.Base.Store, services.Options{Now: func() time.Time { return l.now }, Archive: archive, IDPrefix: brain.TestPrefix})
	l.fillTests(120)
	ms, ss, rels := l.everything()
	if len(ms) < 130 || len(ss) != 123 {
		t.Fatalf("%d memories and %d sources", len(ms), len(ss))
	}
	run, n, err := l.Journal.ForgetAll(l.ctx(), "asked for")
	if err != nil || n != len(ms) {
		t.Fatalf("forgot %d of %d: %v", n, len(ms), err)
	}
	if archive.appends != 1 {
		t.Errorf("the archive was written %d times", archive.appends)
	}
	for _, m := range ms {
		if _, err := archive.Find(l.ctx(), m.ID); err != nil {
			t.Errorf("not archived: %v", err)
		}
	}
	if left, sources, _ := l.everything(); len(left) > 0 || len(sources) > 0 {
		t.Errorf("left are %d memories and %d sources", len(left), len(sources))
	}
	if _, again, err := l.Journal.ForgetAll(l.ctx(), "asked for"); err != nil || again != 0 {
		t.Errorf("forgot %d more: %v", again, err)
	}
	if undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil)); len(undone.Skipped) > 0 {
		t.Errorf("skipped %v", undone.Skipped)
	}
	backMS, backSS, backRels := l.everything()
	for what, diff := range map[string]string{
		"memories":  cmp.Diff(ms, backMS, cmpopts.EquateEmpty()),
		"sources":   cmp.Diff(ss, backSS, cmpopts.EquateEmpty()),
		"relations": cmp.Diff(rels, backRels),
	} {
		if diff != "" {
			t.Errorf("%s brought back (-before +after):\n%s", what, diff)
		}
	}
}

func TestForgetAllRefusesABrainOfRealMemories(t *testing.T) {
	l := newLab(t)
	id := l.learn("real", "stays")
	if _, _, err := l.Journal.ForgetAll(l.ctx(), "asked for"); !errors.Is(err, brain.ErrRefused) {
		t.Errorf("%v, want a refusal", err)
	}
	l.show(id)
}

func TestForgetSeesThatAReminderWasDone(t *testing.T) {
	l := newLab(t)
	c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Reminder, Text: "water the plants"}, brain.Details{}))
	got := must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c))
	plan := must[journal.Forgetting](l)(l.Journal.PlanForget(l.ctx(), got.MemoryID))
	must[brain.Source](l)(l.Capture.Done(l.ctx(), got.SourceID, false))
	run := brain.Run{ID: brain.NewID(), Kind: brain.RunForget, Started: l.now}
	if _, err := l.Journal.ApplyForget(l.ctx(), []journal.Forgetting{plan}, &run, "asked for"); !errors.Is(err, brain.ErrConflict) {
		t.Errorf("an old plan was carried out: %v", err)
	}
	ran[brain.Memory](l)(l.Journal.Forget(l.ctx(), got.MemoryID, "asked for"))
	ran[brain.Memory](l)(l.Journal.Unforget(l.ctx(), got.MemoryID))
	if s := l.show(got.MemoryID).Source; s == nil || s.Done.IsZero() {
		t.Errorf("the reminder is open again: %+v", s)
	}
}

// Of several plans carried out together, one that is too old leaves no trace.
// What was forgotten is found by the beginning of its id, as anything else.
func TestUnforgetByAShortID(t *testing.T) {
	l := newLab(t)
	other, id := l.remember("the port is 5432", nil), l.remember("lunch is at noon", nil)
	for _, each := range []string{other, id} {
		ran[brain.Memory](l)(l.Journal.Forget(l.ctx(), each, "asked for"))
	}
	if m, events, err := l.Journal.History(l.ctx(), id[:8]); err != nil || m.ID != id || events[len(events)-1].Kind != string(brain.ActForget) {
		t.Errorf("history: %+v, %+v, %v", m, events, err)
	}
	for short, want := range map[string]error{id[:5]: brain.ErrInvalid, "00000000": brain.ErrNotFound} {
		if _, _, err := l.Journal.Unforget(l.ctx(), short); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", short, err, want)
		}
	}
	if m, _, err := l.Journal.Unforget(l.ctx(), id[:8]); err != nil || m.ID != id {
		t.Errorf("brought back %s, %v; want %s", m.ID, err, id)
	}
	if _, _, err := l.Journal.Unforget(l.ctx(), id[:8]); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("brought back again: %v", err)
	}
}

func TestForgetPlansStandOrFallByBatch(t *testing.T) {
	l := newLab(t)
	a, z := l.learn("first", "one"), l.learn("second", "two")
	plans := []journal.Forgetting{
		must[journal.Forgetting](l)(l.Journal.PlanForget(l.ctx(), a)), must[journal.Forgetting](l)(l.Journal.PlanForget(l.ctx(), z)),
	}
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), z, "", "three"))
	run := brain.Run{ID: brain.NewID(), Kind: brain.RunForget, Started: l.now}
	done, err := l.Journal.ApplyForget(l.ctx(), plans, &run, "asked for")
	if !errors.Is(err, brain.ErrConflict) || len(done) > 0 || run.Actions != 0 {
		t.Errorf("done %v, run %+v, error %v", done, run, err)
	}
	l.show(a)
}

func TestUnforgetNamesADamagedArchive(t *testing.T) {
	l := newLab(t)
	id := brain.NewID()
	if _, _, err := l.Journal.Unforget(l.ctx(), id); !errors.Is(err, brain.ErrNotFound) || strings.Contains(err.Error(), "archive") {
		t.Errorf("nothing was ever forgotten: %v", err)
	}
	file := "2026-02-01-forgotten.json"
	if err := os.MkdirAll(filepath.Join(l.dir, "archive"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.dir, "archive", file), []byte("[ {"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Journal.Unforget(l.ctx(), id); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("the damaged file is not named: %v", err)
	}
}
