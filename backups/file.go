package backups

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"

	"github.com/brainbridge/brainbridge/brain"
)

// Nobody but the person may read what was remembered.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// retry is how long to wait before asking for the archive's lock again.
const retry = 5 * time.Millisecond

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

// replace puts content in the place of a file. A crash leaves the one or the
// other.
func replace(path string, content []byte) error {
	dir := filepath.Dir(path)
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

// read is the content of a file; one that does not exist has none.
func read(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}
