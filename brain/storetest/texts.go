package storetest

import (
	"fmt"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func textCases() []testCase {
	return []testCase{
		{"a text is found in any spelling", textSpelling},
		{"a name and a project are part of a text", textParts},
		{"live and expired memories are found by their text", textTiers},
		{"a text follows its memory", textFollows},
	}
}

func byText(b *db, ms ...brain.Memory) []string {
	b.t.Helper()
	return b.by(brain.ByText, brain.Map(ms, func(m brain.Memory) string { return m.TextKey() })...)
}

// unnamed returns a memory whose name is the beginning of its content.
func unnamed(content string, options ...func(*brain.Memory)) brain.Memory {
	m := Memory(content, options...)
	m.Name = brain.NameOf(content)
	return m
}

func textSpelling(t *testing.T, b *db) {
	m := unnamed("Staging listens on port 5432, caf\u00e9 STRASSE.")
	b.put(m, unnamed("Staging listens on port 5433."))
	for _, same := range []string{
		"staging  listens\non port 5432, cafe\u0301 stra\u00dfe", "Staging listens on port 5432, caf\u00e9 STRASSE!!! ",
	} {
		if got := byText(b, unnamed(same)); len(got) != 1 || got[0] != m.ID {
			t.Errorf("%q: found %v", same, got)
		}
	}
	for _, other := range []string{"Staging listens on port 5432", "Staging does not listen on port 5432, caf\u00e9 STRASSE."} {
		same(t, other, 0, len(byText(b, unnamed(other))))
	}
	same(t, "without a key", 0, len(byText(b)))
}

func textParts(t *testing.T, b *db) {
	in := func(project, name string) brain.Memory {
		return unnamed("the same", func(m *brain.Memory) { m.Project = project }, func(m *brain.Memory) {
			m.Name = name
		})
	}
	ms := []brain.Memory{in("", "one"), in("", "two"), in("atlas", "one")}
	for i := range ms {
		ms[i].Name = []string{"one", "two", "one"}[i]
	}
	entity := Memory("the same", Entity("one"))
	b.put(append(ms, entity)...)
	for _, m := range ms {
		same(t, fmt.Sprintf("by %q in %q", m.Name, m.Project), []string{m.ID}, byText(b, m))
	}
	same(t, "the key of an entity", "", entity.TextKey())
}

func textTiers(t *testing.T, b *db) {
	ms := brain.Map(tiers.All(), func(t tiers.Tier) brain.Memory { return unnamed("one", InTier(t)) })
	b.put(ms...)
	same(t, "found", currentIDs(ms), sorted(byText(b, ms[0])...))
}

func textFollows(t *testing.T, b *db) {
	m := unnamed("one")
	b.put(m)
	before := m
	m.Name, m.Content = "two", "two"
	b.put(m)
	same(t, "by its old text", 0, len(byText(b, before)))
	same(t, "by its new text", []string{m.ID}, byText(b, m))
	m.Tier = tiers.Superseded
	b.putLives(m)
	same(t, "once it is superseded", 0, len(byText(b, m)))
	m.Tier = tiers.Expired
	b.putLives(m)
	b.update(func(tx brain.Tx) error {
		more := unnamed("three")
		if err := tx.PutMemories(more); err != nil {
			return err
		}
		got, err := tx.ListMemories(brain.ListFilter{By: brain.ByText, Keys: []string{more.TextKey(), m.TextKey()}})
		same(t, "in the transaction that wrote one", sorted(more.ID, m.ID), brain.IDs(got))
		return err
	})
}

func sharingCases() []testCase {
	return []testCase{
		{"a rare word is shared", sharingRare},
		{"a word in more than a twentieth of the texts is not rare", sharingCommon},
		{"memories of other projects share nothing", sharingProjects},
		{"the most and the rarest words come first", sharingOrder},
	}
}

func (b *db) sharing(project string, limit int, terms ...string) []string {
	b.t.Helper()
	found := view(b, func(r brain.Reader) ([]brain.Scored, error) { return r.SharingWords(project, limit, terms...) })
	for _, s := range found {
		if s.Score <= 0 || s.Content == "" {
			b.t.Errorf("%s has the score %g and the text %q", s.ID, s.Score, s.Content)
		}
	}
	return brain.Map(found, func(s brain.Scored) string { return s.ID })
}

func sharingRare(t *testing.T, b *db) {
	m, past := Memory("the walrus has tusks"), Memory("a walrus of old", InTier(tiers.Superseded))
	expired := Memory("an expired walrus", InTier(tiers.Expired))
	b.put(m, past, expired, Memory("something else"))
	b.putSections(Section("d", "zoo.md", 1, "a walrus in a section"))
	same(t, "sharing a word", sorted(m.ID, expired.ID), sorted(b.sharing("", 9, "walrus")...))
	same(t, "one at most", 1, len(b.sharing("", 1, "walrus")))
	same(t, "sharing nothing", 0, len(b.sharing("", 9, "giraff")))
	same(t, "without words", 0, len(b.sharing("", 9)))
	b.update(func(tx brain.Tx) error {
		found, err := tx.SharingWords("", 9, "tusk")
		if len(found) != 1 || found[0].ID != m.ID {
			t.Errorf("in a transaction: %v", found)
		}
		return err
	})
}

func sharingCommon(t *testing.T, b *db) {
	b.put(Memories(3, "a walrus")...)
	same(t, "in three of three texts", 3, len(b.sharing("", 9, "walrus")))
	b.put(Memories(1, "a walrus")...)
	same(t, "in four of four", 0, len(b.sharing("", 9, "walrus")))
	b.put(padding(76)...)
	same(t, "in four of eighty", 4, len(b.sharing("", 9, "walrus")))
	b.put(Memories(1, "a walrus")...)
	same(t, "in five of eighty-one", 0, len(b.sharing("", 9, "walrus")))
}

func sharingProjects(t *testing.T, b *db) {
	in := func(project string) brain.Memory {
		return Memory("a walrus", func(m *brain.Memory) { m.Project = project })
	}
	none, ours, theirs := in(""), in("atlas"), in("other")
	b.put(none, ours, theirs)
	same(t, "of a project", sorted(none.ID, ours.ID), sorted(b.sharing("atlas", 9, "walrus")...))
	same(t, "of none", []string{none.ID}, b.sharing("", 9, "walrus"))
}

func sharingOrder(t *testing.T, b *db) {
	both, rare := Memory("the kinkajou and the fossa"), Memory("only a kinkajou here")
	b.put(both, rare, Memory("a fossa and more"), Memory("one fossa and more"))
	got := b.sharing("", 2, "kinkajou", "fossa")
	same(t, "the first two", []string{both.ID, rare.ID}, got)
}
