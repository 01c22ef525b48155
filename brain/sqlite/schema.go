package sqlite

import (
	"cmp"
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	// applicationID marks a file of brainbridge: "brai" in ASCII.
	applicationID = 0x62726169
	// schemaVersion is the user_version of a file with this schema. Changes of the schema
	// increment it once per release, and are made by [Store.rebuild].
	schemaVersion = 25
)

var (
	//go:embed schema.sql
	schema string
	//go:embed search.sql
	searchSchema string // what search reads
)

// creating keeps this process from opening a new file before create has closed it: closing
// a file that SQLite has open would drop SQLite's locks.
var creating sync.Mutex

// create creates the file, for its owner only, unless it exists. SQLite would let others
// read it, too.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	creating.Lock()
	defer creating.Unlock()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return f.Close()
}

// prepare reads the format of a file, and creates the schema in a file that has none, however
// many processes try at once. It refuses a file of another program or an unknown format and
// leaves it unchanged.
func (s *Store) prepare(ctx context.Context, c *conn) error {
	if err := s.recognize(ctx, c); err != nil || s.format != 0 {
		return err
	}
	if err := s.watch.Require(s.requires); err != nil {
		return err
	}
	err := retryWhileBusy(ctx, func() error {
		_, err := c.c.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		return err
	})
	if err == nil {
		err = c.begin(ctx)
	}
	if err != nil {
		return err
	}
	defer c.rollback(ctx)
	if err := s.recognize(ctx, c); err != nil || s.format != 0 { // by another process meanwhile
		return err
	}
	marks := fmt.Sprintf("\nPRAGMA application_id = %d;", applicationID)
	if _, err := c.c.ExecContext(ctx, schema+searchSchema+marks); err != nil {
		return err
	}
	if err := c.record(ctx, schemaVersion, s.program); err != nil {
		return err
	}
	s.format = schemaVersion
	return c.commit(ctx)
}

// recognize reads the format of a database, 0 for an empty one. It returns an error for one
// that is not ours, or whose format is older than this program knows.
func (s *Store) recognize(ctx context.Context, c *conn) error {
	var application, version, tables int
	err := retryWhileBusy(ctx, func() error {
		return c.one(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
			(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)`,
			nil, &application, &version, &tables)
	})
	switch {
	case err != nil:
		return err
	case application != applicationID && (application != 0 || tables > 0):
		return brain.Errorf(ErrForeign, "name another file with --store sqlite:PATH",
			"%s is a database of another program", s.path)
	case version != 0 && version < oldestFormat:
		return brain.Errorf(ErrForeign, "name another file with --store sqlite:PATH; nothing was changed",
			"%s has an unknown format (%d, this program knows %d)", s.path, version, schemaVersion)
	}
	s.format = version
	return nil
}

// identity returns the number of a brain, which is its key in every table, and the
// token of its marks. It creates both for a new brain if the required one exists, unless
// the file can only be read.
func (s *Store) identity(ctx context.Context, c *conn) (no int64, token string, err error) {
	const find = `SELECT ifnull(max(no), 0), ifnull(max(token), '') FROM brain WHERE name = ?`
	err = retryWhileBusy(ctx, func() error { return c.one(ctx, find, []any{s.name}, &no, &token) })
	if err != nil || no > 0 {
		return no, token, err
	}
	known, err := c.brains(ctx)
	if err = cmp.Or(err, s.watch.Require(s.requires, known...)); err != nil || s.Writable() != nil {
		return 0, "", err
	}
	if err := c.begin(ctx); err != nil {
		return 0, "", err
	}
	defer c.rollback(ctx)
	if _, err := c.exec(ctx, `INSERT OR IGNORE INTO brain (name, token) VALUES (?, lower(hex(randomblob(8))))`, s.name); err != nil {
		return 0, "", err
	}
	if err := c.one(ctx, find, []any{s.name}, &no, &token); err != nil {
		return 0, "", err
	}
	return no, token, c.commit(ctx)
}
