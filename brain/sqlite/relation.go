package sqlite

import (
	"fmt"
	"slices"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

// relationsQuery begins with the ids: SQLite would otherwise read the whole
// table. A relation between two of the ids comes twice; UNION would cost more
// than removing the second one in Go.
const relationsQuery = `SELECT m.from_id, m.type, m.to_id, m.made, m.checksum FROM json_each(?1) j
	CROSS JOIN relation m ON m.brain = ?2 AND m.from_id = j.value
UNION ALL SELECT m.from_id, m.type, m.to_id, m.made, m.checksum FROM json_each(?1) j
	CROSS JOIN relation m ON m.brain = ?2 AND m.to_id = j.value`

var relations = sync.OnceValue(func() table[brain.Relation] { return newTable("relation", relationFields) })

func relationFields(r *brain.Relation) []brain.Field {
	return []brain.Field{{Name: "fromId", At: &r.From}, {Name: "type", At: &r.Type}, {Name: "toId", At: &r.To}, {Name: "made", At: &r.Made}}
}

func (t *tx) Relations(ids ...string) ([]brain.Relation, error) {
	rs, err := relations().find(t, relationsQuery, ids)
	slices.SortFunc(rs, brain.Relation.Compare)
	return slices.Compact(rs), err
}

func (t *tx) PutRelations(rs ...brain.Relation) error {
	missing, err := t.missing(rs)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return t.fail(fmt.Errorf("store a relation of %s: %w", missing[0], brain.ErrNotFound))
	}
	t.putRelations(rs)
	return t.changes.failed
}

const (
	insertRelation = `INSERT OR IGNORE INTO relation (brain, from_id, type, to_id, made, checksum) VALUES (?, ?, ?, ?, ?, ?)`
	sameRelation   = `SELECT m.from_id, m.type, m.to_id, m.made, m.checksum FROM relation m
	WHERE m.brain = ? AND m.from_id = ? AND m.type = ? AND m.to_id = ?`
)

// putRelations stores each relation that is not stored yet, or of which the row is damaged. It
// uses one statement for each: before a statement that writes many rows, SQLite copies every page
// that it changes, and FTS5 writes what it holds.
func (t *tx) putRelations(rs []brain.Relation) {
	for i, r := range rs {
		row := append([]any{t.s.brain}, relations().values(t, &rs[i])...)
		done := t.exec(insertRelation, row...)
		if t.changes.failed != nil {
			return
		}
		if n, err := done.RowsAffected(); err != nil || n > 0 {
			_ = t.fail(err)
			continue
		}
		stored, err := collect(t, relations().dest(t), sameRelation, t.s.brain, r.From, r.Type, r.To)
		if err == nil && len(stored) == 0 { // it cannot be read
			t.exec(deleteRelation, t.s.brain, r.From, r.Type, r.To)
			t.exec(insertRelation, row...)
		}
	}
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
	ids = slices.DeleteFunc(ids, func(id string) bool { return t.changes.known[id] })
	return byKeys(t, text, endsQuery, ids)
}

const deleteRelation = `DELETE FROM relation WHERE brain = ? AND from_id = ? AND type = ? AND to_id = ?`

func (t *tx) DeleteRelations(rs ...brain.Relation) error {
	for _, r := range rs {
		t.exec(deleteRelation, t.s.brain, r.From, r.Type, r.To)
	}
	return t.changes.failed
}

func deleteRelationsQuery(end string) string {
	return `DELETE FROM relation WHERE brain = ? AND ` + end + ` IN (SELECT value FROM json_each(?))`
}

func (t *tx) deleteRelationsAt(ids []string) error {
	if len(ids) > 0 {
		t.exec(deleteRelationsQuery("from_id"), t.s.brain, asJSON(ids))
		t.exec(deleteRelationsQuery("to_id"), t.s.brain, asJSON(ids))
	}
	return t.changes.failed
}

func (t *tx) DeleteNodes(ids ...string) error {
	t.lookUp(ids)
	sections, err := t.storedSections(ids)
	if err != nil {
		return err
	}
	for _, s := range sections {
		t.dropDoc(s.doc)
	}
	for _, id := range ids {
		t.changes.remove(id)
		delete(t.changes.known, id)
		delete(t.unreadable, id)
	}
	for _, table := range []string{"memory", "source", "section"} {
		t.exec(`DELETE FROM `+table+` WHERE brain = ? AND id IN (SELECT value FROM json_each(?))`, t.s.brain, asJSON(ids))
	}
	return t.deleteRelationsAt(ids)
}
