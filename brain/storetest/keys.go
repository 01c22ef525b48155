package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func keyCases() []testCase {
	return []testCase{
		{"memories are found by any of several names, texts and entities", keysSeveral},
		{"names and texts follow their live and expired memories", keysFollow},
		{"a text has a key in any spelling, with its name and project", textKeys},
	}
}

func byText(b *db, ms ...brain.Memory) []string {
	b.t.Helper()
	return b.by(brain.ByText, brain.Map(ms, func(m brain.Memory) string { return m.TextKey() })...)
}

// unnamed returns a memory whose name is the beginning of its content.
func unnamed(content string, options ...func(*brain.Memory)) brain.Memory {
	m := Memory(content, options...)
	m.Name, m.NameKey = brain.NameOf(content), Hash(content)
	return m
}

func keysSeveral(t *testing.T, b *db) {
	x1, x2, y, gone := unnamed("x"), unnamed("x", InTier(tiers.Expired)), unnamed("y"), Memory("z", Entity("z"))
	one, two := Memory("1", Entity("one")), Memory("2", Entity("two"), InTier(tiers.Expired))
	b.put(x1, x2, y, one, two, gone)
	gone.EntityKey, gone.Tier = "", tiers.Superseded
	b.putLives(gone)
	same(t, "by name", sorted(x1.ID, x2.ID), b.by(brain.ByName, Hash("x")))
	same(t, "by names", sorted(x1.ID, x2.ID, y.ID, one.ID), b.by(brain.ByName, Hash("y"), Hash("missing"), Hash("x"), Hash("one")))
	same(t, "one of each name", sorted(min(x1.ID, x2.ID), y.ID), b.list(brain.ListFilter{By: brain.ByName, Keys: []string{Hash("x"), Hash("y"), Hash("x")}, Limit: 1}))
	same(t, "by texts", sorted(x1.ID, x2.ID, y.ID), byText(b, unnamed("missing"), y, x1))
	same(t, "by entities", sorted(one.ID, two.ID), b.by(brain.ByEntity, Hash("two"), Hash("missing"), Hash("z"), Hash("one")))
	same(t, "all entities", sorted(one.ID, two.ID), b.list(brain.ListFilter{Entities: true}))
	for _, by := range []brain.Key{brain.ByName, brain.ByText, brain.ByEntity} {
		same(t, "by no "+string(by), 0, len(b.by(by)))
	}
}

func keysFollow(t *testing.T, b *db) {
	ms := brain.Map(tiers.All(), func(t tiers.Tier) brain.Memory { return unnamed("of every tier", InTier(t)) })
	m, old := unnamed("old"), unnamed("old")
	b.put(append(ms, m)...)
	found := func(what string, of brain.Memory, want ...string) {
		t.Helper()
		same(t, "by name: "+what, sorted(want...), b.by(brain.ByName, of.NameKey))
		same(t, "by text: "+what, sorted(want...), byText(b, of))
	}
	found("of every tier", ms[0], currentIDs(ms)...)
	m.Name, m.Content, m.NameKey = "new", "new", Hash("new")
	b.putLives(m)
	found("a life writes no text", old, m.ID)
	b.put(m)
	found("the old text", old)
	found("the new text", m, m.ID)
	for _, tier := range []tiers.Tier{tiers.Superseded, tiers.Expired} {
		m.Tier = tier
		b.putLives(m)
		found("in "+string(tier), m, currentIDs([]brain.Memory{m})...)
	}
	b.update(func(tx brain.Tx) error {
		more := unnamed("more")
		if err := tx.PutMemories(more); err != nil {
			return err
		}
		got, err := tx.ListMemories(brain.ListFilter{By: brain.ByText, Keys: []string{more.TextKey(), m.TextKey()}})
		same(t, "in the transaction that wrote one", sorted(more.ID, m.ID), brain.IDs(got))
		return err
	})
	b.deleteMemories(m.ID)
	found("once it is deleted", m)
}

func textKeys(t *testing.T, b *db) {
	in := func(project, name string) brain.Memory {
		return Memory("the same", func(m *brain.Memory) { m.Project, m.Name = project, name })
	}
	m := unnamed("Staging listens on port 5432, caf\u00e9 STRASSE.")
	ms := []brain.Memory{m, in("", "one"), in("", "two"), in("atlas", "one")}
	entity := Memory("the same", Entity("one"))
	b.put(append(ms, entity, unnamed("Staging listens on port 5433."))...)
	for _, m := range ms {
		same(t, "by "+m.Name+" in "+m.Project, []string{m.ID}, byText(b, m))
	}
	same(t, "the key of an entity", "", entity.TextKey())
	for text, want := range map[string][]string{
		"staging  listens\non port 5432, cafe\u0301 stra\u00dfe": {m.ID}, "Staging listens on port 5432, caf\u00e9 STRASSE!!! ": {m.ID},
		"Staging listens on port 5432": nil, "Staging does not listen on port 5432, caf\u00e9 STRASSE.": nil,
	} {
		same(t, text, want, byText(b, unnamed(text)))
	}
}
