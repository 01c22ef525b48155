package sqlite

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// OpenBroken opens a damaged file that [Open] refuses, for [Store.Dump], which leaves out what cannot
// be read. It reads a copy in memory. alone says that no other brain can be in the file, so that what
// is in it belongs to this one even if its name cannot be read.
func OpenBroken(ctx context.Context, path, brainName string, alone bool) (*Store, error) {
	s := &Store{path: path, name: brainName, pool: newPool(path), format: schemaVersion, why: "the file is damaged", leases: lease.NewKeeper(nil)}
	image, opened, err := readImage(path)
	if err != nil {
		return nil, err
	}
	s.opened, s.pool.image, s.pool.kept = opened, image, 1
	c, err := s.pool.connect(ctx)
	if err != nil {
		return nil, err
	}
	// Without this, one damaged line of the schema keeps all others from being read; the first
	// statement after it fails in that case.
	_, err = c.c.ExecContext(ctx, "PRAGMA writable_schema = ON")
	_ = c.one(ctx, "SELECT count(*) FROM sqlite_master", nil, new(int))
	var format int
	if err == nil {
		err = c.one(ctx, "SELECT user_version FROM pragma_user_version", nil, &format)
	}
	if err == nil && format != schemaVersion {
		err = brain.Errorf(ErrDamaged, restoreHint, "%s has another format, %d", path, format)
	}
	if err == nil {
		err = c.one(ctx, "SELECT no FROM brain NOT INDEXED WHERE name = ?", []any{s.name}, &s.brain)
		if err != nil && alone {
			err = c.one(ctx, "SELECT brain FROM memory NOT INDEXED ORDER BY seq LIMIT 1", nil, &s.brain)
		}
	}
	if err != nil {
		_ = c.close()
		return nil, s.explain(ctx, "read what is left", err)
	}
	s.pool.push(c)
	return s, nil
}
