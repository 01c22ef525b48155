package neo4j

import (
	"context"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// Lease takes a lease by the clock of the server.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	update := func(ctx context.Context, fn func(lease.Tx) error) error {
		return s.repeat(ctx, driver.AccessModeWrite, func(t *tx) error { return fn(t) })
	}
	return s.leases.Lease(ctx, lease.Store{Update: update, Times: s.lease}, name, h, dead)
}

// Clock is that of the server.
func (t *tx) Clock() (time.Time, error) {
	rows, err := t.query("RETURN datetime.realtime().epochMillis", nil)
	if err != nil || len(rows) == 0 {
		return time.Time{}, err
	}
	return time.UnixMilli(value[int64](rows[0], 0)).UTC(), nil
}
