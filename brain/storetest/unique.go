package storetest

import (
	"errors"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func uniqueCases() []testCase {
	return []testCase{
		{"entities are found by key in the order asked", entityOrder},
		{"all real entities are found, and nothing else", allEntities},
		{"a taken entity key is a conflict", entityConflict},
		{"a life cannot take a taken entity key", entityLifeConflict},
		{"an entity key that was given up can be taken", entityHandOver},
		{"a taken outcome key is a conflict", outcomeConflict},
		{"an outcome key that was given up can be taken", outcomeHandOver},
		{"a taken section key is a conflict", sectionConflict},
		{"nodes without a key are no conflict", noKeyNoConflict},
		{"a conflict inside one call is a conflict", conflictInOneCall},
	}
}

func entities(b *db, keys ...string) []string {
	b.t.Helper()
	return brain.IDs(ask(b, brain.Reader.MemoriesByEntity, keys...))
}

func entityOrder(t *testing.T, h harness) {
	b := h.brain(t)
	ms := []brain.Memory{
		Memory("1", Entity("one")), Memory("2", Entity("two")), Memory("3", Entity("three")),
		Memory("no entity"),
	}
	ms[1].Tier = tiers.Expired
	b.put(ms...)
	got := entities(b, Hash("three"), Hash("missing"), Hash("one"), Hash("two"))
	same(t, "entities", []string{ms[2].ID, ms[0].ID, ms[1].ID}, got)
	same(t, "entities without keys", 0, len(entities(b)))
}

func allEntities(t *testing.T, h harness) {
	b := h.brain(t)
	ms := []brain.Memory{
		Memory("1", Entity("one")), Memory("2", Entity("two"), InTier(tiers.Expired)),
		Memory("no entity"), Memory("3", Entity("three")),
	}
	b.put(ms...)
	gone := ms[3]
	gone.EntityKey, gone.Tier = "", tiers.Superseded
	b.putLives(gone)
	same(t, "entities", sorted(ms[0].ID, ms[1].ID), sorted(brain.IDs(view(b, brain.Reader.Entities))...))
}

// conflict runs fn after storing other and expects ErrConflict and that
// nothing of the transaction is stored.
func conflict(b *db, fn func(brain.Tx) error) {
	b.t.Helper()
	m, r := Memory("rolled back"), Record(brain.RunRecord, "", "", Start)
	err := b.Update(b.ctx(), func(tx brain.Tx) error {
		if err := errors.Join(tx.PutMemories(m), tx.PutRecords(r)); err != nil {
			return err
		}
		return fn(tx)
	})
	fails(b.t, "error", err, brain.ErrConflict)
	same(b.t, "memories of the failed transaction", 0, len(b.memories(m.ID)))
	same(b.t, "records of the failed transaction", 0, len(b.records(r.Kind, r.ID)))
	same(b.t, "hits of the failed transaction", 0, len(b.find("rolled back")))
}

func entityConflict(t *testing.T, h harness) {
	b := h.brain(t)
	first, second := Memory("first", Entity("same")), Memory("second", Entity("same"))
	b.put(first)
	conflict(b, func(tx brain.Tx) error { return tx.PutMemories(second) })
	same(t, "entity", []string{first.ID}, entities(b, Hash("same")))
	same(t, "the second one", 0, len(b.memories(second.ID)))
	b.put(first) // its own key is not a conflict
}

func entityLifeConflict(t *testing.T, h harness) {
	b := h.brain(t)
	first, second := Memory("first", Entity("one")), Memory("second", Entity("two"))
	b.put(first, second)
	taken := second
	taken.EntityKey = first.EntityKey
	conflict(b, func(tx brain.Tx) error { return tx.PutLives(taken) })
	same(t, "the second one", second, b.memory(second.ID))
}

func entityHandOver(t *testing.T, h harness) {
	b := h.brain(t)
	old := Memory("old", Entity("subject"))
	b.put(old)
	archived, successor := old, Memory("new", Entity("subject"))
	archived.EntityKey, archived.Tier, archived.ValidTo = "", tiers.Superseded, Hours(1)
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.PutLives(archived), tx.PutMemories(successor))
	})
	same(t, "entity", []string{successor.ID}, entities(b, Hash("subject")))
	b.deleteMemories(successor.ID)
	b.putLives(old)
	same(t, "entity after going back", []string{old.ID}, entities(b, Hash("subject")))
}

func outcomeConflict(t *testing.T, h harness) {
	b := h.brain(t)
	first, second := Source(brain.Outcome), Source(brain.Outcome)
	second.Key = first.Key
	b.putSources(first)
	conflict(b, func(tx brain.Tx) error { return tx.PutSources(second) })
	same(t, "the second one", 0, len(b.sources(second.ID)))
	same(t, "the first one", []brain.Source{first}, b.sources(first.ID))
}

// outcomeHandOver swaps the keys of two outcomes in one transaction, and gives
// that of a third to one that is new.
func outcomeHandOver(t *testing.T, h harness) {
	b := h.brain(t)
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
	holders := ask(b, brain.Reader.SourcesByKey, one.Key, two.Key, three.Key)
	same(t, "holders of the keys", []string{two.ID, one.ID, fresh.ID}, sourceIDs(holders))
}

func sectionConflict(t *testing.T, h harness) {
	b := h.brain(t)
	first, second := Section("d", "f", 1, "first"), Section("d", "f", 2, "second")
	second.Key = first.Key
	b.putSections(first)
	conflict(b, func(tx brain.Tx) error { return tx.PutSections(second) })
	same(t, "the second one", 0, len(b.sections(second.ID)))
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.DeleteSections(first.ID), tx.PutSections(second))
	})
	same(t, "the second one once the first is gone", []brain.Section{second}, b.sections(second.ID))
}

func noKeyNoConflict(t *testing.T, h harness) {
	b := h.brain(t)
	ms := Memories(3, "no entity")
	ss := []brain.Source{Source(brain.Outcome), Source(brain.Outcome), Source(brain.Learning)}
	for i := range ss {
		ss[i].Key = ""
	}
	b.put(ms...)
	b.putSources(ss...)
	same(t, "memories", brain.IDs(ms), brain.IDs(b.memories(brain.IDs(ms)...)))
	same(t, "sources", ss, b.sources(sourceIDs(ss)...))
	same(t, "memories of the empty key", 0, len(entities(b, "")))
}

func conflictInOneCall(t *testing.T, h harness) {
	b := h.brain(t)
	conflict(b, func(tx brain.Tx) error {
		return tx.PutMemories(Memory("a", Entity("twin")), Memory("b", Entity("twin")))
	})
	same(t, "entity", 0, len(entities(b, Hash("twin"))))
}
