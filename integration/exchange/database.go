package exchange

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite" // registers the driver, too
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// row is a row of a table: its columns without those that are NULL or binary.
type row = map[string]string

// readDatabase returns the rows of the named tables of a SQLite database that
// belongs to another program, in the order in which they were made. Tables that
// do not exist are missing in the result. It opens the database for reading only.
func readDatabase(ctx context.Context, path string, tables ...string) (_ map[string][]row, err error) {
	// writable_schema accepts a schema with functions of other builds of SQLite, such
	// as the vector indexes of libSQL.
	connector, err := sqlite.NewConnector(durable.ForeignDatabase(path, "_pragma=busy_timeout(5000)&_pragma=writable_schema(1)&_pragma=query_only(1)"))
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	all := map[string][]row{}
	for _, table := range tables {
		found, err := query(ctx, db, `SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?`, table)
		if err == nil && len(found) > 0 {
			all[table], err = query(ctx, db, `SELECT * FROM "`+table+`" NOT INDEXED ORDER BY rowid`)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// query returns the rows of an answer, not nil.
func query(ctx context.Context, db *sql.DB, text string, args ...any) ([]row, error) {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	all := []row{}
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		r := row{}
		for i, column := range columns {
			if _, binary := values[i].([]byte); values[i] != nil && !binary {
				r[column] = fmt.Sprint(values[i])
			}
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// unreadable returns why a database cannot be read.
func unreadable(err error) string {
	var theirs *sqlite.Error
	if errors.As(err, &theirs) {
		switch theirs.Code() & 0xff {
		case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
			return "is damaged, or is not a SQLite database"
		}
	}
	return "cannot be read: " + durable.Cause(err).Error()
}
