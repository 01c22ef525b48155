package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

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

// Program names the version of the program, for the record of formats.
func Program(version string) Option {
	return func(s *Store) { s.program = version }
}

// Open opens the file at path for one brain, and creates both if they do not
// exist: the file for its owner only, and its folder. A file of an earlier or newer
// format opens for reading only, see [brain.Migrator]. A file of an unknown earlier
// format, of another program or that is not a database is [brain.ErrRefused] and is not
// changed.
func Open(ctx context.Context, path, brainName string, options ...Option) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &Store{path: abs, name: brainName, pool: newPool(abs), exact: exactVectors}
	s.leases = lease.NewKeeper(func(ctx context.Context, fn func(lease.Tx) error) error {
		return s.write(ctx, func(t *tx) error { return fn(t) })
	})
	for _, o := range options {
		o(s)
	}
	if IsEmpty(abs) {
		if err := s.watch.Require(s.requires); err != nil {
			return nil, err
		}
	}
	if err := s.open(ctx); err != nil {
		return nil, s.openError(ctx, err)
	}
	return s, nil
}

// mayWrite is W_OK of access(2).
const mayWrite = 2

// open opens the file, and creates the file and the schema if they are missing. A file that
// cannot be written is read from a copy.
func (s *Store) open(ctx context.Context) error {
	err := create(s.path)
	var opened os.FileInfo
	if err == nil {
		opened, err = os.Stat(s.path)
	}
	if err == nil {
		err = syscall.Access(s.path, mayWrite) // SQLite would make a log that nobody can write later
	}
	if err == nil {
		err = s.openConnection(ctx, opened)
	}
	if why := s.unwritable(err); why != "" && !IsEmpty(s.path) && ctx.Err() == nil {
		copyErr := s.openCopy(ctx, why)
		if copyErr == nil {
			return nil
		}
		err = fmt.Errorf("%w; a copy could not be read either: %v", err, copyErr) //nolint:errorlint // the first says what to do
	}
	return err
}

// openConnection opens the first connection to the file, and reads what the store is.
func (s *Store) openConnection(ctx context.Context, opened os.FileInfo) error {
	c, err := connect(ctx, s.pool.path, s.pool.cache)
	if err != nil {
		return err
	}
	err = s.prepare(ctx, c)
	if err == nil {
		s.findNewer(ctx, c)
		s.brain, s.token, err = s.identity(ctx, c)
	}
	if err == nil && s.format == schemaVersion {
		err = s.sawAtOpen(ctx, c)
	}
	if err != nil {
		_ = c.close()
		return err
	}
	s.opened = opened
	s.pool.push(c)
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
	if ctx.Err() == nil && code(cause)&0xff == sqlite3.SQLITE_ERROR {
		return brain.Errorf(ErrDamaged, restoreHint, "open the store: %s is damaged (%v)", s.path, cause)
	}
	err := s.explain(ctx, "open the store", cause)
	if errors.As(err, &ours) && code(cause) == sqlite3.SQLITE_CANTOPEN {
		ours.Kind = brain.ErrRefused // waiting does not help
	}
	return err
}
