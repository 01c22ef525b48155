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

// promoted returns what the promotion of m at so many hours writes: the
// archived original and the new memory.
func promoted(m brain.Memory, at float64) (old, moved brain.Memory) {
	old, moved = m, m
	old.Tier, _ = m.Tier.Archived()
	old.ValidTo, old.EntityKey = Hours(at), ""
	moved.ID, moved.PromotedFrom, moved.ValidFrom = NewID(), m.ID, Hours(at)
	moved.Tier, _ = m.Tier.Next()
	return old, moved
}

func promote(b *db, m brain.Memory, at float64, oldFirst bool) (old, moved brain.Memory) {
	b.t.Helper()
	old, moved = promoted(m, at)
	b.update(func(tx brain.Tx) error {
		var first error
		if oldFirst {
			first = tx.PutLives(old)
		}
		return errors.Join(first, tx.PutMemories(moved), tx.PutLives(old),
			tx.PutRelations(brain.Relation{From: old.ID, Type: brain.PromotedTo, To: moved.ID}))
	})
	return old, moved
}

func stepPromoted(t *testing.T, b *db) {
	for _, oldFirst := range []bool{true, false} {
		b := b.h.brain(t)
		m := Memory("a wombat", func(m *brain.Memory) { m.Name, m.Tags = "digger", []string{"marsupial"} })
		b.put(m)
		old, moved := promote(b, m, 1, oldFirst)
		for range 2 {
			for _, query := range []string{"wombat", "digger", "marsupial", `"a wombat"`} {
				same(t, query, []string{moved.ID}, b.find(query))
			}
			moved.RecallCount++
			b.putLives(moved) // and again after a touch
		}
		moved.Content, moved.Version = "a kookaburra", 2
		b.put(moved)
		same(t, "the new text", []string{moved.ID}, b.find("kookaburra"))
		same(t, "the old text", 0, len(b.find("wombat")))
		same(t, "the old text before the promotion", []string{old.ID}, validAt(b, "wombat", 0.5))
		same(t, "the new text before the promotion", 0, len(validAt(b, "kookaburra", 0.5)))
		same(t, "the old text after the promotion", 0, len(validAt(b, "wombat", 2)))
	}
}

func stepUndone(t *testing.T, b *db) {
	for _, deleteFirst := range []bool{true, false} {
		b := b.h.brain(t)
		m := Memory("a numbat")
		b.put(m)
		_, moved := promote(b, m, 1, true)
		b.update(func(tx brain.Tx) error {
			if deleteFirst {
				return errors.Join(tx.DeleteNodes(moved.ID), tx.PutLives(m))
			}
			return errors.Join(tx.PutLives(m), tx.DeleteNodes(moved.ID))
		})
		same(t, "hits", []string{m.ID}, b.find("numbat"))
		same(t, "hits at an instant", []string{m.ID}, validAt(b, "numbat", 9))
		_, again := promote(b, m, 2, true)
		same(t, "hits once it is promoted again", []string{again.ID}, b.find("numbat"))
	}
}

func stepForgotten(t *testing.T, b *db) {
	for gone := range 3 {
		b := b.h.brain(t)
		a := Memory("a potoroo")
		b.put(a)
		a, m := promote(b, a, 1, true)
		m, c := promote(b, m, 2, true)
		chain := []string{a.ID, m.ID, c.ID}
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
	a := Memory("a bilby")
	a, m := promoted(a, 1)
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
	a := Memory("a quoll")
	b.put(a)
	old, moved := promoted(a, 1)
	moved.Tags = []string{"tasmania"}
	b.put(moved, old)
	same(t, "by the text of both", []string{moved.ID}, b.find("quoll"))
	same(t, "by its own tag", []string{moved.ID}, b.find("tasmania"))
	same(t, "the original by the copy's tag", 0, len(validAt(b, "tasmania", 0.5)))
	same(t, "the original by its text", []string{old.ID}, validAt(b, "quoll", 0.5))
	orphan := Memory("a different quoll", func(m *brain.Memory) { m.PromotedFrom = "missing" })
	b.put(orphan)
	same(t, "one whose original is not there", []string{orphan.ID}, b.find("different"))
}

// validAt searches for what was valid so many hours after Start.
func validAt(b *db, query string, at float64) []string {
	b.t.Helper()
	return hitIDs(b.search(brain.SearchQuery{Words: words.Parse(query), AsOf: Hours(at), NoSections: true}))
}
