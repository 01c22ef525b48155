package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// The columns of memory: life is what PutLives writes, touched and settled
// together. SQLite updates every index with a column in the SET of an UPDATE,
// changed or not. A touch, the most frequent write, changes none of the settled
// columns, which are in most indexes.
const (
	touchedColumns = `energy, peak_energy, last_decay, base, base_at, expires_at, promote_due,
		session_count, access_count, recall_count, use_count, confirmations, last_accessed`
	settledColumns = `tier, expired_from, valid_from, valid_to, entity, helpful_count, not_helpful_count,
		last_used, entity_key, version, source_node_id, "group", position`
	lifeColumns = touchedColumns + ", " + settledColumns
	restColumns = `id, memory_type, project, agent, session_id, content_hash, root,
		created, promoted_from, retention, importance, severity, origin, applies_to,
		relevance_score, merged_from, consolidated_at, tags, observations, extra, name_key, name, content`
	memoryColumns = lifeColumns + ", " + restColumns
)

func touched(m *brain.Memory) []any {
	return []any{
		&m.Energy, &m.PeakEnergy,
		instant{&m.LastDecay},
		&m.Base,
		instant{&m.BaseAt},
		instant{&m.ExpiresAt},
		instant{&m.PromoteDue},
		&m.SessionCount, &m.AccessCount, &m.RecallCount, &m.UseCount, &m.Confirmations,
		instant{&m.LastAccessed},
	}
}

func settled(m *brain.Memory) []any {
	return []any{
		&m.Tier, &m.ExpiredFrom,
		instant{&m.ValidFrom},
		instant{&m.ValidTo},
		&m.Entity, &m.HelpfulCount, &m.NotHelpfulCount,
		instant{&m.LastUsed},
		key{&m.EntityKey},
		&m.Version, &m.SourceNodeID, &m.Group, &m.Position,
	}
}

func life(m *brain.Memory) []any { return append(touched(m), settled(m)...) }

// sameSettled reports whether two memories have the same settled columns.
func sameSettled(a, b *brain.Memory) bool {
	return slices.Equal(bound(settled(a)), bound(settled(b)))
}

func rest(m *brain.Memory) []any {
	return []any{
		&m.ID, &m.MemoryType, &m.Project, &m.Agent, &m.SessionID, &m.ContentHash, &m.Root,
		instant{&m.Created},
		&m.PromotedFrom, &m.Retention, &m.Importance, &m.Severity, &m.Origin,
		list{&m.AppliesTo},
		&m.RelevanceScore,
		list{&m.MergedFrom},
		instant{&m.ConsolidatedAt},
		list{&m.Tags},
		list{&m.Observations},
		raw{&m.Extra},
		&m.NameKey, &m.Name, &m.Content,
	}
}

func memoryFields(m *brain.Memory) []any { return append(life(m), rest(m)...) }

func memories() table[brain.Memory] {
	return table[brain.Memory]{"memory", "memories", memoryColumns, memoryFields}
}

// Memories returns memories by id.
func (t *tx) Memories(ids ...string) ([]brain.Memory, error) {
	ms, err := t.memoriesBy("id", ids)
	return ms, t.fail("read memories", err)
}

// MemoriesByEntity returns memories by entity key.
func (t *tx) MemoriesByEntity(keys ...string) ([]brain.Memory, error) {
	ms, err := t.memoriesBy("entity_key", keys)
	return ms, t.fail("read memories", err)
}

// memoriesBy reads memories by a column. An Update remembers them.
func (t *tx) memoriesBy(column string, values []string) ([]brain.Memory, error) {
	if len(values) == 0 {
		return nil, nil
	}
	var docs []int64 // of each memory
	dest := func(m *brain.Memory) []any {
		docs = append(docs, 0)
		return append(memoryFields(m), &docs[len(docs)-1])
	}
	ms, err := keyed(t, dest, byColumn("memory", memoryColumns+", doc", column), asJSON(values), t.s.brain)
	if t.changes != nil {
		for i, m := range ms {
			t.changes.remember(m, docs[i])
		}
	}
	return ms, err
}

const allEntitiesQuery = `SELECT ` + memoryColumns + ` FROM memory INDEXED BY memory_entity
	WHERE brain = ?1 AND entity_key IS NOT NULL`

// Entities returns the memories that have an entity key.
func (t *tx) Entities() ([]brain.Memory, error) {
	return memories().list(t, allEntitiesQuery, t.s.brain)
}

// memoriesByName returns a query that reads the first memories of each key from
// the index.
func memoriesByName() string {
	return `SELECT ` + qualified(memoryColumns) + ` FROM json_each(?1) j CROSS JOIN memory m ON m.seq IN (
			SELECT m.seq FROM memory m WHERE m.brain = ?2 AND m.name_key = j.value AND ` + isCurrent + `
			ORDER BY m.entity DESC, m.created DESC, m.id LIMIT +?3)
		ORDER BY j.key, m.entity DESC, m.created DESC, m.id`
}

// MemoriesByName returns current memories by name key.
func (t *tx) MemoriesByName(keys []string, limit int) ([]brain.Memory, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return memories().list(t, memoriesByName(), asJSON(keys), t.s.brain, limit)
}

const matchingQuery = `SELECT id FROM memory WHERE brain = ?1 AND id >= ?2 AND id < ?3
	UNION SELECT id FROM source WHERE brain = ?1 AND id >= ?2 AND id < ?3
	UNION SELECT id FROM section WHERE brain = ?1 AND id >= ?2 AND id < ?3
	UNION SELECT id FROM record WHERE brain = ?1 AND kind = 'Run' AND id >= ?2 AND id < ?3
	UNION SELECT id FROM record WHERE brain = ?1 AND kind = 'Redirect' AND id >= ?2 AND id < ?3
	ORDER BY id LIMIT +?4`

// Matching returns ids by prefix.
func (t *tx) Matching(prefix string, limit int) ([]string, error) {
	ids, err := collect(t, text, matchingQuery, t.s.brain, prefix, prefix+"\U0010FFFF", limit)
	return ids, t.fail("look for ids", err)
}

// isCurrent is [brain.Memory.Current] in SQL, word for word as in the indexes.
// With IN, SQLite would build a table of the tiers for each row that it writes
// to an index.
const isCurrent = `(m.tier = 'working' OR m.tier = 'shortTerm' OR m.tier = 'longTerm' OR m.tier = 'core' OR m.tier = 'expired')`

func current(t tiers.Tier) bool { return t.Live() || t == tiers.Expired }

// update returns an UPDATE of the row with a brain and an id.
func update(table, columns string) string {
	return fmt.Sprintf("UPDATE %s SET %s = ? WHERE brain = ? AND id = ?", table, strings.Join(columnNames(columns), " = ?, "))
}

// These statements are long and run often: each is rendered once.
var (
	putMemory  = sync.OnceValue(func() string { return upsert("memory", "brain, id", "doc, "+memoryColumns) })
	putLife    = sync.OnceValue(func() string { return update("memory", lifeColumns) })
	putTouched = sync.OnceValue(func() string { return update("memory", touchedColumns) })
)

// PutMemories stores memories whole.
func (t *tx) PutMemories(ms ...brain.Memory) error {
	return t.failWrite("store memories", t.putMemories(ms))
}

func (t *tx) putMemories(ms []brain.Memory) error {
	ids := make([]string, 0, 2*len(ms))
	for _, m := range ms {
		ids = append(ids, m.ID, m.PromotedFrom)
	}
	if err := t.lookUp(ids); err != nil {
		return err
	}
	for _, m := range brain.ReleasingFirst(ms) {
		doc, err := t.docFor(&m)
		if err != nil {
			return err
		}
		t.changes.replace(m, doc)
		if err := t.execRow(putMemory(), append([]any{t.s.brain, doc}, memoryFields(&m)...)...); err != nil {
			return err
		}
	}
	return nil
}

// lookUp reads the memories with these ids that the transaction has neither read
// nor written.
func (t *tx) lookUp(ids []string) error {
	unknown := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, known := t.changes.memories[id]
		return known || id == ""
	})
	_, err := t.memoriesBy("id", unknown)
	return err
}

// PutLives stores the lifecycle and the counters of memories.
func (t *tx) PutLives(ms ...brain.Memory) error {
	return t.failWrite("store the lives of memories", t.putLives(ms))
}

func (t *tx) putLives(ms []brain.Memory) error {
	ids := make([]string, len(ms))
	for i, m := range ms {
		ids[i] = m.ID
	}
	if err := t.lookUp(ids); err != nil {
		return err
	}
	for _, m := range brain.ReleasingFirst(ms) {
		old, exists := t.changes.memories[m.ID]
		if !exists {
			continue
		}
		now := old.Memory
		now.SetLife(&m)
		query, fields := putLife(), life(&now)
		if sameSettled(&old.Memory, &now) {
			query, fields = putTouched(), touched(&now)
		}
		t.changes.turn(old.doc, old.Current(), now.Current())
		t.changes.replace(now, old.doc)
		if err := t.execRow(query, append(fields, t.s.brain, m.ID)...); err != nil {
			return err
		}
	}
	return nil
}

// DeleteMemories removes memories and their relations.
func (t *tx) DeleteMemories(ids ...string) error {
	return t.failWrite("delete memories", t.deleteMemories(ids))
}

func (t *tx) deleteMemories(ids []string) error {
	if err := t.lookUp(ids); err != nil {
		return err
	}
	for _, id := range ids {
		if err := t.exec(`DELETE FROM memory WHERE brain = ? AND id = ?`, t.s.brain, id); err != nil {
			return err
		}
		t.changes.remove(id)
	}
	return t.deleteRelationsAt(ids)
}
