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
	"strings"

	"modernc.org/sqlite" // registers the driver, too
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// database is a copy of a SQLite database of another program, so that nothing is
// written to it or beside it, and the program is not disturbed.
type database struct {
	db     *sql.DB
	dir    string
	tables map[string]bool
}

// readDatabase copies a database with its write-ahead log and opens the copy.
func readDatabase(ctx context.Context, path string) (_ *database, err error) {
	dir, err := os.MkdirTemp("", "brainbridge-import-")
	if err != nil {
		return nil, err
	}
	d := &database{dir: dir, tables: map[string]bool{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	file := filepath.Join(dir, "copy.db")
	if err := copyFile(path, file); err != nil {
		return nil, err
	}
	if err := copyFile(path+"-wal", file+"-wal"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	// writable_schema lets a schema pass that has functions of other builds of
	// SQLite in it, such as the vector indexes of libSQL.
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: "_pragma=writable_schema(1)&_pragma=query_only(1)"}
	connector, err := sqlite.NewConnector(u.String())
	if err != nil {
		return nil, err
	}
	d.db = sql.OpenDB(connector)
	d.db.SetMaxOpenConns(1)
	err = d.readTables(ctx)
	return d, err
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

func (d *database) readTables(ctx context.Context) error {
	rows, err := d.db.QueryContext(ctx, `SELECT name FROM sqlite_master WHERE type = 'table'`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		d.tables[name] = true
	}
	return rows.Err()
}

func (d *database) close() error {
	var err error
	if d.db != nil {
		err = d.db.Close()
	}
	return errors.Join(err, os.RemoveAll(d.dir))
}

// rows returns all rows of a table in the order in which they were made, each by
// its columns, without those that are NULL or binary. A table that does not exist
// has no rows.
func (d *database) rows(ctx context.Context, table string) ([]map[string]string, error) {
	if !d.tables[table] {
		return nil, nil
	}
	quoted := `"` + strings.ReplaceAll(table, `"`, `""`) + `"`
	rows, err := d.db.QueryContext(ctx, "SELECT * FROM "+quoted+" NOT INDEXED ORDER BY rowid")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all []map[string]string
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			return nil, err
		}
		all = append(all, texts(columns, values))
	}
	return all, rows.Err()
}

func texts(columns []string, values []any) map[string]string {
	row := map[string]string{}
	for i, column := range columns {
		value, ok := values[i].(*any)
		if !ok || *value == nil {
			continue
		}
		if _, binary := (*value).([]byte); !binary {
			row[column] = fmt.Sprint(*value)
		}
	}
	return row
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
