package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	leaseLasts = 60 * time.Second
	leaseRenew = 20 * time.Second
)

// lease is a row of the table of that name, and the goroutine that renews it.
type lease struct {
	s      *Store
	name   string
	token  string
	until  time.Time // of the last renewal; the goroutine's own
	lost   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}

	once sync.Once
	err  error
}

// Lease takes a lease by the clock of this machine.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	until := time.Now().Add(leaseLasts)
	err := s.write(ctx, func(t *tx) error { return t.takeLease(name, h, dead, until) })
	if err != nil {
		return nil, err
	}
	keep, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l := &lease{
		s: s, name: name, token: h.Token, until: until, cancel: cancel,
		lost: make(chan struct{}), done: make(chan struct{}),
	}
	s.mu.Lock()
	s.leases[l] = struct{}{}
	s.mu.Unlock()
	go l.renew(keep)
	return l, nil
}

func (t *tx) takeLease(name string, h brain.Holder, dead func(brain.Holder) bool, until time.Time) error {
	now := time.Now()
	held, err := t.holder(name)
	if err != nil {
		return t.fail("read the lease "+name, err)
	}
	if held != nil && now.Before(held.until) && (dead == nil || !dead(held.Holder)) {
		return &held.HeldError
	}
	b, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("take the lease %s: %w", name, err)
	}
	err = t.exec(`INSERT OR REPLACE INTO lease (brain, name, holder, token, since, until) VALUES (?, ?, ?, ?, ?, ?)`,
		t.s.brain, name, string(b), h.Token, now.UnixMilli(), until.UnixMilli())
	return t.fail("take the lease "+name, err)
}

type heldLease struct {
	brain.HeldError
	until time.Time
}

// holder returns who has a lease, nil for nobody.
func (t *tx) holder(name string) (*heldLease, error) {
	l := &heldLease{HeldError: brain.HeldError{Name: name}}
	var holder string
	err := t.c.one(t.ctx, `SELECT holder, since, until FROM lease WHERE brain = ? AND name = ?`,
		[]any{t.s.brain, name}, &holder, instant{&l.Since}, instant{&l.until})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return l, json.Unmarshal([]byte(holder), &l.Holder)
}

// renew prolongs the lease until it is cancelled or cannot be kept.
func (l *lease) renew(ctx context.Context) {
	defer close(l.done)
	tick := time.NewTicker(leaseRenew)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.s.pool.closed: // taken while the store was being closed
			close(l.lost)
			return
		case <-tick.C:
		}
		if !l.prolong(ctx) {
			close(l.lost)
			return
		}
	}
}

// prolong writes a new end. It says false when the lease is somebody else's,
// or could not be written until it ran out.
func (l *lease) prolong(ctx context.Context) bool {
	until := time.Now().Add(leaseLasts)
	var kept int64
	err := l.s.write(ctx, func(t *tx) (err error) {
		kept, err = t.changed(`UPDATE lease SET until = ? WHERE brain = ? AND name = ? AND token = ?`,
			until.UnixMilli(), l.s.brain, l.name, l.token)
		return err
	})
	if err != nil {
		return ctx.Err() != nil || time.Now().Before(l.until)
	}
	l.until = until
	return kept > 0
}

// Lost is closed when the lease could not be kept.
func (l *lease) Lost() <-chan struct{} { return l.lost }

// Release gives the lease back.
func (l *lease) Release() error {
	l.once.Do(func() {
		l.cancel()
		<-l.done
		l.s.mu.Lock()
		delete(l.s.leases, l)
		l.s.mu.Unlock()
		l.err = l.s.write(context.Background(), func(t *tx) error {
			err := t.exec(`DELETE FROM lease WHERE brain = ? AND name = ? AND token = ?`, l.s.brain, l.name, l.token)
			return t.fail("release the lease "+l.name, err)
		})
	})
	return l.err
}

// releaseAll gives back what is still held when the store is closed.
func (s *Store) releaseAll() {
	s.mu.Lock()
	held := make([]*lease, 0, len(s.leases))
	for l := range s.leases {
		held = append(held, l)
	}
	s.mu.Unlock()
	for _, l := range held {
		_ = l.Release() // it runs out by itself
	}
}
