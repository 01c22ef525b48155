package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/brainbridge/brainbridge/brain"
)

// Inspect has SQLite check the file, and compares its schema and what follows from its rows with
// what they should be.
func (s *Store) Inspect(ctx context.Context) (all []brain.Defect, err error) {
	if err := s.Writable(); err != nil {
		return nil, err
	}
	if err := s.Check(ctx); IsDamage(err) {
		all = append(all, brain.Defect{What: err.Error(), Means: "some records may be missing from answers", Mendable: true})
	} else if err != nil {
		return nil, err
	}
	should, err := schemaObjects(ctx)
	if err != nil {
		return nil, err
	}
	err = s.view(ctx, func(t *tx) error {
		is, err := collect(t, (*schemaObject).dest, objectsQuery)
		all = append(all, compareSchema(is, should)...)
		return err
	})
	if err != nil {
		return nil, err
	}
	rows, err := s.inspectRows(ctx)
	return append(all, rows...), err
}

// schemaObject is a table, an index or the like.
type schemaObject struct{ kind, name, sql string }

func (o *schemaObject) dest() []any { return []any{&o.kind, &o.name, &o.sql} }

// objectsQuery leaves out what SQLite makes itself, and the tables within those for full text.
const objectsQuery = `SELECT type, name, ifnull(sql, '') FROM sqlite_master m WHERE name NOT LIKE 'sqlite_%'
	AND NOT EXISTS (SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND m.name LIKE v.name || '\_%' ESCAPE '\' AND m.sql NOT LIKE 'CREATE VIRTUAL%') ORDER BY name`

// schemaObjects returns what the schema consists of.
func schemaObjects(ctx context.Context) (all []schemaObject, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // each would have a database of its own
	if _, err := db.ExecContext(ctx, schema+searchSchema); err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, objectsQuery)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var o schemaObject
		if err := rows.Scan(o.dest()...); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, rows.Err()
}

// compareSchema returns what is missing, has another form or is not ours.
func compareSchema(is, should []schemaObject) (all []brain.Defect) {
	stored, ours := map[string]schemaObject{}, map[string]bool{}
	for _, o := range is {
		stored[o.name] = o
	}
	for _, o := range should {
		ours[o.name] = true
		switch s, exists := stored[o.name]; {
		case !exists && o.kind == "index":
			all = append(all, brain.Defect{What: "the index " + o.name + " is missing", Means: "commands that use it fail or are slow, and a key may be stored twice", Mendable: true})
		case !exists:
			all = append(all, brain.Defect{What: "the table " + o.name + " is missing", Means: "commands that use it fail; what was in it is lost, unless it follows from the rest", Mendable: true})
		case s.kind != o.kind || s.sql != o.sql:
			all = append(all, brain.Defect{What: "the " + s.kind + " " + o.name + " has another form than it should", Means: "commands that use it may fail", Mendable: true})
		}
	}
	for _, o := range is {
		if !ours[o.name] {
			all = append(all, brain.Defect{What: "the " + o.kind + " " + o.name + " is not of this program", Means: "it may change what is stored; remove it with sqlite3"})
		}
	}
	return all
}
