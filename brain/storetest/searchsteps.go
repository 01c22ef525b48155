package storetest

import (
	"errors"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func searchStepCases() []testCase {
	return []testCase{
		{"new text is found and old text is not", stepMemory},
		{"new text of a section is found and old text is not", stepSection},
		{"what is deleted is not found", stepDeleted},
		{"a change of the same text changes no hit", stepSameText},
		{"a promoted memory is found in place of the original", stepPromoted},
		{"undoing a promotion finds the original again", stepUndone},
		{"deleting one of a chain leaves the others", stepForgotten},
		{"changing the promoted text leaves the original's", stepPromotedChange},
		{"the original may be stored after the promoted one", stepRestored},
		{"a copy with another text is found by its own", stepOtherText},
	}
}

func stepMemory(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("oldcontent stays", func(m *brain.Memory) { m.Name, m.Tags = "oldname", []string{"oldtag"} })
	b.put(m)
	m.Content, m.Name, m.Tags = "newcontent stays", "newname", []string{"newtag"}
	b.put(m)
	for _, query := range []string{"newcontent", "newname", "newtag", "stays"} {
		same(t, query, []string{m.ID}, b.find(query))
	}
	for _, query := range []string{"oldcontent", "oldname", "oldtag", `"oldcontent stays"`} {
		same(t, query, 0, len(b.find(query)))
	}
}

func stepSection(t *testing.T, h harness) {
	b := h.brain(t)
	s := Section("d", "f", 1, "oldtext")
	s.Heading = "oldheading"
	b.putSections(s)
	s.Text, s.Heading = "newtext", "newheading"
	b.putSections(s)
	for query, want := range map[string]int{"newtext": 1, "newheading": 1, "oldtext": 0, "oldheading": 0} {
		same(t, query, want, len(b.find(query)))
	}
	b.update(func(tx brain.Tx) error { return tx.DeleteSections(s.ID) })
	same(t, "after deleting", 0, len(b.find("newtext newheading")))
}

func stepDeleted(t *testing.T, h harness) {
	b := h.brain(t)
	ms := Memories(3, "a dugong")
	b.put(ms...)
	b.deleteMemories(ms[0].ID, ms[2].ID)
	same(t, "hits", []string{ms[1].ID}, b.find("dugong"))
	same(t, "hits at an instant", []string{ms[1].ID}, validAt(b, "dugong", 0))
}

func stepSameText(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("a single gazelle")
	for range 4 {
		m.Version++
		b.put(m)
	}
	same(t, "hits", []string{m.ID}, b.find("gazelle"))
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
	steps := []func(brain.Tx) error{
		func(tx brain.Tx) error { return tx.PutMemories(moved) },
		func(tx brain.Tx) error { return tx.PutLives(old) },
	}
	if oldFirst {
		steps[0], steps[1] = steps[1], steps[0]
	}
	b.update(func(tx brain.Tx) error {
		for _, step := range steps {
			if err := step(tx); err != nil {
				return err
			}
		}
		return tx.PutRelations(brain.Relation{From: old.ID, Type: brain.PromotedTo, To: moved.ID})
	})
	return old, moved
}

func stepPromoted(t *testing.T, h harness) {
	for _, oldFirst := range []bool{true, false} {
		b := h.brain(t)
		m := Memory("a wombat", func(m *brain.Memory) { m.Name, m.Tags = "digger", []string{"marsupial"} })
		b.put(m)
		old, moved := promote(b, m, 1, oldFirst)
		for _, query := range []string{"wombat", "digger", "marsupial", `"a wombat"`} {
			same(t, query, []string{moved.ID}, b.find(query))
		}
		same(t, "before the promotion", []string{old.ID}, validAt(b, "wombat", 0.5))
		same(t, "after the promotion", []string{moved.ID}, validAt(b, "wombat", 1))
		moved.RecallCount++
		b.putLives(moved)
		same(t, "after a touch", []string{moved.ID}, b.find("wombat"))
	}
}

func stepUndone(t *testing.T, h harness) {
	for _, deleteFirst := range []bool{true, false} {
		b := h.brain(t)
		m := Memory("a numbat")
		b.put(m)
		_, moved := promote(b, m, 1, true)
		b.update(func(tx brain.Tx) error {
			if deleteFirst {
				return errors.Join(tx.DeleteMemories(moved.ID), tx.PutLives(m))
			}
			return errors.Join(tx.PutLives(m), tx.DeleteMemories(moved.ID))
		})
		same(t, "hits", []string{m.ID}, b.find("numbat"))
		same(t, "hits at an instant", []string{m.ID}, validAt(b, "numbat", 9))
		_, again := promote(b, m, 2, true)
		same(t, "hits once it is promoted again", []string{again.ID}, b.find("numbat"))
	}
}

func stepForgotten(t *testing.T, h harness) {
	for gone := range 3 {
		b := h.brain(t)
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
		}
		want := []string{c.ID}
		if gone == 2 {
			want = nil
		}
		same(t, "hits now", want, b.find("potoroo"))
	}
}

func stepPromotedChange(t *testing.T, h harness) {
	b := h.brain(t)
	a := Memory("an echidna")
	b.put(a)
	a, m := promote(b, a, 1, true)
	m.Content, m.Version = "a kookaburra", 2
	b.put(m)
	same(t, "the new text", []string{m.ID}, b.find("kookaburra"))
	same(t, "the old text", 0, len(b.find("echidna")))
	same(t, "the old text at an instant before", []string{a.ID}, validAt(b, "echidna", 0.5))
	same(t, "the new text at an instant before", 0, len(validAt(b, "kookaburra", 0.5)))
	same(t, "the old text at an instant after", 0, len(validAt(b, "echidna", 2)))
}

func stepRestored(t *testing.T, h harness) {
	b := h.brain(t)
	a := Memory("a bilby")
	a, m := promoted(a, 1)
	m, c := promoted(m, 2)
	for _, order := range [][]brain.Memory{{c, m, a}, {m, c, a}, {c, a, m}} {
		b := b.h.brain(t)
		for _, one := range order {
			b.put(one)
		}
		b.put(order...)
		same(t, "hits now", []string{c.ID}, b.find("bilby"))
		for i, id := range []string{a.ID, m.ID, c.ID} {
			same(t, "hits at an instant", []string{id}, validAt(b, "bilby", float64(i)+0.5))
		}
	}
}

func stepOtherText(t *testing.T, h harness) {
	b := h.brain(t)
	a := Memory("a quoll")
	b.put(a)
	old, moved := promoted(a, 1)
	moved.Tags = []string{"tasmania"}
	b.put(moved, old)
	same(t, "by the text of both", []string{moved.ID}, b.find("quoll"))
	same(t, "by its own tag", []string{moved.ID}, b.find("tasmania"))
	same(t, "the original by the copy's tag", 0, len(validAt(b, "tasmania", 0.5)))
	same(t, "the original by its text", []string{old.ID}, validAt(b, "quoll", 0.5))
	merged := Memory("a different quoll", func(m *brain.Memory) { m.PromotedFrom = "missing" })
	merged.Tier = tiers.LongTerm
	b.put(merged)
	same(t, "one whose original is not there", merged.ID, b.find("different")[0])
}

// validAt searches for what was valid so many hours after Start.
func validAt(b *db, query string, at float64) []string {
	b.t.Helper()
	return hitIDs(b.search(brain.SearchQuery{Words: words.Parse(query), AsOf: Hours(at), NoSections: true}))
}
