package services_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// relinkingLab is a lab whose runs make relations.
func relinkingLab(t *testing.T) *lab {
	l := newLab(t)
	l.run = consolidate.New(l.Base, l.Journal, consolidate.Options{Steps: []consolidate.Step{consolidate.NewRelations(l.Base)}})
	return l
}

// outcomes is a note of a day with one outcome that mentions names.
func outcomes(day int, title string, mentions ...string) ingest.Note {
	date := fmt.Sprintf("2026-01-%02d", day)
	body := fmt.Sprint(day, mentions)
	for _, name := range mentions {
		body += " [[" + name + "]]"
	}
	return ingest.Note{File: date + ".md", Outcomes: []ingest.NoteOutcome{{
		Source: brain.Source{
			Key: brain.Hash(date, title), Date: date, Time: "09:00", Type: "decision", Title: title,
			TitleKey: brain.Hash(title), Body: body, BodyHash: brain.Hash(body),
		},
		At: time.Date(2026, 1, day, 9, 0, 0, 0, time.UTC), Content: body,
	}}}
}

// ofDay is the memory of the outcome of a day.
func (l *lab) ofDay(day int) string {
	l.t.Helper()
	for _, v := range must[[]brain.View](l)(l.Recall.List(l.ctx(), lifecycle.ListQuery{Tiers: []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.Expired}, Limit: 99})) {
		if v.Created.Day() == day && v.Source != nil {
			return v.ID
		}
	}
	l.t.Fatalf("there is no outcome of day %d", day)
	return ""
}

func (l *lab) typed(ids ...string) []brain.Relation {
	return slices.DeleteFunc(l.relations(ids...), func(r brain.Relation) bool {
		return r.Type == brain.HasMemory || r.Type == brain.PromotedTo || r.Type == brain.Supersedes
	})
}

// A name that a memory got from an earlier version, which did not join it, is joined by the next
// run; undone, it waits again, and no run does it a second time.
func TestRunJoinsWhatWaitedForAName(t *testing.T) {
	l := relinkingLab(t)
	must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{outcomes(1, "A talk", "Ada")}))
	from := l.ofDay(1)
	ada := brain.Memory{ID: l.remember("she writes Go", nil)}
	if err := l.Base.Store.Update(l.ctx(), func(tx brain.Tx) error {
		ms, err := tx.Memories(ada.ID)
		ms[0].Name, ms[0].NameKey = "Ada", brain.NameKey("Ada")
		return errors.Join(err, tx.PutMemories(ms...))
	}); err != nil {
		t.Fatal(err)
	}
	if got := l.typed(from); len(got) != 0 {
		t.Fatalf("related before the run: %v", got)
	}
	plan := must[consolidate.Report](l)(l.run.Run(l.ctx(), consolidate.Request{Kind: brain.RunConsolidate, DryRun: true}))
	if plan.Related != 1 || len(l.typed(from)) != 0 {
		t.Errorf("the plan: %+v", plan)
	}
	rep := l.consolidate()
	want := []brain.Relation{{From: from, Type: "mentions", To: ada.ID}}
	if diff := cmp.Diff(want, l.typed(from)); diff != "" || rep.Related != 1 {
		t.Errorf("%d related\n%s", rep.Related, diff)
	}
	if again := l.consolidate(); again.Related != 0 || again.RunID != "" {
		t.Errorf("the run after it: %+v", again)
	}
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), rep.RunID, nil, nil))
	if got := l.typed(from); len(got) != 0 {
		t.Errorf("undone, it is related: %v", got)
	}
	if again := l.consolidate(); again.Related != 0 {
		t.Errorf("what was undone is done again: %+v", again)
	}
	ran[brain.Memory](l)(l.Journal.Forget(l.ctx(), ada.ID, "so that the name is new"))
	l.remember("another", func(m *brain.Memory, _ *brain.Details) { m.Name = "Ada" })
	if got := l.typed(from); len(got) != 1 {
		t.Errorf("undone, it does not wait: %v", got)
	}
}

// A day that is taken in late stands between the others.
func TestRunLetsOutcomesFollow(t *testing.T) {
	l := relinkingLab(t)
	for _, day := range []int{5, 1, 3} {
		must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{outcomes(day, "The port")}))
	}
	rep := l.consolidate()
	first, middle, last := l.ofDay(1), l.ofDay(3), l.ofDay(5)
	for _, want := range []brain.Relation{{From: middle, Type: "follows", To: first}, {From: last, Type: "follows", To: middle}} {
		if !slices.Contains(l.typed(want.From), want) {
			t.Errorf("%v is missing; the run made %d", want, rep.Related)
		}
	}
	must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{outcomes(7, "Another")}))
	if again := l.consolidate(); again.Related != 0 {
		t.Errorf("the run after it: %+v", again)
	}
}

// What was related to a memory after it was merged away leads to the keeper.
func TestRunLeadsToKeepers(t *testing.T) {
	l := relinkingLab(t)
	must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{outcomes(1, "The port")}))
	merged := l.ofDay(1)
	kept := l.remember("the port", nil)
	l.merge(kept, merged)
	must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{outcomes(2, "The port")}))
	from := l.ofDay(2)
	rep := l.consolidate()
	want := []brain.Relation{{From: from, Type: "follows", To: kept}}
	if diff := cmp.Diff(want, l.typed(from)); diff != "" || rep.Related != 1 {
		t.Errorf("%d related\n%s", rep.Related, diff)
	}
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), rep.RunID, nil, nil))
	if got := l.typed(from); len(got) != 1 || got[0].To != merged {
		t.Errorf("undone: %v", got)
	}
}

// A merge copied the relations: they are not led away from its sources.
func TestRunLeavesTheSourcesOfAMergeTheirs(t *testing.T) {
	l := relinkingLab(t)
	other, a, z := l.learn("other", "thing"), l.remember("a thing", nil), l.remember("a thing once more", nil)
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), other, "applies_to", z))
	l.merge(a, z)
	before := l.typed(other)
	if rep := l.consolidate(); rep.Related != 0 || len(before) != 2 {
		t.Errorf("%d related, before: %v", rep.Related, before)
	}
	if diff := cmp.Diff(before, l.typed(other)); diff != "" {
		t.Error(diff)
	}
}
