package services_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
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

func toImport(text string) ingest.ImportItem {
	m := brain.Memory{ID: brain.NewID(), Content: text, MemoryType: "note", Importance: brain.Reference}
	s := &brain.Source{ID: brain.NewID(), Kind: brain.Outcome, Title: text, Body: text, BodyHash: brain.Hash(text), Key: brain.Hash("key", text)}
	return ingest.ImportItem{Memory: m, Source: s}
}

func importRun(l *lab) brain.Run {
	return brain.Run{ID: brain.NewID(), Kind: ingest.RunImport, Started: l.now}
}

func TestAnImportThatIsRunAgainAfterItsCommitChangesNothing(t *testing.T) {
	l := newLab(t)
	b := services.New(twice{l.Base.Store}, services.Options{Now: l.Base.Now})
	first, second := toImport("the first"), toImport("the second")
	first.Names = []brain.NamedRelation{{Type: "mentions", Name: "the second"}, {Type: "mentions", Name: "nobody"}}
	answer, run, err := b.Ingest.Import(l.ctx(), importRun(l), ingest.ImportBatch{Items: []ingest.ImportItem{first, second}})
	if err != nil {
		t.Fatal(err)
	}
	for i, result := range answer.Results {
		if result.Status != ingest.Imported {
			t.Errorf("item %d: %+v", i, result)
		}
	}
	if run.Actions != 2 {
		t.Errorf("the run has %d actions", run.Actions)
	}
	status := must[recall.Status](l)(l.Recall.Status(l.ctx()))
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
		items []ingest.ImportItem
		want  ingest.ImportStatus
	}{
		"the same identity":                     {[]ingest.ImportItem{sameKey}, ingest.Held},
		"the same text":                         {[]ingest.ImportItem{sameText}, ingest.Held},
		"another text under the identity":       {[]ingest.ImportItem{otherText}, ingest.Imported},
		"another text under the id":             {[]ingest.ImportItem{sameID}, ingest.Refused},
		"no id":                                 {[]ingest.ImportItem{badID}, ingest.Refused},
		"an entity whose name is taken by then": {[]ingest.ImportItem{entity, entityAgain}, ingest.Refused},
	} {
		answer, _, err := l.Ingest.Import(l.ctx(), importRun(l), ingest.ImportBatch{Items: c.items})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := answer.Results[len(answer.Results)-1]; got.Status != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	otherText.Memory.ID, otherText.Source.ID = brain.NewID(), brain.NewID()
	answer, run, err := l.Ingest.Import(l.ctx(), importRun(l), ingest.ImportBatch{Items: []ingest.ImportItem{otherText}})
	if err != nil || answer.Results[0].Status != ingest.Held || run.Actions != 0 {
		t.Errorf("another text under the identity, again: %+v, %d actions, %v", answer.Results, run.Actions, err)
	}
}

func importedRun(l *lab, items ...ingest.ImportItem) (brain.Run, error) {
	_, run, err := l.Ingest.Import(l.ctx(), importRun(l), ingest.ImportBatch{Items: items})
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
	if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil)); u.Undone != 1 || len(u.Skipped) != 0 {
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
