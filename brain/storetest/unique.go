package storetest

import (
	"errors"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func uniqueCases() []testCase {
	return []testCase{
		{"a taken key is a conflict and nothing is stored", keyConflicts},
		{"a key that was given up can be taken", keyHandOver},
		{"outcome keys change hands in one transaction", outcomeHandOver},
		{"nodes without a key are no conflict", noKeyNoConflict},
	}
}

// keyConflicts stores nodes of each kind and lets others take their keys.
func keyConflicts(t *testing.T, b *db) {
	one, two := Memory("first", Entity("one")), Memory("second", Entity("two"))
	outcome, section := Source(brain.Outcome), Section("d", "f", 1, "first")
	put := func(tx brain.Tx) error {
		return errors.Join(tx.PutMemories(one, two), tx.PutSources(outcome), tx.PutSections(section))
	}
	b.update(put)
	b.update(put) // its own key is not a conflict
	want := dump(b)
	taken, otherOutcome, otherSection := two, Source(brain.Outcome), Section("d", "f", 2, "rolled back")
	taken.EntityKey, otherOutcome.Key, otherSection.Key = one.EntityKey, outcome.Key, section.Key
	for what, fn := range map[string]func(brain.Tx) error{
		"a new entity":   func(tx brain.Tx) error { return tx.PutMemories(Memory("rolled back", Entity("one"))) },
		"another entity": func(tx brain.Tx) error { return tx.PutMemories(taken) },
		"a life":         func(tx brain.Tx) error { return tx.PutLives(taken) },
		"an outcome":     func(tx brain.Tx) error { return tx.PutSources(otherOutcome) },
		"a section":      func(tx brain.Tx) error { return tx.PutSections(otherSection) },
		"two in one call": func(tx brain.Tx) error {
			return tx.PutMemories(Memory("a", Entity("twin")), Memory("b", Entity("twin")))
		},
	} {
		err := b.Update(b.ctx(), func(tx brain.Tx) error {
			err := errors.Join(tx.PutMemories(Memory("rolled back")), tx.PutRecords(Record(brain.RunRecord, "", "", Start)))
			if err != nil {
				return err
			}
			return fn(tx)
		})
		fails(t, what, err, brain.ErrConflict)
		same(t, "the brain after "+what, want, dump(b))
	}
	same(t, "hits of failed transactions", 0, len(b.find("rolled")))
}

func keyHandOver(t *testing.T, b *db) {
	old := Memory("old", Entity("subject"))
	b.put(old)
	archived, successor := old, Memory("new", Entity("subject"))
	archived.EntityKey, archived.Tier, archived.ValidTo = "", tiers.Superseded, Hours(1)
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.PutLives(archived), tx.PutMemories(successor))
	})
	same(t, "entity", []string{successor.ID}, b.by(brain.ByEntity, Hash("subject")))
	b.deleteMemories(successor.ID)
	b.putLives(old)
	same(t, "entity after going back", []string{old.ID}, b.by(brain.ByEntity, Hash("subject")))
	b.put(Memory("old without its key", func(m *brain.Memory) { m.ID = old.ID }))
	same(t, "entity after it was replaced", 0, len(b.by(brain.ByEntity, Hash("subject"))))
	one, two := Section("d", "f", 1, "first"), Section("d", "f", 2, "second")
	two.Key = one.Key
	b.putSections(one)
	b.update(func(tx brain.Tx) error { return errors.Join(tx.DeleteNodes(one.ID), tx.PutSections(two)) })
	same(t, "the section that took the key", []brain.Section{two}, b.sections(two.ID))
}

// outcomeHandOver swaps the keys of two outcomes in one transaction, and gives
// that of a third to one that is new.
func outcomeHandOver(t *testing.T, b *db) {
	one, two, three, fresh := Source(brain.Outcome), Source(brain.Outcome), Source(brain.Outcome), Source(brain.Outcome)
	b.putSources(one, two, three)
	b.update(func(tx brain.Tx) error {
		held, err := tx.Sources(one.ID, two.ID, three.ID)
		if err != nil || len(held) < 3 {
			return err
		}
		for i := range held {
			held[i].Key += " released"
		}
		if err := tx.PutSources(held...); err != nil {
			return err
		}
		fresh.Key, held[0].Key, held[1].Key = three.Key, two.Key, one.Key
		return tx.PutSources(fresh, held[0], held[1])
	})
	holders := map[string]string{}
	for _, s := range b.outcomes(brain.SourceFilter{By: brain.ByKey, Keys: []string{one.Key, two.Key, three.Key}}) {
		holders[s.Key] = s.ID
	}
	same(t, "holders of the keys", map[string]string{one.Key: two.ID, two.Key: one.ID, three.Key: fresh.ID}, holders)
}

func noKeyNoConflict(t *testing.T, b *db) {
	ms := Memories(3, "no entity")
	ss := []brain.Source{Source(brain.Outcome), Source(brain.Outcome), Source(brain.Learning)}
	for i := range ss {
		ss[i].Key = ""
	}
	b.put(ms...)
	b.putSources(ss...)
	same(t, "memories", ms, b.memories(brain.IDs(ms)...))
	same(t, "sources", ss, b.sources(sourceIDs(ss)...))
	same(t, "memories of the empty key", 0, len(b.by(brain.ByEntity, "")))
}
