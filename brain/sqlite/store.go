// Package sqlite is the embedded store: one file, no server. It keeps the
// contract of [brain.Store] for any number of goroutines and processes.
//
// Writers take turns: within the process by a queue, between processes by
// BEGIN IMMEDIATE. Readers do not wait for them: each transaction has a
// connection to itself and sees a snapshot (WAL). A commit returns after fsync.
package sqlite

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// maxReaders is the number of reads at once; each may fill a page cache of 6 MB.
const maxReaders = 4

// Store is one open file, bound to one brain. See [brain.Store].
type Store struct {
	path     string
	name     string
	requires string // see [Requires]
	program  string // see [Program]
	newer    string // version of the program that wrote a newer format, "" if not known
	watch    brain.Watch
	pool     *pool
	leases   *lease.Keeper

	why    string      // the file can only be read, from a copy; "" if it can be written
	opened os.FileInfo // the file as it was opened
	log    os.FileInfo // that of a copied file; nil: none
	format int         // of the file then
	brain  int64       // its number in the file, 0 if a file that can only be read has none
	token  string      // of the marks of Written

	stale atomic.Bool // a write has found another format
	exact int         // number of vectors up to which a search reads them all

	closeOnce sync.Once
	closeErr  error
}

// Info describes the store.
func (s *Store) Info() brain.StoreInfo {
	return brain.StoreInfo{Kind: "sqlite", URI: "sqlite:" + s.path, Brain: s.name}
}

// Replaced returns [brain.ErrUnavailable] if the file was removed or replaced since
// it was opened. Writes to the open file would then be lost with the process, so
// every read and write fails until the store is opened again.
func (s *Store) Replaced() error {
	now, err := os.Stat(s.path)
	if err == nil && os.SameFile(now, s.opened) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return brain.Errorf(brain.ErrUnavailable, "run the command again, or restart the daemon, to open the present file",
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
		return s.explain(ctx, "read", err)
	}
	defer func() { s.pool.give(c, s.pool.readers) }()
	defer c.rollback(ctx)
	if err := c.beginRead(ctx); err != nil {
		return s.explain(ctx, "read", err)
	}
	t := &tx{s: s, ctx: ctx, c: c}
	defer func() { s.watch.Left(t.unreadable) }()
	return fn(t)
}

// Update runs fn once, in one transaction. If one of its writes fails, all of it
// fails, even if fn ignores the error.
func (s *Store) Update(ctx context.Context, fn func(brain.Tx) error) error {
	return s.write(ctx, func(t *tx) error {
		if err := fn(t); err != nil {
			return err
		}
		return t.finish()
	})
}

// AwaitWriters takes the write lock, which one Update at a time has.
func (s *Store) AwaitWriters(ctx context.Context) error {
	return s.Update(ctx, func(brain.Tx) error { return nil })
}

// write runs fn with the write lock and commits unless it fails.
func (s *Store) write(ctx context.Context, fn func(*tx) error) error {
	if err := cmp.Or(s.Replaced(), s.Writable(), s.watch.Allow()); err != nil {
		return err
	}
	c, err := s.pool.take(ctx, s.pool.writers)
	if err != nil {
		return s.explain(ctx, "write", err)
	}
	defer func() { s.pool.give(c, s.pool.writers) }()
	if err := c.begin(ctx); err != nil {
		return s.explain(ctx, "wait for the write lock", err)
	}
	defer c.rollback(ctx)
	if err := cmp.Or(s.watch.Allow(), s.countCommit(ctx, c)); err != nil {
		return err
	}
	t := &tx{s: s, ctx: ctx, c: c, changes: newChanges()}
	defer func() { s.watch.Left(t.unreadable) }()
	if err := fn(t); err != nil {
		return err
	}
	if err := s.commit(t); err != nil {
		return err
	}
	return s.Replaced() // in that case the written data would be lost
}

// Close releases the leases that are still held, waits for calls in progress and
// closes the file.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.leases.ReleaseAll()
		s.closeErr = s.pool.close()
	})
	return brain.Wrap(s.closeErr, "close %s", s.path)
}

// Lease takes a lease by the clock of this machine.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	return s.leases.Lease(ctx, name, h, dead)
}

// Clock is that of this machine.
func (t *tx) Clock() (time.Time, error) { return time.Now(), nil }
