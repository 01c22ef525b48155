package exchange

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite" // registers the driver, too
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// row is a row of a table: its columns without those that are NULL or binary.
type row = map[string]string

// readDatabase returns the rows of the named tables of a SQLite database that
// belongs to another program, in the order in which they were made. Tables that
// do not exist are missing in the result. It reads a copy, so that nothing is
// written to the database or beside it, and the program is not disturbed.
func readDatabase(ctx context.Context, path string, tables ...string) (_ map[string][]row, err error) {
	dir, err := os.MkdirTemp("", "brainbridge-import-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "copy.db")
	if err := copyFile(path, file); err != nil {
		return nil, err
	}
	if err := copyFile(path+"-wal", file+"-wal"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	// writable_schema accepts a schema with functions of other builds of SQLite, such
	// as the vector indexes of libSQL.
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: "_pragma=writable_schema(1)&_pragma=query_only(1)"}
	connector, err := sqlite.NewConnector(u.String())
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

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
