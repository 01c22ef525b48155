// Package lease renews the leases that a store has taken until they are
// released or lost.
package lease

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Times are the duration of a lease and the interval of its renewal.
type Times struct{ Lasts, Renewed time.Duration }

// Defaults returns the times of the contract, see [brain.Leaser].
func Defaults() Times { return Times{Lasts: 60 * time.Second, Renewed: 20 * time.Second} }

// Row is a lease in a store. Its methods change it only while it has this
// holder's token.
type Row interface {
	// Renew prolongs the lease. It returns false if another holder has it.
	Renew(ctx context.Context) (kept bool, err error)
	// Remove ends the lease.
	Remove() error
}

// Keeper renews the leases that a store has taken. The zero value is ready to use.
type Keeper struct {
	mu   sync.Mutex
	held map[*held]struct{}
}

// held is a lease that a goroutine renews.
type held struct {
	lost    chan struct{}
	release func() error
}

// Keep renews a lease that was just taken until it is released or lost.
func (k *Keeper) Keep(row Row, times Times) brain.Lease {
	ctx, cancel := context.WithCancel(context.Background())
	l, done := &held{lost: make(chan struct{})}, make(chan struct{})
	l.release = sync.OnceValue(func() error {
		cancel()
		<-done
		err := row.Remove()
		k.mu.Lock()
		delete(k.held, l)
		k.mu.Unlock()
		return err
	})
	k.mu.Lock()
	if k.held == nil {
		k.held = map[*held]struct{}{}
	}
	k.held[l] = struct{}{}
	k.mu.Unlock()
	go func() {
		defer close(done)
		renew(ctx, row, times, l.lost)
	}()
	return l
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
func renew(ctx context.Context, row Row, times Times, lost chan<- struct{}) {
	ticker := time.NewTicker(times.Renewed)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked := time.Now()
		kept, err := row.Renew(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && kept:
			last = asked
		case err == nil || time.Since(last) >= times.Lasts:
			close(lost)
			return
		}
	}
}

// Lost is closed when the lease could not be kept.
func (l *held) Lost() <-chan struct{} { return l.lost }

// Release ends the lease.
func (l *held) Release() error { return l.release() }
