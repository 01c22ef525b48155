package sqlite

import (
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
)

const relationsQuery = `SELECT from_id, type, to_id FROM relation
		WHERE brain = ?1 AND from_id IN (SELECT value FROM json_each(?2))
	UNION SELECT from_id, type, to_id FROM relation
		WHERE brain = ?1 AND to_id IN (SELECT value FROM json_each(?2))
	ORDER BY from_id, type, to_id`

// Relations returns the relations at nodes.
func (t *tx) Relations(ids ...string) ([]brain.Relation, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	dest := func(r *brain.Relation) []any { return []any{&r.From, &r.Type, &r.To} }
	rs, err := collect(t, dest, relationsQuery, t.s.brain, asJSON(ids))
	return rs, t.fail("read relations", err)
}

// PutRelations stores relations between nodes that exist.
func (t *tx) PutRelations(rs ...brain.Relation) error {
	if len(rs) == 0 {
		return nil
	}
	missing, err := t.missing(rs)
	if err != nil {
		return t.failWrite("store relations", err)
	}
	if len(missing) > 0 {
		err := fmt.Errorf("store a relation of %s: %w", missing[0], brain.ErrNotFound)
		return t.failWrite("store relations", err)
	}
	for _, r := range rs {
		err := t.exec(`INSERT OR IGNORE INTO relation (brain, from_id, type, to_id) VALUES (?, ?, ?, ?)`,
			t.s.brain, r.From, r.Type, r.To)
		if err != nil {
			return t.failWrite("store relations", err)
		}
	}
	return nil
}

// missing returns the ends that are neither memory, source nor section.
func (t *tx) missing(rs []brain.Relation) ([]string, error) {
	ids := make([]string, 0, 2*len(rs))
	for _, r := range rs {
		ids = append(ids, r.From, r.To)
	}
	const query = `SELECT j.value FROM json_each(?1) j
		WHERE NOT EXISTS (SELECT 1 FROM memory WHERE brain = ?2 AND id = j.value)
		AND NOT EXISTS (SELECT 1 FROM source WHERE brain = ?2 AND id = j.value)
		AND NOT EXISTS (SELECT 1 FROM section WHERE brain = ?2 AND id = j.value)`
	return collect(t, text, query, asJSON(ids), t.s.brain)
}

// DeleteRelations removes relations.
func (t *tx) DeleteRelations(rs ...brain.Relation) error {
	for _, r := range rs {
		err := t.exec(`DELETE FROM relation WHERE brain = ? AND from_id = ? AND type = ? AND to_id = ?`,
			t.s.brain, r.From, r.Type, r.To)
		if err != nil {
			return t.failWrite("delete relations", err)
		}
	}
	return nil
}

// deleteRelationsAt removes every relation at nodes.
func (t *tx) deleteRelationsAt(ids []string) error {
	for _, end := range []string{"from_id", "to_id"} {
		err := t.exec(`DELETE FROM relation WHERE brain = ? AND `+end+` IN (SELECT value FROM json_each(?))`,
			t.s.brain, asJSON(ids))
		if err != nil {
			return err
		}
	}
	return nil
}
