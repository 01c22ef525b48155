package sqlite

import (
	"context"
	"errors"
	"os"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// OpenBroken opens a damaged file that [Open] refuses, for [Store.Dump], which leaves out what cannot
// be read. It reads a copy. alone says that no other brain can be in the file, so that what is in it
// belongs to this one even if its name cannot be read.
func OpenBroken(ctx context.Context, path, brainName string, alone bool) (*Store, error) {
	s := &Store{path: path, name: brainName, pool: newPool(path), format: schemaVersion, why: "the file is damaged", leases: lease.NewKeeper(nil)}
	err := s.withCopy(func() error {
		err := markWAL(s.pool.path)
		for n := 0; n < maxReaders && err == nil; n++ {
			err = s.openDamaged(ctx, alone)
		}
		return err
	})
	if err != nil {
		return nil, s.explain(ctx, "read what is left", err)
	}
	return s, nil
}

// markWAL sets the two bytes of the header without which SQLite reads no log, or nothing.
func markWAL(path string) error {
	const writeVersion, wal = 18, 2
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte{wal, wal}, writeVersion)
	return errors.Join(err, f.Close())
}

// openDamaged opens one connection.
func (s *Store) openDamaged(ctx context.Context, alone bool) error {
	c, err := connectTo(ctx, uri(s.pool.path)) // other settings read the schema
	if err != nil {
		return err
	}
	s.pool.push(c)
	// Without this, one damaged line of the schema keeps all others from being read; the first
	// statement after it fails in that case.
	if _, err := c.c.ExecContext(ctx, "PRAGMA writable_schema = ON"); err != nil {
		return err
	}
	_ = c.one(ctx, "SELECT count(*) FROM sqlite_master", nil, new(int))
	var format int
	if err := c.one(ctx, "SELECT user_version FROM pragma_user_version", nil, &format); err != nil {
		return err
	}
	if format != schemaVersion {
		return brain.Errorf(ErrDamaged, restoreHint, "%s has another format, %d", s.path, format)
	}
	err = c.one(ctx, "SELECT no FROM brain NOT INDEXED WHERE name = ?", []any{s.name}, &s.brain)
	if err != nil && alone {
		err = c.one(ctx, "SELECT brain FROM memory NOT INDEXED ORDER BY seq LIMIT 1", nil, &s.brain)
	}
	return err
}
