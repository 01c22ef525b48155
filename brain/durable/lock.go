package durable

import (
	"context"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

// retry is how long to wait before asking for a lock again. Most are held for
// one write.
const retry = 2 * time.Millisecond

// Lock waits for the lock of a file, which is made if it is missing, between
// processes and between holders in one. An error after the context has ended
// wraps that of the context: somebody else holds the lock.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	l := flock.New(path, flock.SetPermissions(PrivateFile))
	if ok, err := l.TryLockContext(ctx, retry); !ok {
		_ = l.Close()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("wait for %s: %w", path, ctx.Err())
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = l.Close() }, nil
}

// TryLock takes the lock of a file if it is free; unlock is nil where it is
// not.
func TryLock(path string) (unlock func(), err error) {
	l := flock.New(path, flock.SetPermissions(PrivateFile))
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
