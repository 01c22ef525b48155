// Package sqlite is the embedded store: one file, no server. It keeps the
// contract of [brain.Store] for any number of goroutines and processes.
//
// Writers take turns: within the process by a queue, between processes by
// BEGIN IMMEDIATE. Readers do not wait for them: each transaction has a
// connection to itself and sees a snapshot (WAL). A commit returns after fsync.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// maxReaders is how many reads run at once; each may fill a page cache of 6 MB.
const maxReaders = 4

// Store is one open file, bound to one brain. See [brain.Store].
type Store struct {
	path     string
	name     string
	brain    int64
	token    string // of the marks of Written
	requires string // see [Requires]

	opened os.FileInfo // the file, as it was opened
	pool   *pool

	closeOnce sync.Once
	closeErr  error

	leases lease.Keeper
}

var _ brain.Store = (*Store)(nil)

// Option changes how a file is opened.
type Option func(*Store)

// Frugal is for a process of which many run side by side, each with little to
// do: it keeps one connection, with a small cache.
func Frugal() Option {
	return func(s *Store) { s.pool.cache, s.pool.kept = 2000, 1 }
}

// Requires refuses to create the brain unless the brain of that name exists. The
// error is [brain.ErrNotFound].
func Requires(name string) Option {
	return func(s *Store) { s.requires = name }
}

// Open opens the file at path for one brain, and makes both if they are not
// there: the file for its owner only, its folder too. A file of another version,
// of another program or that is not a database is [brain.ErrRefused] and is not
// changed.
func Open(ctx context.Context, path, brainName string, options ...Option) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &Store{
		path: abs,
		name: brainName,
		pool: newPool(abs, maxReaders),
	}
	for _, o := range options {
		o(s)
	}
	if err := s.create(); err != nil {
		return nil, s.openError(ctx, err)
	}
	c, err := connect(ctx, abs, s.pool.cache)
	if err != nil {
		return nil, s.openError(ctx, err)
	}
	if s.opened, err = os.Stat(abs); err == nil {
		err = s.prepare(ctx, c)
	}
	if err == nil {
		s.brain, s.token, err = c.identity(ctx, brainName, s.requires)
	}
	if err != nil {
		_ = c.close()
		return nil, s.openError(ctx, err)
	}
	s.pool.push(c)
	return s, nil
}

// create makes the file, unless a brain has to be in it.
func (s *Store) create() error {
	if s.requires == "" {
		return create(s.path)
	}
	if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) {
		return brain.UnknownBrain(s.requires, nil)
	}
	return nil
}

func (s *Store) openError(ctx context.Context, cause error) error {
	var ours *brain.Error
	if errors.As(cause, &ours) {
		return cause
	}
	var path *fs.PathError
	if errors.As(cause, &path) {
		return brain.Errorf(brain.ErrRefused, "check the path, and that you may write there",
			"open %s: %v", s.path, cause)
	}
	err := s.sorted(ctx, "open the store", cause)
	if errors.As(err, &ours) && code(cause) == sqlite3.SQLITE_CANTOPEN {
		ours.Kind = brain.ErrRefused // it was never open: nothing to wait for
	}
	return err
}

// Info says what the store is.
func (s *Store) Info() brain.StoreInfo {
	return brain.StoreInfo{Kind: "sqlite", URI: "sqlite:" + s.path, Brain: s.name}
}

// Replaced says that the file was removed, or another one put in its place,
// since it was opened: an open file lives on without a name, and what is written
// to it ends with the process. Nothing is read or written then; it is
// [brain.ErrUnavailable] until the store is opened anew.
func (s *Store) Replaced() error {
	now, err := os.Stat(s.path)
	if err == nil && os.SameFile(now, s.opened) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return brain.Errorf(brain.ErrUnavailable, "run the command again, or start the daemon again: it opens what is there now",
		"%s was removed or replaced while it was open", s.path)
}

// View runs fn on one snapshot.
func (s *Store) View(ctx context.Context, fn func(brain.Reader) error) error {
	return s.view(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) view(ctx context.Context, fn func(*tx) error) error {
	if err := s.Replaced(); err != nil {
		return err
	}
	c, err := s.pool.take(ctx, s.pool.readers)
	if err != nil {
		return s.sorted(ctx, "read", err)
	}
	defer func() { s.pool.give(c, s.pool.readers) }()
	defer c.rollback(ctx)
	if err := c.beginRead(ctx); err != nil {
		return s.sorted(ctx, "read", err)
	}
	return fn(&tx{s: s, ctx: ctx, c: c})
}

// Update runs fn once, in one transaction. A write that failed fails all of
// it, also when fn went on.
func (s *Store) Update(ctx context.Context, fn func(brain.Tx) error) error {
	return s.write(ctx, func(t *tx) error {
		if err := fn(t); err != nil {
			return err
		}
		return t.finish()
	})
}

// write runs fn with the write lock and commits unless it fails.
func (s *Store) write(ctx context.Context, fn func(*tx) error) error {
	if err := s.Replaced(); err != nil {
		return err
	}
	c, err := s.pool.take(ctx, s.pool.writers)
	if err != nil {
		return s.sorted(ctx, "write", err)
	}
	defer func() { s.pool.give(c, s.pool.writers) }()
	if err := c.begin(ctx); err != nil {
		return s.sorted(ctx, "wait for the write lock", err)
	}
	defer c.rollback(ctx)
	if err := fn(&tx{s: s, ctx: ctx, c: c, changes: newChanges()}); err != nil {
		return err
	}
	if err := c.commit(ctx); err != nil {
		return s.sorted(ctx, "commit", err)
	}
	return s.Replaced() // meanwhile: then nobody will find it
}

// Close waits for what is under way, gives back the leases that are still held
// and closes the file.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.leases.ReleaseAll()
		s.closeErr = s.pool.close()
	})
	if s.closeErr != nil {
		return fmt.Errorf("close %s: %w", s.path, s.closeErr)
	}
	return nil
}
