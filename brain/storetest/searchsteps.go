package storetest

import (
	"errors"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

func searchStepCases() []testCase {
	return []testCase{
		{"new text is found, old and deleted text is not", stepText},
		{"a promoted memory is found in place of the original", stepPromoted},
		{"undoing a promotion finds the original again", stepUndone},
		{"deleting one of a chain leaves the others", stepForgotten},
		{"of a chain in any order of writing each instant has exactly one", stepChain},
		{"a copy with another text is found by its own", stepOtherText},
	}
}

func stepText(t *testing.T, b *db) {
	m := Memory("oldcontent stays", func(m *brain.Memory) { m.Name, m.Tags = "oldname", []string{"oldtag"} })
	s := Section("d", "f", 1, "oldtext")
	s.Heading = "oldheading"
	b.put(m)
	b.putSections(s)
	m.Content, m.Name, m.Tags = "newcontent stays", "newname", []string{"newtag"}
	s.Text, s.Heading = "newtext", "newheading"
	for range 3 { // the same text again changes no hit
		b.put(m)
		b.putSections(s)
		m.Version++
	}
	for query, want := range map[string][]string{
		"newcontent": {m.ID}, "newname": {m.ID}, "newtag": {m.ID}, "stays": {m.ID}, "newtext": {s.ID}, "newheading": {s.ID},
		"oldcontent": nil, "oldname": nil, "oldtag": nil, `"oldcontent stays"`: nil, "oldtext oldheading": nil,
	} {
		same(t, query, want, b.find(query))
	}
	other := Memory("newcontent of another")
	b.put(other)
	b.deleteMemories(m.ID)
	b.deleteSections(s.ID)
	same(t, "after deleting", []string{other.ID}, b.find("newcontent newtext"))
	same(t, "at an instant after deleting", []string{other.ID}, validAt(b, "newcontent", 0))
}

// promoted returns what the promotion of m at so many hours writes: what it was, under an id of
// its own, and the memory itself.
func promoted(m brain.Memory, at float64) (was, now brain.Memory) {
	was, now = m, m
	was.ID, was.EntityKey, was.ValidTo = NewID(), "", Hours(at)
	was.Tier, _ = m.Tier.Archived()
	now.PromotedFrom, now.ValidFrom = was.ID, Hours(at)
	now.Tier, _ = m.Tier.Next()
	return was, now
}

func promote(b *db, m brain.Memory, at float64) (was, now brain.Memory) {
	b.t.Helper()
	was, now = promoted(m, at)
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.PutLives(now), tx.PutMemories(was),
			tx.PutRelations(brain.Relation{From: was.ID, Type: brain.PromotedTo, To: now.ID}))
	})
	return was, now
}

func stepPromoted(t *testing.T, b *db) {
	m := Memory("a wombat", func(m *brain.Memory) { m.Name, m.Tags = "digger", []string{"marsupial"} })
	b.put(m)
	was, now := promote(b, m, 1)
	same(t, "from", was.ID, b.memory(m.ID).PromotedFrom)
	for range 2 {
		for _, query := range []string{"wombat", "digger", "marsupial", `"a wombat"`} {
			same(t, query, []string{m.ID}, b.find(query))
		}
		now.RecallCount++
		b.putLives(now) // and again after a touch
	}
	now.Content, now.Version, now.ValidFrom = "a kookaburra", 2, Hours(2)
	b.put(now)
	same(t, "the new text", []string{m.ID}, b.find("kookaburra"))
	same(t, "the old text", 0, len(b.find("wombat")))
	same(t, "the old text before the promotion", []string{was.ID}, validAt(b, "wombat", 0.5))
	same(t, "the new text before the promotion", 0, len(validAt(b, "kookaburra", 0.5)))
	same(t, "the old text after the promotion", 0, len(validAt(b, "wombat", 2)))
}

func stepUndone(t *testing.T, b *db) {
	for _, deleteFirst := range []bool{true, false} {
		b := b.h.brain(t)
		m := Memory("a numbat")
		b.put(m)
		was, _ := promote(b, m, 1)
		b.update(func(tx brain.Tx) error {
			if deleteFirst {
				return errors.Join(tx.DeleteNodes(was.ID), tx.PutMemories(m))
			}
			return errors.Join(tx.PutMemories(m), tx.DeleteNodes(was.ID))
		})
		for range 2 {
			same(t, "hits", []string{m.ID}, b.find("numbat"))
			same(t, "hits at an instant", []string{m.ID}, validAt(b, "numbat", 9))
			promote(b, m, 2)
		}
	}
}

func stepForgotten(t *testing.T, b *db) {
	for gone := range 3 {
		b := b.h.brain(t)
		m := Memory("a potoroo")
		b.put(m)
		first, m := promote(b, m, 1)
		second, m := promote(b, m, 2)
		chain := []string{first.ID, second.ID, m.ID}
		b.deleteMemories(chain[gone])
		for i, id := range chain {
			want := []string{id}
			if i == gone {
				want = nil
			}
			same(t, "hits at an instant", want, validAt(b, "potoroo", float64(i)+0.5))
			if i == 2 {
				same(t, "hits now", want, b.find("potoroo"))
			}
		}
	}
}

func stepChain(t *testing.T, b *db) {
	a, m := promoted(Memory("a bilby"), 1)
	m, c := promoted(m, 2)
	for _, order := range [][]brain.Memory{{a, m, c}, {c, m, a}, {m, c, a}, {c, a, m}} {
		b := b.h.brain(t)
		for _, one := range order {
			b.put(one)
		}
		b.put(order...)
		for _, b := range []*db{b, b.again()} {
			same(t, "hits now", []string{c.ID}, b.find("bilby"))
			for at, want := range map[float64][]string{-1: nil, 0: {a.ID}, 0.999: {a.ID}, 1: {m.ID}, 1.999: {m.ID}, 2: {c.ID}, 1000: {c.ID}} {
				same(t, "hits at an instant", want, validAt(b, "bilby", at))
			}
		}
	}
}

func stepOtherText(t *testing.T, b *db) {
	m := Memory("a quoll")
	b.put(m)
	was, now := promoted(m, 1)
	now.Tags = []string{"tasmania"}
	b.put(now, was)
	same(t, "by the text of both", []string{m.ID}, b.find("quoll"))
	same(t, "by its own tag", []string{m.ID}, b.find("tasmania"))
	same(t, "what it was by its present tag", 0, len(validAt(b, "tasmania", 0.5)))
	same(t, "what it was by its text", []string{was.ID}, validAt(b, "quoll", 0.5))
}

// validAt searches for what was valid so many hours after Start.
func validAt(b *db, query string, at float64) []string {
	b.t.Helper()
	return hitIDs(b.search(brain.SearchQuery{Words: words.Parse(query), AsOf: Hours(at), NoSections: true}))
}
