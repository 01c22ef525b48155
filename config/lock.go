package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	// patience is how long to wait for another change of the file, which takes
	// milliseconds.
	patience = 10 * time.Second
	retry    = 5 * time.Millisecond
)

// lock keeps all others, in this process or another, from changing the file
// until unlock. It is a file beside it that goes away with unlock; one that a
// crash left there locks nothing.
func lock(file string, patience time.Duration) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	path := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".lock")
	for {
		l := flock.New(path, flock.SetPermissions(0o600))
		held, err := l.TryLockContext(ctx, retry)
		switch {
		case ctx.Err() != nil && !held:
			_ = l.Close()
			return nil, &Error{Where: file, Text: "another program is changing the file", Hint: "try again", Err: ctx.Err()}
		case err != nil:
			_ = l.Close()
			return nil, fmt.Errorf("lock %s: %w", file, err)
		case isAt(l, path):
			return func() {
				_ = os.Remove(path) // before others get the lock, who then see that it is gone
				_ = l.Close()
			}, nil
		}
		_ = l.Close()
	}
}

// isAt reports whether what is locked is still what others would lock: whoever
// held it before has removed it.
func isAt(l *flock.Flock, path string) bool {
	locked, err := l.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(locked, there)
}
