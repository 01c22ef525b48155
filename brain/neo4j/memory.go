package neo4j

import (
	"cmp"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const memoryLabel = "Memory"

// entitySubject makes a write that takes the key of an entity wait for pending
// writes of memories, one of which may give that key up.
const entitySubject = "entities"

func memories() kind[brain.Memory] {
	return kind[brain.Memory]{memoryLabel, func(m *brain.Memory) string { return m.ID }, (*brain.Memory).Fields}
}

func (t *tx) Memories(ids ...string) ([]brain.Memory, error) {
	ms, err := byLabel(t, memories(), ids)
	if t.write {
		for _, m := range ms {
			t.memories[m.ID] = m
		}
	}
	return ms, err
}

const byEntity = "UNWIND $ids AS key MATCH (n:Memory {brain: $brain, entityKey: key}) RETURN n.packed"

func (t *tx) MemoriesByEntity(keys ...string) ([]brain.Memory, error) {
	return by(t, memories(), byEntity, lookupKeys(keys), nil, func(m *brain.Memory) string { return hashKey(m.EntityKey) })
}

const allEntities = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, entityKey)
  WHERE n.brain = $brain AND n.entityKey IS NOT NULL RETURN n.packed`

func (t *tx) Entities() ([]brain.Memory, error) {
	return fetch(t, memories(), allEntities, nil, memories().anyRow)
}

const byName = `UNWIND $ids AS key CALL (key) {
  MATCH (n:Memory) WHERE n.brain = $brain AND n.nameKey = key AND n.tier IN $current
  RETURN n ORDER BY n.entityKey IS NULL, n.created DESC, n.id LIMIT $limit
} RETURN n.packed`

func (t *tx) MemoriesByName(keys []string, limit int) ([]brain.Memory, error) {
	params := map[string]any{"limit": limit, "current": tierNames(tiers.Tier.Current)}
	return by(t, memories(), byName, lookupKeys(keys), params, func(m *brain.Memory) string { return hashKey(m.NameKey) })
}

const byText = `UNWIND range(0, size($ids) - 1) AS no CALL (no) {
  MATCH (n:Memory) WHERE n.brain = $brain AND n.textKey = $ids[no] AND n.tier IN $current RETURN n
} RETURN n.packed ORDER BY no, n.created, n.id`

// lockTexts locks the node of the brain, which stands for all its texts: one that is not stored
// has no node to lock.
const lockTexts = "MATCH (b:BrainbridgeBrain {name: $brain}) SET b._lock = true REMOVE b._lock WITH b "

func (t *tx) MemoriesByText(keys ...string) ([]brain.Memory, error) {
	cypher := byText
	if t.write {
		cypher = lockTexts + byText
	}
	params := map[string]any{"current": tierNames(tiers.Tier.Current)}
	return by(t, memories(), cypher, lookupKeys(keys), params, func(m *brain.Memory) string { return hashKey(m.TextKey()) })
}

func matching() string {
	const some = " AND n.id STARTS WITH prefix RETURN n.id AS id ORDER BY n.brain, "
	return "UNWIND $prefixes AS prefix CALL (prefix) {\nCALL (prefix) {\n" + eachLabel("UNION ALL", "MATCH (n:LABEL) WHERE n.brain = $brain"+some+"n.id LIMIT $limit") + `
UNION ALL
MATCH (n:Record) WHERE n.brain = $brain AND n.recordKind = 'Run'` + some + `n.recordKind, n.id LIMIT $limit
UNION ALL
MATCH (n:Record) WHERE n.brain = $brain AND n.recordKind = 'Redirect'` + some + `n.recordKind, n.id LIMIT $limit
} RETURN DISTINCT id ORDER BY id LIMIT $limit
} RETURN DISTINCT id`
}

func (t *tx) Matching(limit int, prefixes ...string) ([]string, error) {
	if len(prefixes) == 0 {
		return nil, nil
	}
	ids, err := t.ids(matching(), map[string]any{"prefixes": prefixes, "limit": limit})
	slices.Sort(ids)
	return ids, err
}

func (t *tx) PutMemories(ms ...brain.Memory) error {
	return putAll(t, setMemories, brain.ReleasingFirst(ms), func(m *brain.Memory) (newNode, error) {
		t.memories[m.ID] = *m
		return t.store.vocabulary.memoryNode(m)
	})
}

const putLives = "UNWIND $rows AS row MATCH (n:Memory {brain: $brain, id: row.id}) USING INDEX SEEK n:Memory(brain, id)"

func (t *tx) PutLives(ms ...brain.Memory) error {
	if err := t.lookForMemories(ms); err != nil {
		return err
	}
	for _, m := range brain.ReleasingFirst(ms) {
		stored, exists := t.memories[m.ID]
		if !exists {
			continue
		}
		before := stored.Tier
		stored.SetLife(&m)
		node, err := t.store.vocabulary.lifeProps(&stored, before)
		if err != nil {
			return err
		}
		cypher := putLives + " SET n += row"
		if t.store.vocabulary.field(before) != t.store.vocabulary.field(m.Tier) {
			cypher = putLives + keepLength + " SET n += row" + tallied
		}
		r := row{cypher: cypher, values: map[string]any(node), own: nodeRef{memoryLabel, m.ID}.subject()}
		if m.EntityKey != "" {
			r.waits = []string{entitySubject}
		}
		t.enqueue(setLives, r)
		t.memories[m.ID] = stored
	}
	return t.failure()
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

func (t *tx) DeleteMemories(ids ...string) error {
	return t.dropLabelled(dropMemories, memoryLabel, ids)
}

// memoryNode returns a memory with all its properties.
func (v vocabulary) memoryNode(m *brain.Memory) (newNode, error) {
	p, err := v.lifeProps(m, m.Tier)
	maps.Copy(p, propertiesOf(m.IdentityFields()))
	delete(p, "root") // only packed
	p["textKey"] = lookupKey(m.TextKey())
	p["nameKey"], p["projectKey"], p["typeKey"] = lookupKey(m.NameKey), groupKey(m.Project), groupKey(m.MemoryType)
	v.index(p, v.field(m.Tier), m.Indexed())
	n := labelled(m.ID, p, memoryLabel)
	n.also, n.others = setWritten, []string{entitySubject}
	return n, cmp.Or(err, checkKeys("memory", m.ID))
}

// lifeProps returns the properties that change with the life of a memory; before is
// the tier that it was in. nil removes a property.
func (v vocabulary) lifeProps(m *brain.Memory, before tiers.Tier) (props, error) {
	p := propertiesOf(m.LifeFields())
	p["id"], p["entityKey"], p["groupKey"], p["strength"] = m.ID, lookupKey(m.EntityKey), lookupKey(m.Group), strength(m)
	p["fresh"] = text(freshness(m))
	if was, is := v.field(before), v.field(m.Tier); was != is {
		p[was], p["length"] = nil, nil
		v.index(p, is, m.Indexed())
	}
	var err error
	p[packedKey], err = pack(m.Fields())
	return p, err
}
