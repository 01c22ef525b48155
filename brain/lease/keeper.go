// Package lease implements leases as records in a store. It renews them until they are
// released or lost.
package lease

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Keeper takes leases from a store and renews them.
type Keeper struct {
	Lifetime        time.Duration // of a lease that is not renewed
	RenewalInterval time.Duration

	update func(ctx context.Context, fn func(Tx) error) error
	mu     sync.Mutex
	held   map[*held]struct{}
}

// NewKeeper returns a keeper with the times of [brain.Leaser]. update runs fn as
// [brain.Store].Update does, even while the brain is being replaced.
func NewKeeper(update func(ctx context.Context, fn func(Tx) error) error) *Keeper {
	return &Keeper{Lifetime: 60 * time.Second, RenewalInterval: 20 * time.Second, update: update, held: map[*held]struct{}{}}
}

// held is a lease that a goroutine renews.
type held struct {
	lost    chan struct{}
	release func() error
}

// Lease takes a lease and renews it until it is released or lost. See [brain.Leaser].
func (k *Keeper) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	row := row{k, name, h}
	if err := row.take(ctx, dead); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l, done := &held{lost: make(chan struct{})}, make(chan struct{})
	l.release = sync.OnceValue(func() error {
		cancel()
		<-done
		err := row.remove()
		k.mu.Lock()
		delete(k.held, l)
		k.mu.Unlock()
		return err
	})
	k.mu.Lock()
	k.held[l] = struct{}{}
	k.mu.Unlock()
	go func() {
		defer close(done)
		renew(ctx, row, l.lost)
	}()
	return l, nil
}

// Held reports whether a lease is held: it has not expired, and its holder is not dead.
func (k *Keeper) Held(ctx context.Context, name string, dead func(brain.Holder) bool) (bool, error) {
	return row{keeper: k, name: name}.held(ctx, dead)
}

// ReleaseAll releases the leases that are still held. One that cannot be
// released runs out.
func (k *Keeper) ReleaseAll() {
	k.mu.Lock()
	all := slices.Collect(maps.Keys(k.held))
	k.mu.Unlock()
	for _, l := range all {
		_ = l.Release()
	}
}

// renew renews a lease until ctx ends or the lease is lost: when another holder has
// it, or when it could not be renewed for as long as it lasts. Then it closes lost.
func renew(ctx context.Context, row row, lost chan<- struct{}) {
	ticker := time.NewTicker(row.keeper.RenewalInterval)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked := time.Now()
		err := row.renew(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			last = asked
		case errors.Is(err, errLost) || time.Since(last) >= row.keeper.Lifetime:
			close(lost)
			return
		}
	}
}

// Lost is closed when the lease could not be kept.
func (l *held) Lost() <-chan struct{} { return l.lost }

// Release ends the lease.
func (l *held) Release() error { return l.release() }
