package storetest

import (
	"cmp"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func nameCases() []testCase {
	return []testCase{
		{"entities come first, then the newest, ties by id", nameOrder},
		{"the limit applies to each name", nameLimit},
		{"live and expired memories answer to a name", nameTiers},
		{"a name follows its memory", nameFollows},
	}
}

func named(name string, created float64, options ...func(*brain.Memory)) brain.Memory {
	m := Memory("named", options...)
	m.Name, m.NameKey, m.Created = name, Hash(name), Hours(created)
	return m
}

func byName(b *db, limit int, names ...string) []string {
	b.t.Helper()
	keys := brain.Map(names, Hash)
	return brain.IDs(view(b, func(r brain.Reader) ([]brain.Memory, error) { return r.MemoriesByName(keys, limit) }))
}

func nameOrder(t *testing.T, h harness) {
	b := h.brain(t)
	ms := []brain.Memory{
		named("x", 1), named("x", 3), named("x", 2), named("x", 2), named("x", 2), named("y", 9),
	}
	entity := named("x", 0, Entity("x"))
	b.put(append(ms, entity)...)
	slices.SortFunc(ms, func(m, n brain.Memory) int {
		return cmp.Or(n.Created.Compare(m.Created), cmp.Compare(m.ID, n.ID))
	})
	same(t, "by one name", append([]string{entity.ID}, brain.IDs(ms[1:])...), byName(b, 100, "x"))
	same(t, "by a name that nobody has", 0, len(byName(b, 100, "z")))
	same(t, "by no name", 0, len(byName(b, 100)))
}

func nameLimit(t *testing.T, h harness) {
	b := h.brain(t)
	var ms []brain.Memory
	for i := range 6 {
		ms = append(ms, named("x", float64(i)), named("y", float64(-i)))
	}
	b.put(ms...)
	same(t, "two of one name", []string{ms[10].ID, ms[8].ID}, byName(b, 2, "x"))
	got := byName(b, 2, "y", "missing", "x")
	same(t, "two of each name", sorted(ms[10].ID, ms[8].ID, ms[1].ID, ms[3].ID), sorted(got...))
}

func nameTiers(t *testing.T, h harness) {
	b := h.brain(t)
	ms := brain.Map(tiers.All(), func(t tiers.Tier) brain.Memory { return named("x", 0, InTier(t)) })
	b.put(ms...)
	same(t, "found", currentIDs(ms), sorted(byName(b, 100, "x")...))
}

func nameFollows(t *testing.T, h harness) {
	b := h.brain(t)
	m := named("x", 0)
	b.put(m)
	m.Name, m.NameKey = "y", Hash("y")
	b.putLives(m)
	same(t, "by its name after a life", []string{m.ID}, byName(b, 9, "x"))
	b.put(m)
	same(t, "by its old name", 0, len(byName(b, 9, "x")))
	same(t, "by its new name", []string{m.ID}, byName(b, 9, "y"))
	m.Tier = tiers.Superseded
	b.putLives(m)
	same(t, "once it is superseded", 0, len(byName(b, 9, "y")))
	m.Tier = tiers.Expired
	b.putLives(m)
	same(t, "once it is expired", []string{m.ID}, byName(b, 9, "y"))
	b.update(func(tx brain.Tx) error {
		if err := tx.DeleteMemories(m.ID); err != nil {
			return err
		}
		got, err := tx.MemoriesByName([]string{Hash("y")}, 9)
		same(t, "by its name in the transaction that deleted it", 0, len(got))
		return err
	})
}
