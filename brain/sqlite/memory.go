package sqlite

import (
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

var memories = sync.OnceValue(func() table[brain.Memory] {
	return newTable("memory", (*brain.Memory).Fields)
})

// memoriesByID returns memories with their docs, in the order of the ids.
func memoriesByID() string {
	return "SELECT " + memories().selected + ", m.doc FROM json_each(?1) j CROSS JOIN memory m ON m.brain = ?2 AND m.id = j.value"
}

// Memories reads memories with their docs. An Update remembers them.
func (t *tx) Memories(ids ...string) ([]brain.Memory, error) {
	dest := func(s *stored) []any { return append(memories().dest(t)(&s.Memory), &s.doc) }
	found, err := byKeys(t, dest, memoriesByID(), ids)
	if t.changes != nil && err == nil {
		for _, id := range ids {
			if _, known := t.changes.known[id]; !known {
				t.changes.known[id] = false
			}
		}
		for _, s := range found {
			t.changes.remember(s.Memory, s.doc)
		}
	}
	return brain.Map(found, func(s stored) brain.Memory { return s.Memory }), err
}

const matchingQuery = `SELECT id FROM memory WHERE brain = ?1 AND id >= ?2 AND id < ?3
	UNION SELECT id FROM source WHERE brain = ?1 AND id >= ?2 AND id < ?3
	UNION SELECT id FROM section WHERE brain = ?1 AND id >= ?2 AND id < ?3
	UNION SELECT id FROM record WHERE brain = ?1 AND kind = 'Run' AND id >= ?2 AND id < ?3
	UNION SELECT id FROM record WHERE brain = ?1 AND kind = 'Redirect' AND id >= ?2 AND id < ?3
	ORDER BY id LIMIT +?4`

func (t *tx) Matching(limit int, prefixes ...string) ([]string, error) {
	var all []string
	for _, prefix := range prefixes {
		ids, err := collect(t, text, matchingQuery, t.s.brain, prefix, prefix+"\U0010FFFF", limit)
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// isCurrent is [brain.Memory.Current] in SQL, word for word as in the indexes.
// With IN, SQLite would build a table of the tiers for each row that it writes
// to an index.
const isCurrent = `(m.tier = 'working' OR m.tier = 'shortTerm' OR m.tier = 'longTerm' OR m.tier = 'core' OR m.tier = 'expired')`

// putMemory is long and run often: it is rendered once.
var putMemory = sync.OnceValue(func() string { return memories().upsert("brain, id", "doc", "fresh_group", "fresh", "text_key") })

func (t *tx) PutMemories(ms ...brain.Memory) error {
	t.lookUp(brain.IDs(ms))
	if err := memories().giveWay(t, "entity_key", brain.Map(ms, func(m brain.Memory) string { return m.EntityKey }), brain.IDs(ms)); err != nil {
		return err
	}
	for _, m := range brain.ReleasingFirst(ms) {
		doc := t.docFor(&m)
		t.changes.replace(m, doc)
		group, fresh := m.Freshness()
		values := append([]any{t.s.brain, doc, string(group), boundValue(&fresh), m.TextKey()}, memories().values(t, &m)...)
		t.exec(putMemory(), values...)
	}
	return t.changes.failed
}

// lookUp reads the memories with these ids that the transaction has neither read
// nor written.
func (t *tx) lookUp(ids []string) {
	unknown := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, known := t.changes.known[id]
		return known
	})
	_, _ = t.Memories(unknown...) // fail keeps the error
	for _, id := range ids {
		t.changes.recount = t.changes.recount || t.unreadable[id] != nil
	}
}

func (t *tx) PutLives(ms ...brain.Memory) error {
	t.lookUp(brain.IDs(ms))
	for _, m := range brain.ReleasingFirst(ms) {
		old, exists := t.changes.memories[m.ID]
		if !exists {
			continue
		}
		now := old.Memory
		now.SetLife(&m)
		if old.Current() != now.Current() {
			t.changes.docs[old.doc] = true
		}
		t.changes.replace(now, old.doc)
		fields := changedFields(lifeOf(&old.Memory), lifeOf(&now))
		if len(fields) == 0 {
			continue
		}
		sum := checksumOf(&t.buf, t.s.brain, now.Fields())
		fields = append(fields, brain.Field{Name: "checksum", At: &sum})
		query := "UPDATE memory SET " + strings.Join(columnsOf(fields), " = ?, ") + " = ? WHERE brain = ? AND id = ?"
		t.exec(query, append(bound(fields), t.s.brain, m.ID)...)
	}
	return t.changes.failed
}

// lifeOf returns the fields of a life, and the freshness, which follows from it.
func lifeOf(m *brain.Memory) []brain.Field {
	_, fresh := m.Freshness()
	return append(m.LifeFields(), brain.Field{Name: "fresh", At: &fresh})
}

// changedFields returns those with another value than before. Only they are
// written: SQLite updates every index with a column in the SET of an UPDATE,
// changed or not.
func changedFields(before, now []brain.Field) (changed []brain.Field) {
	for i, f := range now {
		if boundValue(before[i].At) != boundValue(f.At) {
			changed = append(changed, f)
		}
	}
	return changed
}
