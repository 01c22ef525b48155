package services_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestUndoRestoresAPromotion(t *testing.T) {
	l := newLab(t)
	id := l.crystallize("deploy", "needs the vpn")
	other := l.learn("vpn", "is slow")
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), id, "related_to", other))
	before := l.node(id)
	rels := l.show(id).Relations
	run := l.consolidate()
	promoted := l.show(id)
	if promoted.ResolvedFrom != "" || promoted.Memory.ID != id || *promoted.Memory.Tier != tiers.ShortTerm {
		t.Fatalf("it shows %+v", promoted)
	}
	undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.RunID, nil, nil))
	if undone.Undone != 1 || len(undone.Skipped) != 0 {
		t.Fatalf("undone %+v", undone)
	}
	ignore := cmpopts.IgnoreFields(brain.Memory{}, "Version", "State.PromoteDue", "State.ExpiresAt")
	if diff := cmp.Diff(before, l.node(id), ignore, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("not restored (-before +after):\n%s", diff)
	}
	if !cmp.Equal(l.show(id).Relations, rels) {
		t.Errorf("relations %v, want %v", l.show(id).Relations, rels)
	}
	if back := l.show(run.Actions[0].IDs[1]); back.Memory.ID != id {
		t.Errorf("the id of what it was shows %s, want %s", back.Memory.ID, id)
	}
	if rep := l.consolidate(); len(rep.Promoted) != 0 {
		t.Error("the undone promotion was made again without a touch")
	}
	if got := l.recall(recall.Query{Words: words.Parse("vpn deploy"), NoTouch: true}); len(got) == 0 || got[0] != id {
		t.Errorf("after the undo recall finds %v", got)
	}
}

func TestUndoKeepsWhatWasGained(t *testing.T) {
	l := newLab(t)
	id := l.crystallize("gain", "kept")
	run := l.consolidate()
	l.later(time.Hour)
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, 1))
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.RunID, nil, nil))
	want := 3*math.Exp(-0.5) + 1
	if got := l.show(id).Memory; *got.Tier != tiers.Working || !near(*got.Energy, want) {
		t.Errorf("%s with %v, want working with %v", *got.Tier, *got.Energy, want)
	}
}

// A run may move one memory more than once; undo takes all of it back.
func TestUndoOfSeveralSteps(t *testing.T) {
	for name, c := range map[string]struct {
		boost float64
		wait  time.Duration
	}{"promoted twice": {10, 0}, "promoted and expired": {0, 2000 * time.Hour}} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			var ids []string
			for i := range 2 * 25 { // more than one transaction of an undo
				id := l.crystallize(fmt.Sprintf("thing %d", i), "moves on")
				if c.boost > 0 {
					must[brain.Memory](l)(l.Capture.Boost(l.ctx(), id, c.boost))
				}
				ids = append(ids, id)
			}
			before := l.node(ids[7])
			l.later(c.wait)
			rep := l.consolidate()
			undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), rep.RunID, nil, nil))
			if undone.Undone != len(rep.Actions) || len(undone.Skipped) != 0 {
				t.Fatalf("undone %d of %d, skipped %v", undone.Undone, len(rep.Actions), undone.Skipped)
			}
			ignore := cmpopts.IgnoreFields(brain.Memory{}, "Version", "State.PromoteDue", "State.ExpiresAt")
			if diff := cmp.Diff(before, l.node(ids[7]), ignore, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("not restored (-before +after):\n%s", diff)
			}
		})
	}
}

// What cannot be undone does not stand in the way of what came before it.
func TestBareUndoGoesOn(t *testing.T) {
	l := newLab(t)
	l.crystallize("first", "promoted alone")
	one := l.consolidate()
	second := l.crystallize("second", "changed since")
	two := l.consolidate()
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), second, "", "changed"))
	if last := must[brain.Run](l)(l.Journal.LastRun(l.ctx())); last.Kind != brain.RunCorrect {
		t.Fatalf("the last run is %s", last.Kind)
	}
	if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), two.RunID, nil, nil)); u.Undone != 0 || len(u.Skipped) != 1 {
		t.Errorf("undone %+v", u)
	}
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), must[brain.Run](l)(l.Journal.LastRun(l.ctx())).ID, nil, nil)) // the correction
	if last := must[brain.Run](l)(l.Journal.LastRun(l.ctx())); last.ID != one.RunID {
		t.Errorf("a bare undo would take %s, want the first run", last.Kind)
	}
}

// An undo without an id passes over what nobody asked for, also in journals of versions
// that did not record who started a run.
func TestBareUndoTakesBackWhatSomebodyAskedFor(t *testing.T) {
	l := newLab(t)
	id, found := l.learn("deploy", "on Mondays"), l.learn("backup", "at noon")
	_, asked, err := l.Capture.Correct(l.ctx(), id, "", "on Tuesdays")
	if err != nil {
		t.Fatal(err)
	}
	ran[brain.Memory](l)(l.Capture.InBackground().Correct(l.ctx(), found, "", "at midnight")) // an edited file
	for _, run := range []brain.Run{
		{Kind: brain.RunConsolidate, StartedBy: brain.ByProgram},
		{Kind: brain.RunForget, StartedBy: brain.ByProgram},
		{Kind: brain.RunConsolidate},
		{Kind: brain.RunCurate},
		{Kind: brain.RunSettle},
	} {
		run.ID, run.Started, run.Actions = brain.NewID(), l.now, 1
		if err := l.Base.PutRun(l.ctx(), run); err != nil {
			t.Fatal(err)
		}
	}
	if last := must[brain.Run](l)(l.Journal.LastRun(l.ctx())); last.ID != asked.ID {
		t.Errorf("a bare undo would take back the %s by %q", last.Kind, last.StartedBy)
	}
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), asked.ID, nil, nil))
	if last, err := l.Journal.LastRun(l.ctx()); !errors.Is(err, brain.ErrNotFound) || !strings.Contains(err.Error(), "asked for") {
		t.Errorf("a bare undo would take back the %s by %q, error %v", last.Kind, last.StartedBy, err)
	}
	old := brain.Run{ID: brain.NewID(), Kind: ingest.RunImport, Started: l.now, Actions: 1}
	if err := l.Base.PutRun(l.ctx(), old); err != nil {
		t.Fatal(err)
	}
	if last := must[brain.Run](l)(l.Journal.LastRun(l.ctx())); last.ID != old.ID {
		t.Errorf("a bare undo would take back the %s, not the old %s", last.Kind, old.Kind)
	}
}

func TestUndoOfUnforgetKeepsNewRelations(t *testing.T) {
	l := newLab(t)
	id, other := l.learn("back", "again"), l.learn("friend", "new")
	ran[brain.Memory](l)(l.Journal.Forget(l.ctx(), id, "asked for"))
	ran[brain.Memory](l)(l.Journal.Unforget(l.ctx(), id))
	run := must[brain.Run](l)(l.Journal.LastRun(l.ctx()))
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), other, "related_to", id))
	if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil)); u.Undone != 0 || len(u.Skipped) != 1 {
		t.Errorf("undone %+v, want it left for the new relation", u)
	}
	if rels := l.show(id).Relations; len(rels) != 2 {
		t.Errorf("relations %v", rels)
	}
}

func TestUndoLeavesWhatChangedSince(t *testing.T) {
	l := newLab(t)
	id := l.crystallize("moved", "on")
	run := l.consolidate()
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "moved away"))
	undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.RunID, nil, nil))
	if undone.Undone != 0 || len(undone.Skipped) != 1 {
		t.Errorf("undone %+v, want it left and reported", undone)
	}
}

func TestCorrectionsUndoneOneByOne(t *testing.T) {
	l := newLab(t)
	id := l.learn("deploy", "one")
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "two"))
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "three"))
	for _, want := range []string{"two", "one"} {
		must[journal.Undone](l)(l.Journal.Undo(l.ctx(), must[brain.Run](l)(l.Journal.LastRun(l.ctx())).ID, nil, nil))
		if got := l.show(id).Memory.Content; got != want {
			t.Errorf("after undo %q, want %q", got, want)
		}
	}
}

func TestRelationIsJournaledAndUndone(t *testing.T) {
	l := newLab(t)
	a, z := l.learn("cause", "one"), l.learn("effect", "two")
	ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), a, "derived_from", z))
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), must[brain.Run](l)(l.Journal.LastRun(l.ctx())).ID, nil, nil))
	if rels := l.show(a).Relations; len(rels) != 1 || rels[0].Type != brain.HasMemory {
		t.Errorf("relations %v", rels)
	}
}

// Of a run that forgot several outcomes, undo leaves out the one whose place in the note
// another outcome has taken, and restores the others.
func TestUndoNamesAnOutcomeWhoseIdentityIsTaken(t *testing.T) {
	l := newLab(t)
	var ms []brain.Memory
	var ss []brain.Source
	for i := range 3 {
		s := storetest.OutcomeAt("d", "a.md", i+1)
		ss, ms = append(ss, s), append(ms, storetest.Memory(fmt.Sprint("outcome ", i), func(m *brain.Memory) { m.SourceNodeID = s.ID }))
	}
	update := func(fn func(brain.Tx) error) {
		t.Helper()
		if err := l.Base.Store.Update(l.ctx(), fn); err != nil {
			t.Fatal(err)
		}
	}
	update(func(tx brain.Tx) error { return errors.Join(tx.PutSources(ss...), tx.PutMemories(ms...)) })
	run := l.Base.NewRun(brain.RunForget, l.now)
	_, run, err := l.Base.Act(l.ctx(), run, l.now, func(tx brain.Tx) (actions []brain.Action, err error) {
		for i := range ms {
			actions = append(actions, brain.Action{
				Kind: brain.ActForget, IDs: []string{ms[i].ID}, At: l.now, Changes: []brain.Change{{Before: &ms[i]}}, Sources: ss[i : i+1],
			})
			err = errors.Join(err, tx.DeleteNodes(ms[i].ID, ss[i].ID))
		}
		return actions, err
	})
	if err != nil {
		t.Fatal(err)
	}
	again := storetest.OutcomeAt("d", "a.md", 2)
	again.Key = ss[1].Key
	update(func(tx brain.Tx) error { return tx.PutSources(again) })
	undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil))
	if undone.Undone != 2 || len(undone.Skipped) != 1 || undone.Skipped[0].ID != ms[1].ID || !strings.Contains(undone.Skipped[0].Reason, "taken") {
		t.Errorf("%+v", undone)
	}
	if here := must[[]brain.Memory](l)(l.Base.Memories(l.ctx(), brain.IDs(ms)...)); len(here) != 2 {
		t.Errorf("%d memories are back, want 2", len(here))
	}
}
