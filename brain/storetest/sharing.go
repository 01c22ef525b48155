package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func sharingCases() []testCase {
	return []testCase{
		{"a rare word of the project is shared", sharingRare},
		{"a word in more than a twentieth of the texts is not rare", sharingCommon},
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
	ours, theirs := Memory("our walrus"), Memory("their walrus")
	ours.Project, theirs.Project = "atlas", "other"
	b.put(m, past, expired, ours, theirs, Memory("something else"))
	b.put(padding(100)...)
	b.putSections(Section("d", "zoo.md", 1, "a walrus in a section"))
	same(t, "sharing a word", sorted(m.ID, expired.ID), sorted(b.sharing("", 9, "walrus")...))
	same(t, "sharing a word in a project", sorted(m.ID, expired.ID, ours.ID), sorted(b.sharing("atlas", 9, "walrus")...))
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

func sharingOrder(t *testing.T, b *db) {
	both, rare := Memory("the kinkajou and the fossa"), Memory("only a kinkajou here")
	b.put(both, rare, Memory("a fossa and more"), Memory("one fossa and more"))
	got := b.sharing("", 2, "kinkajou", "fossa")
	same(t, "the first two", []string{both.ID, rare.ID}, got)
}
