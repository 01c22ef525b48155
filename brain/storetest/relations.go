package storetest

import (
	"errors"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func relationCases() []testCase {
	return []testCase{
		{"relations of any type come each once by from, type and to", relationOrder},
		{"a relation keeps when it was first made", relationMade},
		{"a missing or deleted end is not found and nothing is stored", relationMissingEnd},
		{"deleting removes that relation alone", relationDelete},
		{"a section may be an end and takes its relations along", relationSections},
		{"many relations at once", relationMany},
	}
}

func sortedRelations(rs ...brain.Relation) []brain.Relation {
	return slices.SortedFunc(slices.Values(rs), brain.Relation.Compare)
}

func relationOrder(t *testing.T, b *db) {
	ms := Memories(4, "related")
	s := Source(brain.Learning)
	b.put(ms...)
	b.putSources(s)
	want := []brain.Relation{
		{From: s.ID, Type: brain.HasMemory, To: ms[0].ID},
		{From: ms[0].ID, Type: brain.PromotedTo, To: ms[1].ID},
		{From: ms[0].ID, Type: "related_to", To: ms[2].ID},
		{From: ms[2].ID, Type: "related_to", To: ms[0].ID},
		{From: ms[1].ID, Type: "mentions", To: ms[1].ID},
	}
	for _, typ := range []string{
		brain.Supersedes, "supersedes", "Supersedes", "RELATED", "HAS_MEMORY2", "is bigger than", "ähnlich",
		"`]->() DELETE r //", "'; DROP TABLE relation --", "x_y", "x%y",
	} {
		want = append(want, brain.Relation{From: ms[1].ID, Type: typ, To: ms[2].ID})
	}
	b.putRelations(want...)
	b.putRelations(append(want, want...)...)
	b.putRelations(brain.Relation{From: ms[3].ID, Type: "mentions", To: ms[3].ID})
	same(t, "relations of all ends", sortedRelations(want...), b.relations(ms[2].ID, s.ID, ms[0].ID, "missing", ms[1].ID))
	same(t, "relations of the source", want[:1], b.relations(s.ID))
	same(t, "relations of no ids", 0, len(b.relations()))
}

func relationMade(t *testing.T, b *db) {
	x, y := Memory("x"), Memory("y")
	b.put(x, y)
	const instant = 1_790_000_000_000_001
	want := sortedRelations(
		brain.Relation{From: x.ID, Type: "knows", To: y.ID, Made: instant + 1},
		brain.Relation{From: x.ID, Type: "likes", To: y.ID, Made: instant},
		brain.Relation{From: y.ID, Type: "knows", To: x.ID},
		brain.Relation{From: y.ID, Type: brain.Supersedes, To: x.ID},
	)
	b.putRelations(want...)
	for _, r := range want {
		if r.Type != brain.Supersedes {
			r.Made = 5
		}
		b.putRelations(r)
	}
	same(t, "relations", want, b.relations(x.ID, y.ID))
	same(t, "relations in a dump", want, dump(b).Relations)
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.DeleteRelations(want[0].Key()), tx.PutRelations(want[0]))
	})
	same(t, "relations after one was deleted and put back", want, b.relations(x.ID))
}

func relationMissingEnd(t *testing.T, b *db) {
	x, y, run := Memory("x"), Memory("y"), Record(brain.RunRecord, "", "", Start)
	b.put(x, y)
	b.putRecords(run)
	fine := brain.Relation{From: x.ID, Type: "mentions", To: y.ID}
	for name, r := range map[string]brain.Relation{
		"a typed relation to nothing":   {From: x.ID, Type: "mentions", To: NewID()},
		"a typed relation from nothing": {From: NewID(), Type: "mentions", To: x.ID},
		"a relation to a record":        {From: x.ID, Type: "mentions", To: run.ID},
		"HAS_MEMORY from nothing":       {From: NewID(), Type: brain.HasMemory, To: x.ID},
		"PROMOTED_TO nothing":           {From: x.ID, Type: brain.PromotedTo, To: NewID()},
		"SUPERSEDES nothing":            {From: x.ID, Type: brain.Supersedes, To: NewID()},
	} {
		extra := Memory("rolled back")
		err := b.Update(b.ctx(), func(tx brain.Tx) error {
			return errors.Join(tx.PutMemories(extra), tx.PutRelations(fine, r))
		})
		fails(t, name, err, brain.ErrNotFound)
		err = b.Update(b.ctx(), func(tx brain.Tx) error { return errors.Join(tx.DeleteNodes(y.ID), tx.PutRelations(fine)) })
		fails(t, "a relation to what was just deleted", err, brain.ErrNotFound)
		same(t, name+": relations", 0, len(b.relations(x.ID, y.ID)))
		same(t, name+": memories", 0, len(b.memories(extra.ID)))
	}
}

func relationDelete(t *testing.T, b *db) {
	x, y := Memory("x"), Memory("y")
	b.put(x, y)
	gone := []brain.Relation{{From: x.ID, Type: "mentions", To: y.ID}, {From: x.ID, Type: brain.Supersedes, To: y.ID}}
	want := sortedRelations(
		brain.Relation{From: y.ID, Type: "mentions", To: x.ID}, brain.Relation{From: x.ID, Type: "supersedes", To: y.ID})
	b.putRelations(append(gone, want...)...)
	for range 2 { // the second time they do not exist
		b.update(func(tx brain.Tx) error { return tx.DeleteRelations(gone...) })
		same(t, "relations", want, b.relations(x.ID))
	}
}

func relationSections(t *testing.T, b *db) {
	m, gone, kept := Memory("m"), Section("d", "f", 1, "x"), Section("d", "f", 2, "y")
	b.put(m)
	b.putSections(gone, kept)
	all := sortedRelations(
		brain.Relation{From: m.ID, Type: "mentions", To: kept.ID}, brain.Relation{From: gone.ID, Type: "mentions", To: m.ID},
		brain.Relation{From: kept.ID, Type: "follows", To: gone.ID})
	b.putRelations(all...)
	b.putSections(gone, kept)
	same(t, "relations", all, b.relations(m.ID, kept.ID))
	b.deleteSections(gone.ID)
	all = slices.DeleteFunc(all, func(r brain.Relation) bool { return r.From == gone.ID || r.To == gone.ID })
	same(t, "relations once a section is gone", all, b.relations(m.ID, kept.ID, gone.ID))
}

func relationMany(t *testing.T, b *db) {
	ms := Memories(300, "hub and spokes")
	b.put(ms...)
	var want []brain.Relation
	for _, m := range ms[1:] {
		want = append(want,
			brain.Relation{From: ms[0].ID, Type: "mentions", To: m.ID},
			brain.Relation{From: m.ID, Type: "part_of", To: ms[0].ID})
	}
	b.putRelations(want...)
	want = sortedRelations(want...)
	same(t, "relations of the hub", want, b.relations(ms[0].ID))
	same(t, "relations of all", want, b.relations(brain.IDs(ms)...))
	b.update(func(tx brain.Tx) error { return tx.DeleteRelations(want...) })
	same(t, "relations after deleting all", 0, len(b.relations(brain.IDs(ms)...)))
}
