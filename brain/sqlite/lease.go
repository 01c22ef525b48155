package sqlite

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// Lease takes a lease by the clock of this machine.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	update := func(ctx context.Context, fn func(lease.Tx) error) error {
		return s.write(ctx, func(t *tx) error { return fn(t) })
	}
	return s.leases.Lease(ctx, lease.Store{Update: update, Times: lease.Defaults()}, name, h, dead)
}

// Clock is that of this machine.
func (t *tx) Clock() (time.Time, error) { return time.Now(), nil }
