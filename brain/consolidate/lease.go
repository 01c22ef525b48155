package consolidate

import (
	"context"
	"errors"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
)

// LeaseName is the lock that every run of a brain holds.
const LeaseName = "consolidation"

// errLost ends a run whose lease could not be kept.
var errLost = errors.New("the lock was lost to another process")

// lock takes the lease. The context that it returns ends when the lease is lost.
func (r *Runner) lock(ctx context.Context) (held context.Context, release func(), err error) {
	holder := r.o.Holder
	holder.Token = brain.NewID()
	lease, err := r.base.Store.Lease(ctx, LeaseName, holder, r.o.Dead)
	if err != nil {
		return nil, nil, err
	}
	held, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-lease.Lost():
			cancel(errLost)
		case <-held.Done():
		}
	}()
	return held, func() {
		cancel(nil)
		<-watched
		if err := lease.Release(); err != nil {
			r.o.Warn(fmt.Errorf("release the lock: %w", err))
		}
	}, nil
}

// cause returns the loss of the lease if that is why a run failed; otherwise it returns
// err.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil && errors.Is(c, errLost) {
		return c
	}
	return err
}
