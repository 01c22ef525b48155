package consolidate

import (
	"context"
	"errors"
	"fmt"
	"time"

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
		releaseLease(lease, r.o.Warn)
	}, nil
}

// cause returns the loss of the lease if a run failed because of it, else err.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil && errors.Is(c, errLost) {
		return c
	}
	return err
}

const (
	holdPatience = 30 * time.Second       // how long [Hold] waits for a run in progress
	waitStep     = 200 * time.Millisecond // between two tries
)

// Hold waits for the lock of runs and takes it. warn receives the failure to release it.
func Hold(ctx context.Context, s brain.Leaser, h brain.Holder, dead func(brain.Holder) bool, warn func(error)) (release func(), err error) {
	held, err := whileBusy(ctx, holdPatience, func() (brain.Lease, error) { return s.Lease(ctx, LeaseName, h, dead) })
	if err != nil {
		return nil, err
	}
	return func() { releaseLease(held, warn) }, nil
}

func releaseLease(l brain.Lease, warn func(error)) {
	if err := l.Release(); err != nil {
		warn(fmt.Errorf("release the lock: %w", err))
	}
}

// whileBusy calls fn until it no longer returns [brain.ErrBusy], at most for wait.
func whileBusy[T any](ctx context.Context, wait time.Duration, fn func() (T, error)) (T, error) {
	until := time.Now().Add(wait)
	for {
		v, err := fn()
		if !errors.Is(err, brain.ErrBusy) || time.Now().After(until) {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, ctx.Err()
		case <-time.After(waitStep):
		}
	}
}
