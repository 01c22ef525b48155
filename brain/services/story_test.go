package services_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
)

func (l *lab) history(id string) []journal.HistoryEvent {
	l.t.Helper()
	_, events, err := l.Journal.History(l.ctx(), id)
	if err != nil {
		l.t.Fatal(err)
	}
	return events
}

func kinds(events []journal.HistoryEvent) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Kind)
	}
	return all
}

func (l *lab) wantHistory(id string, want ...string) {
	l.t.Helper()
	if got := kinds(l.history(id)); !cmp.Equal(got, want) {
		l.t.Errorf("history %v, want %v", got, want)
	}
}

// With the clock standing still uses come first, and then what they can have caused.
func TestHistoryOfOneInstantIsInCausalOrder(t *testing.T) {
	for range 5 { // ids are random
		l := newLab(t)
		id := l.crystallize("story", "begins")
		must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 3)) // settles the promotion first, makes the next one due
		must[brain.Memory](l)(l.Capture.Used(l.ctx(), id, brain.Helpful, "a review"))
		ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "goes on"))
		ran[brain.Memory](l)(l.Journal.Forget(l.ctx(), id, "enough"))
		ran[brain.Memory](l)(l.Journal.Unforget(l.ctx(), l.forgotten(id)))
		l.wantHistory(id, "capture", "boost", "helpful", "access", "promote", "promote", "supersede", "forget", "unforget")
	}
}

// forgotten is the id under which the journal's last forget has a memory.
func (l *lab) forgotten(string) string {
	l.t.Helper()
	run := must[brain.Run](l)(l.Journal.LastRun(l.ctx()))
	for a, err := range l.Journal.Actions(l.ctx(), run) {
		if err != nil {
			l.t.Fatal(err)
		}
		return a.IDs[0]
	}
	l.t.Fatal("the last run has no action")
	return ""
}

func TestHistoryShowsRevivalAfterItsCause(t *testing.T) {
	l := newLab(t)
	id := l.learn("a", "b")
	expires := *l.show(id).Memory.ExpiresAt
	l.now = expires
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 1.5))
	l.wantHistory(id, "capture", "expire", "boost", "revive")
}

func TestUsesOfOneInstantStandInTheirOrder(t *testing.T) {
	for range 5 { // by chance their ids may be in order
		l := newLab(t)
		id := l.learn("walrus", "large")
		must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 0.1))
		must[brain.Memory](l)(l.Capture.Used(l.ctx(), id, brain.Helpful, "a"))
		l.recall(recall.Query{Words: words.Parse("walrus")})
		must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 0.2))
		must[brain.Memory](l)(l.Capture.Used(l.ctx(), id, brain.NotHelpful, "b"))
		must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 0.3))
		l.wantHistory(id, "capture", "boost", "helpful", "access", "recall", "boost", "notHelpful", "boost", "promote")
	}
}

func TestHistoryShowsAnEditOfAPromotedText(t *testing.T) {
	l := newLab(t)
	save := func(body string) {
		o := ingest.NoteOutcome{
			Source: brain.Source{
				Key: brain.Hash("deploys"), Date: "2026-02-05", Type: "decision", Title: "Deploys",
				TitleKey: brain.NameKey("Deploys"), Importance: brain.Critical, Body: body, BodyHash: brain.Hash(body), Line: 1,
			},
			At: l.now, Content: body,
		}
		note := ingest.Note{File: "2026-02-05.md", Outcomes: []ingest.NoteOutcome{o}}
		if _, err := l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{note}); err != nil {
			t.Fatal(err)
		}
	}
	save("By hand.")
	l.consolidate()
	l.later(time.Minute)
	save("By the pipeline, on every merge.")
	ids := l.recall(recall.Query{Words: words.Parse("deploys pipeline"), NoTouch: true})
	if len(ids) == 0 {
		t.Fatal("the edited outcome is not found")
	}
	events := l.history(ids[0])
	if got, want := kinds(events), []string{"capture", "promote", "edit"}; !cmp.Equal(got, want) {
		t.Errorf("history %v, want %v", got, want)
	}
	if events[0].Memory != events[1].Memory {
		t.Errorf("captured %s, but %s was promoted", events[0].Memory, events[1].Memory)
	}
}

// archiving is a lab whose runs leave the store after a day.
func archiving(t *testing.T) *lab {
	l := newLab(t)
	archive := backups.NewArchive(filepath.Join(l.dir, "archive"), func(string) {})
	l.Services = services.New(l.Base.Store, services.Options{Now: func() time.Time { return l.now }, Archive: archive, Journal: archive})
	l.run = consolidate.New(l.Base, l.Journal, consolidate.Options{
		Archive: archive, JournalKeep: 24 * time.Hour, Warn: func(err error) { t.Error(err) },
	})
	return l
}

func (l *lab) wantRuns(n int) {
	l.t.Helper()
	if runs := must[[]brain.Run](l)(l.Journal.Runs(l.ctx(), 100)); len(runs) != n {
		l.t.Errorf("%d runs in the store, want %d", len(runs), n)
	}
}

func TestHistoryReadsTheArchive(t *testing.T) {
	l := archiving(t)
	other := l.crystallize("other", "memory")
	id := l.crystallize("story", "begins")
	l.consolidate()
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 3))
	l.consolidate()
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "goes on"))
	want := l.history(id)
	whole := kinds(want)
	if !slices.Equal(whole, []string{"capture", "boost", "promote", "promote", "supersede"}) {
		t.Fatalf("history %v", whole)
	}
	l.now = l.now.AddDate(0, 0, 28)
	l.consolidate() // what expired is news; the runs before are old
	l.wantRuns(1)
	got := l.history(id)
	if !cmp.Equal(got[:len(want)], want) {
		t.Errorf("the history changed with the journal's move:\n%s", cmp.Diff(want, got[:len(want)]))
	}
	if why := must[journal.Why](l)(l.Journal.Why(l.ctx(), id)); !slices.ContainsFunc(why.Events, func(e journal.HistoryEvent) bool { return e.Kind == "supersede" }) {
		t.Errorf("why shows %v", kinds(why.Events))
	}
	l.wantHistory(other, "capture", "promote", "expire")
	late := l.crystallize("late", "knows no archive")
	l.wantHistory(late, "capture")
}

func TestADamagedArchiveIsNamedAndTheRestShown(t *testing.T) {
	l := archiving(t)
	id := l.crystallize("story", "begins")
	l.consolidate()
	l.now = l.now.AddDate(0, 0, 28)
	l.consolidate()
	file := filepath.Join(l.dir, "archive", "journal-2026-02.jsonl.zst")
	if err := os.WriteFile(file, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, events, err := l.Journal.History(l.ctx(), id)
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("History() = %v, want the name of the damaged file", err)
	}
	if m.ID == "" || !cmp.Equal(kinds(events), []string{"capture", "expire"}) {
		t.Errorf("of %q: %v", m.ID, kinds(events))
	}
	if w, err := l.Journal.Why(l.ctx(), id); err == nil || w.Memory.ID != m.ID {
		t.Errorf("Why() = %q, %v", w.Memory.ID, err)
	}
	if _, _, err := l.Journal.History(l.ctx(), brain.NewID()); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("of no memory: %v", err)
	}
}
