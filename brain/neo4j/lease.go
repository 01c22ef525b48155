package neo4j

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// leaseTimes are how long a lease lasts by the server's clock, how often it is
// renewed, and after which time without an answer it counts as lost.
type leaseTimes struct{ lasts, renewed time.Duration }

func leaseDefaults() leaseTimes {
	return leaseTimes{lasts: 60 * time.Second, renewed: 20 * time.Second}
}

// The server's clock is compared with itself only; since comes from Go and is
// for people.
const takeLease = `MERGE (l:Lease {brain: $brain, name: $name}) SET l._lock = true REMOVE l._lock
WITH l, datetime.realtime().epochMillis AS now
WITH l, now, l.token IS NULL OR l.until <= now OR l.token = $token OR l.token = $gone AS free
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END |
  SET l.host = $host, l.pid = $pid, l.token = $token, l.since = $since, l.until = now + $lasts)
RETURN free, l.host, l.pid, l.token, l.since`

const renewLease = `MATCH (l:Lease {brain: $brain, name: $name}) SET l._lock = true REMOVE l._lock
WITH l WHERE l.token = $token
SET l.until = datetime.realtime().epochMillis + $lasts RETURN true, l.host, l.pid, l.token, l.since`

const dropLease = `MATCH (l:Lease {brain: $brain, name: $name}) SET l._lock = true REMOVE l._lock
WITH l WHERE l.token = $token DELETE l`

// lease is one that is held.
type lease struct {
	store  *Store
	name   string
	holder brain.Holder
	lost   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}
	once   sync.Once
	err    error
}

// Lease takes a lease or says who holds it.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	if err := checkKeys("lease", name, h.Token); err != nil {
		return nil, err
	}
	held, err := s.takeLease(ctx, name, h, "")
	if err != nil {
		return nil, err
	}
	if held != nil && dead != nil && dead(held.Holder) {
		// Only from the one that is gone: another may have been faster.
		if held, err = s.takeLease(ctx, name, h, held.Holder.Token); err != nil {
			return nil, err
		}
	}
	if held != nil {
		return nil, held
	}
	return s.keep(name, h), nil
}

// held returns the leases that have not been released.
func (s *Store) held() []*lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.leases))
}

// takeLease takes a lease that is free or held with the token gone, else says
// who holds it.
func (s *Store) takeLease(ctx context.Context, name string, h brain.Holder, gone string) (*brain.HeldError, error) {
	rows, err := s.leaseQuery(ctx, takeLease, map[string]any{
		"name": name, "host": h.Host, "pid": h.PID, "token": h.Token, "gone": text(gone),
		"since": instant(time.Now()), "lasts": s.lease.lasts.Milliseconds(),
	})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if free, _ := rows[0].Values[0].(bool); free {
		return nil, nil
	}
	p := props{"host": rows[0].Values[1], "pid": rows[0].Values[2], "token": rows[0].Values[3], "since": rows[0].Values[4]}
	holder := brain.Holder{Host: p.str("host"), PID: p.num("pid"), Token: p.str("token")}
	return &brain.HeldError{Name: name, Holder: holder, Since: p.at("since")}, nil
}

// leaseQuery runs a query in a transaction of its own, which may run again:
// taking, renewing and releasing go by the token.
func (s *Store) leaseQuery(ctx context.Context, cypher string, params map[string]any) (rows []*driver.Record, err error) {
	err = s.repeat(ctx, func(ctx context.Context) outcome {
		return s.once(ctx, driver.AccessModeWrite, func(t *tx) error {
			rows, err = t.send(cypher, params)
			return err
		})
	})
	return rows, err
}

// keep starts the renewal of a lease.
func (s *Store) keep(name string, h brain.Holder) *lease {
	ctx, cancel := context.WithCancel(context.Background())
	l := &lease{
		store: s, name: name, holder: h, cancel: cancel,
		lost: make(chan struct{}), done: make(chan struct{}),
	}
	s.mu.Lock()
	if s.leases == nil {
		s.leases = make(map[*lease]struct{})
	}
	s.leases[l] = struct{}{}
	s.mu.Unlock()
	go l.renew(ctx)
	return l
}

func (l *lease) Lost() <-chan struct{} { return l.lost }

// renew keeps the lease until ctx ends, or says that it is lost: when another
// holds it, or when the server has not answered for as long as it lasts.
func (l *lease) renew(ctx context.Context) {
	defer close(l.done)
	ticker := time.NewTicker(l.store.lease.renewed)
	defer ticker.Stop()
	kept := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked := time.Now()
		rows, err := l.ask(ctx, renewLease)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && len(rows) > 0:
			kept = asked
			continue
		case err != nil && time.Since(kept) < l.store.lease.lasts:
			continue
		}
		l.store.log.Warn().Str("lease", l.name).Err(err).Msg("lease lost")
		close(l.lost)
		return
	}
}

func (l *lease) ask(ctx context.Context, cypher string) ([]*driver.Record, error) {
	return l.store.leaseQuery(ctx, cypher, map[string]any{
		"name": l.name, "token": l.holder.Token, "lasts": l.store.lease.lasts.Milliseconds(),
	})
}

// Release gives the lease back. When that fails it runs out by itself.
func (l *lease) Release() error {
	l.once.Do(func() {
		l.cancel()
		<-l.done
		ctx, cancel := context.WithTimeout(context.Background(), l.store.timeout)
		defer cancel()
		_, l.err = l.ask(ctx, dropLease)
		l.store.mu.Lock()
		delete(l.store.leases, l)
		l.store.mu.Unlock()
	})
	return l.err
}
