package durable

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockRetry is how long to wait before asking for a lock again. Most are held
// for one write.
const lockRetry = 2 * time.Millisecond

// ErrBusy says that another holder keeps a lock.
var ErrBusy = errors.New("another process holds the lock")

// Lock is a lock between processes, and between holders in one process. A crash
// releases it.
type Lock struct {
	// Path of the lock file. It is created with its folder if it is missing, and is not
	// removed. If Path is a folder, the folder itself is locked.
	Path string
	Wait time.Duration // how long to wait for another holder; 0: not at all
	Busy error         // the error of Acquire if another holder keeps the lock; nil: [ErrBusy]
}

// Acquire waits for the lock and holds it until release is called. If the context is
// canceled first, its cause is returned.
func (l Lock) Acquire(ctx context.Context) (release func(), err error) {
	f := flock.New(l.Path, flock.SetPermissions(PrivateFile))
	if info, err := os.Stat(l.Path); err == nil && info.IsDir() {
		f = flock.New(l.Path, flock.SetFlag(os.O_RDONLY))
	} else if err := MakeDir(filepath.Dir(l.Path), PrivateDir); err != nil {
		return nil, fmt.Errorf("lock %s: %w", l.Path, err)
	}
	held, err := f.TryLock()
	if !held && err == nil && l.Wait > 0 {
		waiting, cancel := context.WithTimeout(ctx, l.Wait)
		defer cancel()
		held, err = f.TryLockContext(waiting, lockRetry)
		if waiting.Err() != nil {
			err = nil
		}
	}
	if held {
		return func() { _ = f.Close() }, nil
	}
	_ = f.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", l.Path, err)
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, fmt.Errorf("wait for the lock %s: %w", l.Path, context.Cause(ctx))
	}
	return nil, cmp.Or(l.Busy, ErrBusy)
}

// Do runs fn while it holds the lock.
func (l Lock) Do(ctx context.Context, fn func() error) error {
	release, err := l.Acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	return fn()
}

// Locked reports whether somebody holds the lock of a file. It does not create the file.
func Locked(path string) (bool, error) {
	f := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := f.TryRLock()
	_ = f.Close()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return !free && err == nil, err
}
