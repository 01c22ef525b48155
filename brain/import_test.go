package brain_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
)

// twice is a store that loses the outcome of every commit, so that each write
// is run again after it was stored.
type twice struct{ brain.Store }

func (s twice) Update(ctx context.Context, fn func(brain.Tx) error) error {
	if err := s.Store.Update(ctx, fn); err != nil {
		return err
	}
	return s.Store.Update(ctx, fn)
}

func toImport(text string) brain.Import {
	m := brain.Memory{ID: brain.NewID(false), Content: text, MemoryType: "note", Importance: brain.Reference}
	s := &brain.Source{ID: brain.NewID(false), Kind: brain.Outcome, Title: text, Body: text, BodyHash: brain.Hash(text), Key: brain.Hash("key", text)}
	return brain.Import{Memory: m, Source: s}
}

func importRun(l *lab) brain.Run {
	return brain.Run{ID: brain.NewID(false), Kind: brain.RunImport, Started: l.now}
}

func TestAnImportThatIsRunAgainAfterItsCommitChangesNothing(t *testing.T) {
	l := newLab(t)
	b := brain.New(twice{l.Store()}, brain.Options{Now: l.Now})
	first, second := toImport("the first"), toImport("the second")
	first.Names = []brain.NamedRelation{{Type: "mentions", Name: "the second"}, {Type: "mentions", Name: "nobody"}}
	taken, run, err := b.Import(l.ctx(), importRun(l), brain.ImportBatch{Items: []brain.Import{first, second}})
	if err != nil {
		t.Fatal(err)
	}
	for i, fate := range taken.Fates {
		if fate.Fate != brain.FateImported {
			t.Errorf("item %d: %+v", i, fate)
		}
	}
	if run.Actions != 2 {
		t.Errorf("the run has %d actions", run.Actions)
	}
	status := must[brain.Status](l)(l.Status(l.ctx()))
	if status.Total != 2 {
		t.Errorf("there are %d memories", status.Total)
	}
	got := l.show(first.Memory.ID).Relations
	want := []brain.Relation{
		{From: first.Memory.ID, Type: "mentions", To: second.Memory.ID},
		{From: first.Source.ID, Type: brain.HasMemory, To: first.Memory.ID},
	}
	if first.Source.ID < first.Memory.ID {
		want[0], want[1] = want[1], want[0]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("its relations (-want +got):\n%s", diff)
	}
}

func TestImportFates(t *testing.T) {
	l := newLab(t)
	item := toImport("known")
	must[brain.Run](l)(importedRun(l, item))
	sameKey := toImport("known")
	sameText := toImport("known")
	sameText.Source.Key = brain.Hash("another key")
	otherText := toImport("another text under the same identity")
	otherText.Source.Key = item.Source.Key
	sameID := toImport("the id is taken")
	sameID.Memory.ID = item.Memory.ID
	badID := toImport("x")
	badID.Memory.ID = "../x"
	entity := toImport("e")
	entity.Memory.Entity, entity.Memory.Name, entity.Memory.Observations = true, "e", []string{"e"}
	entityAgain := toImport("e")
	entityAgain.Memory.Entity, entityAgain.Memory.Name, entityAgain.Memory.Observations = true, "e", []string{"other"}
	entityAgain.Source.Key = brain.Hash("e again")
	for name, c := range map[string]struct {
		items []brain.Import
		want  brain.Fate
	}{
		"the same identity":                     {[]brain.Import{sameKey}, brain.FateHeld},
		"the same text":                         {[]brain.Import{sameText}, brain.FateHeld},
		"another text under the identity":       {[]brain.Import{otherText}, brain.FateImported},
		"another text under the id":             {[]brain.Import{sameID}, brain.FateRefused},
		"no id":                                 {[]brain.Import{badID}, brain.FateRefused},
		"an entity whose name is taken by then": {[]brain.Import{entity, entityAgain}, brain.FateRefused},
	} {
		taken, _, err := l.Import(l.ctx(), importRun(l), brain.ImportBatch{Items: c.items})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := taken.Fates[len(taken.Fates)-1]; got.Fate != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	otherText.Memory.ID, otherText.Source.ID = brain.NewID(false), brain.NewID(false)
	taken, run, err := l.Import(l.ctx(), importRun(l), brain.ImportBatch{Items: []brain.Import{otherText}})
	if err != nil || taken.Fates[0].Fate != brain.FateHeld || run.Actions != 0 {
		t.Errorf("another text under the identity, again: %+v, %d actions, %v", taken.Fates, run.Actions, err)
	}
}

func importedRun(l *lab, items ...brain.Import) (brain.Run, error) {
	_, run, err := l.Import(l.ctx(), importRun(l), brain.ImportBatch{Items: items})
	return run, err
}

// What waited for a name is joined by an import, and waits again after undo.
func TestUndoneImportLetsNamesWaitAgain(t *testing.T) {
	l := newLab(t)
	first := toImport("the first")
	first.Names = []brain.NamedRelation{{Type: "mentions", Name: "the second"}}
	must[brain.Run](l)(importedRun(l, first))
	run := must[brain.Run](l)(importedRun(l, toImport("the second")))
	if got := len(l.show(first.Memory.ID).Relations); got != 2 {
		t.Fatalf("%d relations, want 2", got)
	}
	if u := must[brain.Undone](l)(l.Undo(l.ctx(), run.ID)); u.Undone != 1 || len(u.Skipped) != 0 {
		t.Fatalf("undone: %+v", u)
	}
	must[brain.Run](l)(importedRun(l, toImport("the second")))
	if got := len(l.show(first.Memory.ID).Relations); got != 2 {
		t.Errorf("after undo and another import: %d relations, want 2", got)
	}
}

func TestAnImportedEntityDoesNotFade(t *testing.T) {
	l := newLab(t)
	item := toImport("")
	item.Memory.Entity, item.Memory.Name, item.Memory.Observations = true, "printer", []string{"needs A4", "is in the hall"}
	must[brain.Run](l)(importedRun(l, item))
	m := l.show(item.Memory.ID).Memory
	if m.Content != "needs A4\nis in the hall" || *m.Energy != 5 || m.ExpiresAt != nil {
		t.Errorf("it is %q with energy %v until %v", m.Content, *m.Energy, m.ExpiresAt)
	}
}
