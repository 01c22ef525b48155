package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"

	"github.com/brainbridge/brainbridge/brain"
)

// Nobody but the person may read what was captured.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// retry is how long to wait before asking for a lock again. Locks of the file
// are held for one write.
const retry = 2 * time.Millisecond

// makeDir makes a folder and what is missing above it, so that it survives a
// loss of power.
func makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeDir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}

// syncDir makes names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// lock waits for a file lock, between processes and between handles of one. A
// context that ends first makes it [brain.ErrBusy].
func lock(ctx context.Context, path string) (unlock func(), err error) {
	l := flock.New(path, flock.SetPermissions(fileMode))
	if ok, err := l.TryLockContext(ctx, retry); !ok {
		_ = l.Close()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("wait for %s: %w: %w", path, brain.ErrBusy, ctx.Err())
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = l.Close() }, nil
}

// tryLock takes a file lock if it is free; unlock is nil where it is not.
func tryLock(path string) (unlock func(), err error) {
	l := flock.New(path, flock.SetPermissions(fileMode))
	ok, err := l.TryLock()
	if ok {
		return func() { _ = l.Close() }, nil
	}
	_ = l.Close()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return nil, nil
}

// appendLines adds whole lines to the end of a file and returns when they are
// durable. A last line that a dead writer left without its end gets one first.
// After an error the file is as it was, as far as the disk allows.
func appendLines(path string, lines []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if torn, err := tornAt(f, size); err != nil {
		return err
	} else if torn {
		lines = append([]byte("\n"), lines...)
	}
	if err := writeDurably(f, lines); err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	if size == 0 {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

func tornAt(f *os.File, size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	_, err := f.ReadAt(last[:], size-1)
	return last[0] != '\n', err
}

func writeDurably(f *os.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// replace puts content in the place of a file, or removes the file when there
// is none left. A crash leaves the one or the other.
func replace(path string, content []byte) error {
	dir := filepath.Dir(path)
	removeTemps(path)
	if len(content) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return syncDir(dir)
	}
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(dir), renameio.WithStaticPermissions(fileMode))
	if err != nil {
		return err
	}
	defer func() { _ = f.Cleanup() }()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return err
	}
	return syncDir(dir)
}

// removeTemps clears what a process left that died while it replaced a file.
// The caller holds the lock, so nobody is at it now.
func removeTemps(path string) {
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"*"))
	if err != nil {
		return // a folder whose name is a pattern: they stay
	}
	for _, name := range left {
		_ = os.Remove(name)
	}
}
