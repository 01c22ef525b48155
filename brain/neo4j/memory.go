package neo4j

import (
	"errors"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

const memoryLabel = "Memory"

func memories() kind[brain.Memory] {
	k := kindOfNode(memoryLabel, func(m *brain.Memory) string { return m.ID }, (*brain.Memory).Fields)
	k.read = func(p props, m *brain.Memory) error {
		fields := m.Fields()
		if err := decode(p, fields); err != nil || p[packedKey] != nil {
			return err
		}
		if m.Created.IsZero() {
			return errors.New("its property created is missing")
		}
		if m.LastDecay.IsZero() { // as of a node that a person has made
			m.LastDecay = m.Created
		}
		return brain.CheckFields(fields)
	}
	return k
}

func (t *tx) Memories(ids ...string) ([]brain.Memory, error) {
	ms, err := byID(t, memories(), ids)
	if t.write {
		for _, m := range ms {
			t.memories[m.ID] = m
		}
	}
	return ms, err
}

// lockTexts locks the node of the brain, which stands for all its texts: one that is not stored
// has no node to lock.
const lockTexts = "MATCH (b:BrainbridgeBrain {name: $brain}) SET b._lock = true REMOVE b._lock WITH b "

func matching() string {
	const some = " AND n.id STARTS WITH prefix RETURN n.id AS id ORDER BY n.brain, "
	return "UNWIND $prefixes AS prefix CALL (prefix) {\nCALL (prefix) {\n" + eachLabel("UNION ALL", "MATCH (n:LABEL) WHERE n.brain = $brain"+some+"n.id LIMIT $limit") + `
UNION ALL
MATCH (n:Run) WHERE n.brain = $brain` + some + `n.id LIMIT $limit
UNION ALL
MATCH (n:Redirect) WHERE n.brain = $brain` + some + `n.id LIMIT $limit
} RETURN DISTINCT id ORDER BY id LIMIT $limit
} RETURN DISTINCT id`
}

func (t *tx) Matching(limit int, prefixes ...string) ([]string, error) {
	if len(prefixes) == 0 {
		return nil, nil
	}
	rows, err := t.query(matching(), map[string]any{"prefixes": prefixes, "limit": limit})
	return slices.Sorted(slices.Values(column[string](rows, 0))), err
}

func (t *tx) PutMemories(ms ...brain.Memory) error {
	return putAll(t, brain.ReleasingFirst(ms), func(m *brain.Memory) (newNode, error) {
		t.memories[m.ID] = *m
		delete(t.edited, m.ID)
		return t.store.memoryNode(m)
	}, replaceText, setWritten)
}

const putLives = "UNWIND $rows AS row MATCH (n:Memory {brain: $brain, id: row.id}) USING INDEX SEEK n:Memory(brain, id) SET n += row"

func (t *tx) PutLives(ms ...brain.Memory) error {
	if err := t.lookForMemories(ms); err != nil {
		return err
	}
	var rows []row
	for _, m := range brain.ReleasingFirst(ms) {
		stored, exists := t.memories[m.ID]
		if !exists {
			continue
		}
		before := stored.Tier
		stored.SetLife(&m)
		p := t.store.lifeProps(&stored)
		if then, edited := t.edited[m.ID]; edited { // its words and keys follow with the next run
			then[derivedLife] = derivedFrom(&stored)[derivedLife]
			p[derivedKey] = then.String()
		}
		if before.Current() != stored.Current() {
			maps.Copy(p, t.store.indexed(scopeKey, "length", stored.Current(), stored.Indexed()))
		}
		rows = append(rows, row{putLives, p})
		t.memories[m.ID] = stored
	}
	return t.enqueue(rows)
}

// lookForMemories reads and locks memories that this transaction has not read.
func (t *tx) lookForMemories(ms []brain.Memory) error {
	var unknown []string
	for _, m := range ms {
		exists, looked := t.known[nodeRef{memoryLabel, m.ID}]
		if _, read := t.memories[m.ID]; !read && (exists || !looked) {
			unknown = append(unknown, m.ID)
		}
	}
	_, err := t.Memories(unknown...)
	return err
}

// memoryNode returns a memory with all its properties.
func (s *Store) memoryNode(m *brain.Memory) (newNode, error) {
	p := s.lifeProps(m)
	maps.Copy(p, propertiesOf(m.IdentityFields()))
	p["textKey"], p[wordsKey] = text(m.TextKey()), indexedWords(m.Indexed())
	maps.Copy(p, s.indexed(scopeKey, "length", m.Current(), m.Indexed()))
	return labelled(m.ID, p, memoryLabel), checkKeys("memory", m.ID, m.NameKey, m.EntityKey, m.Group)
}

// lifeProps returns the properties that change with the life of a memory. nil removes a
// property.
func (s *Store) lifeProps(m *brain.Memory) props {
	p := propertiesOf(m.LifeFields())
	p["id"], p["lastsUntil"] = m.ID, milliseconds(lastsUntil(m))
	group, at := m.Freshness()
	p["freshGroup"], p["freshAt"] = string(group), instant(at)
	p[derivedKey] = derivedFrom(m).String()
	return p
}
