package sqlite

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain"
)

// Where SQLite cannot lock a file or keep its log, because the disk is full or the file or its
// folder cannot be written, the file is read from a copy in a temporary folder.

// Copied reports whether the store is a copy, which does not change.
func (s *Store) Copied() bool { return s.why != "" }

// CopyOutdated reports whether the store is a copy of a file that has changed since, or can be
// written now.
func (s *Store) CopyOutdated(ctx context.Context) bool {
	if !s.Copied() {
		return false
	}
	if now, log := stats(s.path); !same(now, s.opened) || !same(log, s.log) {
		return true
	}
	err := syscall.Access(s.path, mayWrite)
	if err == nil {
		err = tryRead(ctx, s.path)
	}
	return s.unwritable(err) == ""
}

// tryRead opens a connection and reads a little, for which SQLite needs the log and its index.
func tryRead(ctx context.Context, path string) error {
	c, err := connect(ctx, path, 0)
	if err != nil {
		return err
	}
	defer func() { _ = c.close() }() // it was only read
	return c.one(ctx, "SELECT count(*) FROM sqlite_master", nil, new(int))
}

// unwritable says why a file could not be opened that perhaps can be read, "" for other errors.
func (s *Store) unwritable(err error) string {
	c := code(err) & 0xff
	failed := c == sqlite3.SQLITE_FULL || c == sqlite3.SQLITE_IOERR
	closed := c == sqlite3.SQLITE_CANTOPEN || c == sqlite3.SQLITE_READONLY || c == sqlite3.SQLITE_PERM ||
		errors.Is(err, fs.ErrPermission)
	var disk syscall.Statfs_t
	switch {
	case failed && syscall.Statfs(filepath.Dir(s.path), &disk) == nil && disk.Bavail*uint64(disk.Bsize) < 1<<20:
		return diskFull
	case failed:
		return diskFails
	case errors.Is(err, syscall.EROFS):
		return diskFixed
	case closed:
		return "the file or its folder is read-only"
	}
	return ""
}

// The reasons why a file cannot be written for which its permissions are not to blame.
const (
	diskFull  = "the disk is full"
	diskFails = "the disk cannot be written"
	diskFixed = "the disk is mounted read-only"
)

// openCopy opens a copy of the file. Every write to it is [brain.ErrReadOnly].
func (s *Store) openCopy(ctx context.Context, why string) error {
	s.why = why
	err := s.withCopy(func() error {
		err := s.openConnection(ctx, s.opened)
		for n := 1; n < maxReaders && err == nil; n++ {
			var c *conn
			if c, err = connect(ctx, s.pool.path, s.pool.cache); err == nil {
				err = s.recognize(ctx, c)
				s.pool.push(c)
			}
		}
		return err
	})
	if err != nil {
		s.why = ""
	}
	return err
}

// withCopy calls open, which opens all connections that the pool will need, to a copy of the file and
// its log. Then it removes the copy: open connections go on reading it, and a process that is killed
// leaves nothing behind.
func (s *Store) withCopy(open func() error) (err error) {
	const tries = 5
	for _, folder := range []string{os.TempDir(), "/dev/shm"} { // the latter may have space on a full disk
		var failed error
		for range tries {
			if failed = s.copyTo(folder, open); !errors.Is(failed, brain.ErrBusy) {
				break
			}
		}
		if failed == nil {
			return nil
		}
		err = cmp.Or(err, failed)
	}
	return err
}

// copyTo is withCopy in one folder. The error is [brain.ErrBusy] if the file changes meanwhile.
func (s *Store) copyTo(folder string, open func() error) error {
	dir, err := os.MkdirTemp(folder, "brainbridge-")
	if err != nil {
		return err
	}
	to := filepath.Join(dir, "brain.db")
	s.opened, s.log = stats(s.path)
	err = copyFile(to, s.path)
	if err == nil && s.log != nil {
		err = copyFile(to+"-wal", s.path+"-wal")
	}
	if now, log := stats(s.path); err == nil && (!same(now, s.opened) || !same(log, s.log)) {
		err = brain.Busy("%s is being written", s.path)
	}
	if err == nil {
		s.pool.path, s.pool.kept = to, maxReaders
		err = open()
	}
	if err != nil {
		for c := s.pool.pop(); c != nil; c = s.pool.pop() {
			_ = c.close() // it was only read
		}
		s.pool.path = s.path
	}
	return errors.Join(err, os.RemoveAll(dir))
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// readOnly is the error of every write to a copy.
func (s *Store) readOnly() error {
	const inSandbox = "; in the sandbox of an agent, call the tools of the MCP server instead"
	hint := "check who may write to the file and its folder" + inSandbox
	switch s.why {
	case diskFixed:
		hint = "mount it for writing" + inSandbox
	case diskFull:
		hint = "free some space on that disk"
	case diskFails:
		hint = "check the disk and read the system log"
	}
	return brain.Errorf(brain.ErrReadOnly, hint, "%s can only be read, from a copy: %s", s.path, s.why)
}

func stats(path string) (file, log os.FileInfo) {
	file, _ = os.Stat(path) // reading it says what is wrong
	log, _ = os.Stat(path + "-wal")
	return file, log
}

func same(a, b os.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
