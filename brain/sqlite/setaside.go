package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// SetAside finds rows by what a dump calls them, because a damaged row may not be in the place of
// an index that belongs to its id.
func (s *Store) SetAside(ctx context.Context, found []brain.Unreadable, keep func(raw []json.RawMessage) error) error {
	why := map[brain.Unreadable]string{}
	for _, u := range found {
		why[brain.Unreadable{Kind: u.Kind, ID: u.ID}] = u.Why
	}
	return s.write(ctx, func(t *tx) error {
		a := &aside{t: t, why: why}
		setRowsAside(a, memories(), "seq")
		setRowsAside(a, sources(), "seq")
		setRowsAside(a, sections(), "seq")
		setRowsAside(a, records(), "seq")
		setRowsAside(a, relations(), "from_id", "type", "to_id")
		if a.failed != nil || len(a.raw) == 0 {
			return a.failed
		}
		if err := keep(a.raw); err != nil {
			return err
		}
		for _, row := range a.rows {
			t.exec("DELETE FROM "+row.table+" WHERE "+row.where, row.key...)
		}
		if err := t.deleteRelationsAt(a.ids); err != nil {
			return err
		}
		t.changes.recount = true
		return t.finish()
	})
}

// aside collects rows that are set aside.
type aside struct {
	t      *tx
	why    map[brain.Unreadable]string // of what was found, without their Why
	raw    []json.RawMessage
	rows   []asideRow
	ids    []string // of nodes, whose relations go, too
	failed error
}

type asideRow struct {
	table, where string
	key          []any
}

// setRowsAside collects those rows of a table that were found; key are the columns of its key.
func setRowsAside[T any](a *aside, k table[T], key ...string) {
	if a.failed != nil {
		return
	}
	where := "brain = ? AND " + strings.Join(key, " = ? AND ") + " = ?"
	query := "SELECT m." + strings.Join(key, ", m.") + ", " + k.selected + " FROM " + k.name + " m NOT INDEXED WHERE m.brain = ?1"
	if k.name == "record" {
		query += " AND m.kind <> 'Lease'"
	}
	at, to := make([]any, len(key)), make([]any, len(key))
	for i := range at {
		to[i] = &at[i]
	}
	var lines []brain.Aside
	a.failed = scanAll(a.t, k, query, func(v T, _ error) error {
		u := nameOf(&v)
		why, found := a.why[u]
		if found {
			a.rows = append(a.rows, asideRow{k.name, where, append([]any{a.t.s.brain}, at...)})
			lines = append(lines, brain.Aside{Kind: u.Kind, ID: u.ID, Why: why})
		}
		return nil
	}, to...)
	for i, line := range lines {
		row := a.rows[len(a.rows)-len(lines)+i]
		if raw := a.t.rawRows("SELECT * FROM "+k.name+" WHERE "+where, row.key...); len(raw) > 0 {
			line.Values = raw[0]
		}
		if line.ID != "" && k.name != "relation" && k.name != "record" {
			a.ids = append(a.ids, line.ID)
			const around = "SELECT from_id AS \"from\", type, to_id AS \"to\", made FROM relation WHERE brain = ?1 AND ?2 IN (from_id, to_id)"
			line.Relations = a.t.rawRows(around, a.t.s.brain, line.ID)
		}
		raw, err := json.Marshal(line)
		a.raw, a.failed = append(a.raw, raw), cmp.Or(a.failed, err)
	}
}

// rawRows returns the rows of a query as they are stored, none from one on that cannot be read.
func (t *tx) rawRows(query string, args ...any) (all []map[string]any) {
	found, err := t.query(query, args...)
	if err != nil {
		return nil
	}
	defer func() { _ = found.Close() }()
	names, _ := found.Columns() // of a query that is not closed
	for found.Next() && found.Err() == nil {
		values := make([]any, len(names))
		to := make([]any, len(names))
		for i := range values {
			to[i] = &values[i]
		}
		if found.Scan(to...) != nil {
			break
		}
		row := map[string]any{}
		for i, name := range names {
			row[name] = rawValue(values[i])
		}
		all = append(all, row)
	}
	return all
}

// rawValue returns a value for JSON: what is not a text in UTF-8 as base64, and a number that is
// not finite as text.
func rawValue(v any) any {
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return []byte(v)
		}
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Sprint(v)
		}
	}
	return v
}

// dropUnusedDocs drops the texts of nodes that are no longer there from the search index.
func (t *tx) dropUnusedDocs() {
	const unused = `SELECT d.doc, d.talk, d.past, d.size FROM doc d WHERE d.brain = ?
		AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.brain = d.brain AND m.doc = d.doc) AND NOT EXISTS (SELECT 1 FROM section s WHERE s.doc = d.doc)`
	docs, _ := collect(t, func(d *doc) []any { return []any{&d.id, &d.talk, &d.past, &d.size} }, unused, t.s.brain) // fail keeps the error
	for _, d := range docs {
		t.dropDoc(d)
	}
}
