package daemon

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/brainbridge/brainbridge/brain"
)

// Await opens a store. If it cannot be reached yet, Await calls waiting once and
// tries again until it can.
func Await(ctx context.Context, open func(context.Context) error, waiting func(error)) error {
	called := false
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 500*time.Millisecond, 15*time.Second
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := open(ctx)
		if err != nil && !errors.Is(err, brain.ErrUnavailable) {
			return struct{}{}, backoff.Permanent(err)
		}
		if err != nil && !called {
			called = true
			waiting(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxElapsedTime(0))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
