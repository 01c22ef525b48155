package sqlite

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// applicationID marks a file as ours: "brai" in ASCII.
const applicationID = 0x62726169

//go:embed migrations/*.sql
var migrations embed.FS

// create makes the file, for its owner only, unless it is there. It is made
// beside and linked into place: to open and close a file that SQLite has open
// in this process would drop SQLite's locks.
func create(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".brain-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	if err := f.Close(); err != nil {
		return err
	}
	err = os.Link(f.Name(), path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	// A file system without hard links.
	if f, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
		return f.Close()
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// header is what a database says of itself.
type header struct {
	application, version, tables int
}

func (c *conn) header(ctx context.Context) (h header, err error) {
	err = c.one(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)`,
		nil, &h.application, &h.version, &h.tables)
	return h, err
}

// migrate brings the file to this program's version, however many processes
// try at once. A file that is not ours, or newer, is refused untouched.
func (s *Store) migrate(ctx context.Context, c *conn) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	var h header
	err = patiently(ctx, func() (err error) { h, err = c.header(ctx); return err })
	if err != nil {
		return err
	}
	if err := s.acceptable(h, len(steps)); err != nil || h.version == len(steps) {
		return err
	}
	err = patiently(ctx, func() error {
		_, err := c.c.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		return err
	})
	if err != nil {
		return brain.Outgrown(ctx, s.path, h.version, len(steps), err)
	}
	for n := h.version; n < len(steps); n++ {
		if err := s.step(ctx, c, steps, n); err != nil {
			return brain.Outgrown(ctx, s.path, n, len(steps), fmt.Errorf("%s: %w", steps[n], err))
		}
	}
	return nil
}

func (s *Store) acceptable(h header, newest int) error {
	switch {
	case h.application != applicationID && (h.application != 0 || h.tables > 0):
		return brain.Errorf(brain.ErrRefused, "name another file with --store sqlite:PATH",
			"%s is a database of another program", s.path)
	case h.version > newest:
		return brain.Errorf(brain.ErrRefused, "install the newest brainbridge; nothing was changed",
			"%s was written by a newer brainbridge (format %d, this program knows %d)", s.path, h.version, newest)
	}
	return nil
}

// step applies migration n (from 0) in a transaction of its own, unless
// another process was faster.
func (s *Store) step(ctx context.Context, c *conn, steps []string, n int) error {
	script, err := migrations.ReadFile(steps[n])
	if err != nil {
		return err
	}
	if err := c.begin(ctx); err != nil {
		return err
	}
	defer c.rollback(ctx)
	h, err := c.header(ctx)
	if err != nil {
		return err
	}
	if err := s.acceptable(h, len(steps)); err != nil || h.version > n {
		return err
	}
	marks := fmt.Sprintf("\nPRAGMA application_id = %d;\nPRAGMA user_version = %d;", applicationID, n+1)
	if _, err := c.c.ExecContext(ctx, strings.TrimSpace(string(script))+marks); err != nil {
		return err
	}
	if fill := fills()[n+1]; fill != nil {
		if err := fill(ctx, c); err != nil {
			return err
		}
	}
	return c.commit(ctx)
}

// identity returns the small key that stands for a brain in every table, and
// the token of its marks. It makes both if the brain is new.
func (c *conn) identity(ctx context.Context, name string) (no int64, token string, err error) {
	const find = `SELECT ifnull(max(no), 0), ifnull(max(token), '') FROM brain WHERE name = ?`
	err = patiently(ctx, func() error { return c.one(ctx, find, []any{name}, &no, &token) })
	if err != nil || no > 0 {
		return no, token, err
	}
	if err := c.begin(ctx); err != nil {
		return 0, "", err
	}
	defer c.rollback(ctx)
	if _, err := c.exec(ctx, `INSERT OR IGNORE INTO brain (name, token) VALUES (?, lower(hex(randomblob(8))))`, name); err != nil {
		return 0, "", err
	}
	if err := c.one(ctx, find, []any{name}, &no, &token); err != nil {
		return 0, "", err
	}
	return no, token, c.commit(ctx)
}
