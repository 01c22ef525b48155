package sqlite

import (
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
)

// relationsQuery is driven by the ids: left to itself, SQLite reads the whole
// table in the order that is asked for.
const relationsQuery = `SELECT r.from_id, r.type, r.to_id FROM json_each(?2) j
		CROSS JOIN relation r ON r.brain = ?1 AND r.from_id = j.value
	UNION SELECT r.from_id, r.type, r.to_id FROM json_each(?2) j
		CROSS JOIN relation r ON r.brain = ?1 AND r.to_id = j.value
	ORDER BY 1, 2, 3`

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

const endsQuery = `SELECT j.value FROM json_each(?1) j
	WHERE NOT EXISTS (SELECT 1 FROM memory WHERE brain = ?2 AND id = j.value)
	AND NOT EXISTS (SELECT 1 FROM source WHERE brain = ?2 AND id = j.value)
	AND NOT EXISTS (SELECT 1 FROM section WHERE brain = ?2 AND id = j.value)`

// missing returns the ends that are neither memory, source nor section.
func (t *tx) missing(rs []brain.Relation) ([]string, error) {
	ids := make([]string, 0, 2*len(rs))
	for _, r := range rs {
		ids = append(ids, r.From, r.To)
	}
	return collect(t, text, endsQuery, asJSON(ids), t.s.brain)
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

func deleteRelationsAt(end string) string {
	return `DELETE FROM relation WHERE brain = ? AND ` + end + ` IN (SELECT value FROM json_each(?))`
}

// deleteRelationsAt removes every relation at nodes.
func (t *tx) deleteRelationsAt(ids []string) error {
	for _, end := range []string{"from_id", "to_id"} {
		if err := t.exec(deleteRelationsAt(end), t.s.brain, asJSON(ids)); err != nil {
			return err
		}
	}
	return nil
}
