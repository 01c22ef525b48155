package sqlite

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// oldestFormat is the first format that is upgraded.
const oldestFormat = 19

// setAside returns the statements that give the tables of a file other names. Indexes and tables
// for search are dropped.
const setAside = `SELECT 'DROP INDEX "' || name || '"' FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
	UNION ALL SELECT * FROM (SELECT 'DROP TABLE "' || name || '"' FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY sql LIKE '%fts5vocab%' DESC)
	UNION ALL SELECT 'ALTER TABLE "' || name || '" RENAME TO "old_' || name || '"' FROM sqlite_master t WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
		AND sql NOT LIKE 'CREATE VIRTUAL%' AND NOT EXISTS (SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND t.name LIKE v.name || '_%')`

// keepVectors copies the vectors. Codes are made again with the next one.
const keepVectors = `
INSERT INTO model SELECT no, brain, name, dimensions, vectors, 0, NULL, NULL FROM old_model;
INSERT INTO vector SELECT v.doc, d.brain, v.value FROM old_vector v JOIN doc d ON d.doc = v.doc AND d.past = 0;
UPDATE doc SET model = (SELECT o.model FROM old_doc o WHERE o.doc = doc.doc) WHERE past = 0 AND doc IN (SELECT doc FROM old_doc NOT INDEXED);`

// asidePrefix begins the names of tables that were set aside.
const asidePrefix = "old_"

// rebuild stores everything in a file of an earlier format again, in tables of this one. What
// cannot be read stays as it is, without a checksum, so that it is still named.
func (s *Store) rebuild(ctx context.Context, c *conn, format int) error {
	t := &tx{s: s, ctx: ctx, c: c, changes: newChanges()}
	statements, err := collect(t, text, setAside)
	if err != nil {
		return err
	}
	brains := "INSERT INTO brain SELECT no, name, token, commits FROM old_brain;\nINSERT INTO migration SELECT * FROM old_migration;"
	if format == oldestFormat { // which had neither
		brains = "INSERT INTO brain SELECT no, name, token, 0 FROM old_brain;"
	}
	if err := t.script(strings.Join(statements, ";\n") + ";" + schema + searchSchema + brains); err != nil {
		return err
	}
	const docs = `SELECT id, doc FROM old_memory WHERE brain = ?1 UNION ALL SELECT id, doc FROM old_section WHERE brain = ?1`
	if err := t.storeAgain(t.c, asidePrefix, docs, format); err != nil {
		return err
	}
	if err := t.script(keepVectors + strings.Join(keepAllUnreadable(asidePrefix), "")); err != nil {
		return err
	}
	return t.dropOld()
}

// dropOld drops the tables that were set aside.
func (t *tx) dropOld() error {
	drops, err := collect(t, text, `SELECT 'DROP TABLE "' || name || '";' FROM sqlite_master WHERE type = 'table' AND name LIKE 'old\_%' ESCAPE '\'`)
	if err != nil {
		return err
	}
	return t.script(strings.Join(drops, "\n"))
}

// storeAgain stores what all brains have in tables of a connection whose names begin with a
// prefix. docs is the query for the docs that texts keep.
func (t *tx) storeAgain(from *conn, prefix, docs string, format int) error {
	all, err := collect(t, func(no *int64) []any { return []any{no} }, "SELECT no FROM brain")
	for _, no := range all {
		if err == nil {
			err = t.storeBrainAgain(no, from, prefix, docs, format)
		}
	}
	return err
}

func (t *tx) storeBrainAgain(no int64, from *conn, prefix, docs string, format int) error {
	old := &tx{s: &Store{path: t.s.path, brain: no, format: format}, ctx: t.ctx, c: from}
	now := &tx{s: &Store{path: t.s.path, brain: no, format: schemaVersion}, ctx: t.ctx, c: t.c, changes: newChanges(), docs: map[string]int64{}}
	type text struct {
		id  string
		doc int64
	}
	texts, err := collect(old, func(t *text) []any { return []any{&t.id, &t.doc} }, docs, no)
	if err != nil && (!IsDamage(err) || prefix == asidePrefix) { // in a repair they get new ones
		return err
	}
	for _, x := range texts {
		now.docs[x.id] = x.doc
	}
	for p, err := range brain.UpgradePages(old.pagesFrom(prefix)) {
		if err != nil {
			return err
		}
		if err := now.load(p); err != nil {
			return err
		}
	}
	return nil
}

// pagesFrom dumps a brain from tables whose names begin with a prefix.
func (t *tx) pagesFrom(prefix string) iter.Seq2[brain.Page, error] {
	errStopped := errors.New("stopped")
	return func(yield func(brain.Page, error) bool) {
		d := &dump{t: t, prefix: prefix, fn: func(p brain.Page) error {
			if !yield(p, nil) {
				return errStopped
			}
			return nil
		}}
		d.memories()
		d.others()
		if d.ended != nil && !errors.Is(d.ended, errStopped) {
			yield(brain.Page{}, d.ended)
		}
	}
}

// keepAllUnreadable returns the statements that copy the rows that could not be read.
func keepAllUnreadable(prefix string) []string {
	return []string{
		keepUnreadable(prefix, memories(), "doc, fresh_group", "0, ''"), keepUnreadable(prefix, sources(), "", ""),
		keepUnreadable(prefix, sections(), "doc", "0"), keepUnreadable(prefix, records(), "", ""),
	}
}

// keepUnreadable returns such a statement for a table; more are columns without a default, with
// their values.
func keepUnreadable[T any](prefix string, k table[T], more, values string) string {
	columns := strings.Join(k.columns, ", ")
	if more != "" {
		more, values = ", "+more, ", "+values
	}
	same := "m.brain = o.brain AND m.id = o.id"
	if k.name == "record" {
		same += " AND m.kind = o.kind OR o.kind = 'Lease'"
	}
	return "\nINSERT INTO " + k.name + " (brain, " + columns + more + ") SELECT brain, " + columns + values + " FROM " + prefix + k.name +
		" o WHERE NOT EXISTS (SELECT 1 FROM " + k.name + " m WHERE " + same + ");"
}

// script runs several statements.
func (t *tx) script(statements string) error {
	_, err := t.c.c.ExecContext(t.ctx, statements)
	return err
}
