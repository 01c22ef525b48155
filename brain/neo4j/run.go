package neo4j

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	// grace is how long a server that went away may take to come back.
	grace = 2 * time.Second
	// duplicates is how often a write whose key was taken is run again: what
	// took it may be the same id, which the function then finds.
	duplicates = 3
	// remembered is how many bookmarks are kept for reads in a cluster.
	remembered = 32
)

// View runs fn for reading committed data.
func (s *Store) View(ctx context.Context, fn func(brain.Reader) error) error {
	return s.repeat(ctx, func(ctx context.Context) outcome {
		return s.once(ctx, driver.AccessModeRead, func(t *tx) error { return fn(t) })
	})
}

// Update runs fn in one transaction, again after deadlocks, lost connections
// and commits whose outcome is unknown. While the brain is being replaced it is
// [brain.ErrUnavailable].
func (s *Store) Update(ctx context.Context, fn func(brain.Tx) error) error {
	err := s.update(ctx, fn)
	var under *loadError
	if !errors.As(err, &under) {
		return err
	}
	if err := s.settle(ctx, under); err != nil {
		return err
	}
	return s.update(ctx, fn)
}

func (s *Store) update(ctx context.Context, fn func(brain.Tx) error) error {
	return s.repeat(ctx, func(ctx context.Context) outcome {
		return s.once(ctx, driver.AccessModeWrite, func(t *tx) error {
			if err := t.pass(); err != nil {
				return err
			}
			return fn(t)
		})
	})
}

// outcome is how one attempt ended: own is what the caller's function
// returned, failed what the driver did.
type outcome struct{ own, failed error }

// once runs fn in one transaction. A write has a session of its own without
// bookmarks: a commit that really happened leaves one, while a server that is
// being stopped can make the driver report a commit that never was.
func (s *Store) once(ctx context.Context, mode driver.AccessMode, fn func(*tx) error) (out outcome) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	session := s.driver.NewSession(ctx, s.sessionConfig(mode))
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	work := func(m driver.ManagedTransaction) (any, error) {
		t := newTx(ctx, s, m, mode)
		out = t.finish(fn(t))
		return nil, errors.Join(out.own, out.failed)
	}
	if mode == driver.AccessModeRead {
		_, err := session.ExecuteRead(ctx, work)
		return out.with(err)
	}
	_, err := session.ExecuteWrite(ctx, work)
	if err == nil && len(session.LastBookmarks()) == 0 {
		err = errUnknown
	}
	if err == nil {
		s.remember(session.LastBookmarks())
	}
	return out.with(err)
}

// with adds an error of begin or commit.
func (o outcome) with(err error) outcome {
	if o.own == nil && o.failed == nil {
		o.failed = err
	}
	return o
}

func (s *Store) sessionConfig(mode driver.AccessMode) driver.SessionConfig {
	c := driver.SessionConfig{AccessMode: mode, DatabaseName: s.database}
	if mode == driver.AccessModeRead && s.routed() {
		s.mu.Lock()
		c.Bookmarks = s.bookmarks
		s.mu.Unlock()
	}
	return c
}

func (s *Store) remember(b driver.Bookmarks) {
	if !s.routed() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := driver.CombineBookmarks(s.bookmarks, b)
	s.bookmarks = all[max(0, len(all)-remembered):]
}

// repeat makes attempts until one ends well or repeating has no sense.
func (s *Store) repeat(ctx context.Context, attempt func(context.Context) outcome) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	p := newPatience(s.timeout)
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("neo4j at %s: %w", s.uri, err)
		}
		out := attempt(ctx)
		if out.failed == nil {
			return out.own
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("neo4j at %s: %w", s.uri, err)
		}
		wait, again := p.next(out.failed)
		if !again {
			return s.explain(out.failed)
		}
		s.log.Debug().Int("attempt", p.attempts).Err(innermost(out.failed)).Msg("transaction is run again")
		pause(ctx, wait)
	}
}

// patience decides whether a transaction is run again.
type patience struct {
	started  time.Time
	limit    time.Duration // for what passes by itself
	downAt   time.Time     // when the server was first seen to be away
	attempts int
	taken    int
}

func newPatience(limit time.Duration) patience { return patience{started: time.Now(), limit: limit} }

// next says whether to run again after that error, and how long to wait first.
func (p *patience) next(err error) (time.Duration, bool) {
	p.attempts++
	switch sortError(err) {
	case duplicate:
		p.taken++
		return 0, p.taken <= duplicates
	case passing:
		return backOff(p.attempts), time.Since(p.started) < p.limit
	case down:
		if p.downAt.IsZero() {
			p.downAt = time.Now()
			return 0, time.Since(p.started) < p.limit
		}
		return backOff(p.attempts), time.Since(p.downAt) < grace
	}
	return 0, false
}

// backOff is 1 ms doubled with each attempt, at most 200 ms, half of it random
// so that two who collided do not collide again.
func backOff(attempt int) time.Duration {
	d := min(time.Millisecond<<min(attempt, 10), 200*time.Millisecond)
	return d/2 + rand.N(d/2+1)
}

// pause waits; the caller looks at the context afterwards.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
