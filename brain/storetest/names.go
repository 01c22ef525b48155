package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func nameCases() []testCase {
	return []testCase{
		{"memories are found by any of several names", nameSeveral},
		{"live and expired memories answer to a name", nameTiers},
		{"a name follows its memory", nameFollows},
	}
}

func named(name string, created float64, options ...func(*brain.Memory)) brain.Memory {
	m := Memory("named", options...)
	m.Name, m.NameKey, m.Created = name, Hash(name), Hours(created)
	return m
}

func byName(b *db, names ...string) []string {
	b.t.Helper()
	return b.by(brain.ByName, brain.Map(names, Hash)...)
}

func nameSeveral(t *testing.T, b *db) {
	ms := []brain.Memory{named("x", 1), named("x", 2, Entity("x")), named("y", 3), named("z", 4)}
	b.put(ms...)
	same(t, "by one name", sorted(ms[0].ID, ms[1].ID), byName(b, "x"))
	same(t, "by two names and one that nobody has", sorted(brain.IDs(ms[:3])...), byName(b, "y", "missing", "x"))
	same(t, "by no name", 0, len(byName(b)))
}

func nameTiers(t *testing.T, b *db) {
	ms := brain.Map(tiers.All(), func(t tiers.Tier) brain.Memory { return named("x", 0, InTier(t)) })
	b.put(ms...)
	same(t, "found", currentIDs(ms), sorted(byName(b, "x")...))
}

func nameFollows(t *testing.T, b *db) {
	m := named("x", 0)
	b.put(m)
	m.Name, m.NameKey = "y", Hash("y")
	b.putLives(m)
	same(t, "by its name after a life", []string{m.ID}, byName(b, "x"))
	b.put(m)
	same(t, "by its old name", 0, len(byName(b, "x")))
	same(t, "by its new name", []string{m.ID}, byName(b, "y"))
	m.Tier = tiers.Superseded
	b.putLives(m)
	same(t, "once it is superseded", 0, len(byName(b, "y")))
	m.Tier = tiers.Expired
	b.putLives(m)
	same(t, "once it is expired", []string{m.ID}, byName(b, "y"))
	b.update(func(tx brain.Tx) error {
		if err := tx.DeleteNodes(m.ID); err != nil {
			return err
		}
		got, err := tx.ListMemories(brain.ListFilter{By: brain.ByName, Keys: []string{Hash("y")}})
		same(t, "by its name in the transaction that deleted it", 0, len(got))
		return err
	})
}
