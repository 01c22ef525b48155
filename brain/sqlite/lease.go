package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// Lease takes a lease by the clock of this machine.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	err := s.write(ctx, func(t *tx) error { return t.takeLease(name, h, dead) })
	if err != nil {
		return nil, err
	}
	return s.leases.Keep(leaseRow{s, name, h.Token}, lease.Defaults()), nil
}

func (t *tx) takeLease(name string, h brain.Holder, dead func(brain.Holder) bool) error {
	now := time.Now()
	held, until, err := t.holder(name)
	if err != nil {
		return err
	}
	if held != nil && now.Before(until) && (dead == nil || !dead(held.Holder)) {
		return held
	}
	b, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("take the lease %s: %w", name, err)
	}
	return t.exec(`INSERT OR REPLACE INTO lease (brain, name, holder, token, since, until) VALUES (?, ?, ?, ?, ?, ?)`,
		t.s.brain, name, string(b), h.Token, now.UnixMilli(), now.Add(lease.Defaults().Lasts).UnixMilli())
}

// holder returns who has a lease, nil for nobody, and until when.
func (t *tx) holder(name string) (*brain.HeldError, time.Time, error) {
	held, until := &brain.HeldError{Name: name}, time.Time{}
	var holder string
	err := t.c.one(t.ctx, `SELECT holder, since, until FROM lease WHERE brain = ? AND name = ?`,
		[]any{t.s.brain, name}, &holder, column{&held.Since}, column{&until})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, until, nil
	}
	if err != nil {
		return nil, until, t.fail(err)
	}
	return held, until, json.Unmarshal([]byte(holder), &held.Holder)
}

// leaseRow is a row of the table lease. See [lease.Row].
type leaseRow struct {
	s           *Store
	name, token string
}

func (l leaseRow) Renew(ctx context.Context) (kept bool, err error) {
	until := time.Now().Add(lease.Defaults().Lasts)
	err = l.s.write(ctx, func(t *tx) error {
		result, err := t.c.exec(t.ctx, `UPDATE lease SET until = ? WHERE brain = ? AND name = ? AND token = ?`,
			until.UnixMilli(), l.s.brain, l.name, l.token)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		kept = n > 0
		return err
	})
	return kept, err
}

func (l leaseRow) Remove() error {
	return l.s.write(context.Background(), func(t *tx) error {
		return t.exec(`DELETE FROM lease WHERE brain = ? AND name = ? AND token = ?`, l.s.brain, l.name, l.token)
	})
}
