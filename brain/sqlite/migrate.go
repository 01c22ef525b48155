package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// record sets the format of the file and notes which program did.
func (c *conn) record(ctx context.Context, format int, program string) error {
	if _, err := c.c.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", format)); err != nil {
		return err
	}
	_, err := c.exec(ctx, `INSERT INTO migration (version, program, at) VALUES (?, ?, ?)`, format, program, time.Now().UnixMilli())
	return err
}

// Format returns the format that the file had when it was opened.
func (s *Store) Format() brain.Format {
	return brain.Format{Stored: s.format, Known: schemaVersion, Program: s.newer}
}

// Writable returns an error if this program may not write to the file.
func (s *Store) Writable() error {
	switch {
	case s.stale.Load():
		return brain.Upgraded()
	case s.Copied():
		return s.readOnly()
	}
	return s.Format().Check(s.path)
}

// countCommit counts a write transaction. It fails if the file has another format than when
// it was opened.
func (s *Store) countCommit(ctx context.Context, c *conn) error {
	const count = `UPDATE brain SET commits = commits + 1 WHERE no = ? RETURNING (SELECT user_version FROM pragma_user_version)`
	var format int
	err := c.one(ctx, count, []any{s.brain}, &format)
	if err != nil { // perhaps because a newer format has no such column
		err = errors.Join(err, c.one(ctx, `SELECT user_version FROM pragma_user_version`, nil, &format))
	}
	switch {
	case format != 0 && format != schemaVersion:
		s.stale.Store(true)
		return brain.Upgraded()
	case errors.Is(err, sql.ErrNoRows):
		return brain.Errorf(brain.ErrUnavailable, "run the command again, or restart the daemon",
			"the brain %s is no longer in %s", s.name, s.path)
	}
	return s.explain(ctx, "write", err)
}

// Brains returns the names of the brains in the file.
func (s *Store) Brains(ctx context.Context) (names []string, err error) {
	err = s.view(ctx, func(t *tx) error {
		names, err = t.c.brains(ctx)
		return t.fail(err)
	})
	return names, err
}

// Migrate brings the file to the known format in one transaction, which begins before first is
// called: nobody writes between a backup and the end of the migration.
func (s *Store) Migrate(ctx context.Context, first func() error) error {
	if s.Copied() {
		return s.readOnly()
	}
	c, err := s.pool.take(ctx, s.pool.writers)
	if err != nil {
		return s.explain(ctx, "migrate", err)
	}
	defer func() { s.pool.give(c, s.pool.writers) }()
	if err := c.begin(ctx); err != nil {
		return s.explain(ctx, "wait for the write lock", err)
	}
	defer c.rollback(ctx)
	var format int
	err = c.one(ctx, `SELECT user_version FROM pragma_user_version`, nil, &format)
	if err != nil || format >= schemaVersion { // another process has migrated the file
		return s.explain(ctx, "migrate", err)
	}
	if err := first(); err != nil {
		return err
	}
	if format < checksummed { // that of 25 only makes the first run settle what began to fade under earlier lifecycle numbers
		err = s.rebuild(ctx, c, format)
	}
	if err == nil {
		err = c.record(ctx, schemaVersion, s.program)
	}
	if err == nil {
		err = c.commit(ctx)
	}
	return s.explain(ctx, "migrate", err)
}

// findNewer reads which version of the program wrote a newer format, if that is recorded.
func (s *Store) findNewer(ctx context.Context, c *conn) {
	if s.format > schemaVersion {
		_ = c.one(ctx, `SELECT program FROM migration ORDER BY version DESC LIMIT 1`, nil, &s.newer) // a newer format may have none
	}
}
