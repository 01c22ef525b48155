package neo4j

import (
	"context"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// Leases end by the server's clock. The property since comes from Go and is for
// people.
const (
	lockLease = ` SET l._lock = true REMOVE l._lock WITH l`

	takeLease = `MERGE (l:Lease {brain: $brain, name: $name})` + lockLease + `, datetime.realtime().epochMillis AS now
WITH l, now, l.token IS NULL OR l.until <= now OR l.token = $token OR l.token = $gone AS free
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END |
  SET l.host = $host, l.pid = $pid, l.token = $token, l.since = $since, l.until = now + $lasts)
RETURN free, l.host, l.pid, l.token, l.since`

	ownLease   = `MATCH (l:Lease {brain: $brain, name: $name})` + lockLease + ` WHERE l.token = $token `
	renewLease = ownLease + `SET l.until = datetime.realtime().epochMillis + $lasts RETURN true`
	dropLease  = ownLease + `DELETE l`
)

// Lease takes a lease or returns who holds it.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	if err := checkKeys("lease", name, h.Token); err != nil {
		return nil, err
	}
	held, err := s.takeLease(ctx, name, h, "")
	if err == nil && held != nil && dead != nil && dead(held.Holder) {
		// Only from this dead holder: another process may have been faster.
		held, err = s.takeLease(ctx, name, h, held.Holder.Token)
	}
	if err != nil {
		return nil, err
	}
	if held != nil {
		return nil, held
	}
	return s.leases.Keep(leaseNode{s, name, h.Token}, s.lease), nil
}

// takeLease takes a lease that is free or has the token gone; else it returns who
// holds it.
func (s *Store) takeLease(ctx context.Context, name string, h brain.Holder, gone string) (*brain.HeldError, error) {
	rows, err := s.run(ctx, driver.AccessModeWrite, takeLease, map[string]any{
		"name": name, "host": h.Host, "pid": h.PID, "token": h.Token, "gone": text(gone),
		"since": instant(time.Now()), "lasts": s.lease.Lasts.Milliseconds(),
	})
	if err != nil || len(rows) == 0 || value[bool](rows[0], 0) {
		return nil, err
	}
	holder := brain.Holder{Host: value[string](rows[0], 1), PID: int(value[int64](rows[0], 2)), Token: value[string](rows[0], 3)}
	return &brain.HeldError{Name: name, Holder: holder, Since: value[time.Time](rows[0], 4).UTC()}, nil
}

// leaseNode is a lease on the server. See [lease.Row].
type leaseNode struct {
	s           *Store
	name, token string
}

func (l leaseNode) run(ctx context.Context, cypher string) ([]*driver.Record, error) {
	return l.s.run(ctx, driver.AccessModeWrite, cypher, map[string]any{
		"name": l.name, "token": l.token, "lasts": l.s.lease.Lasts.Milliseconds(),
	})
}

func (l leaseNode) Renew(ctx context.Context) (kept bool, err error) {
	rows, err := l.run(ctx, renewLease)
	return len(rows) > 0, err
}

func (l leaseNode) Remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), l.s.timeout)
	defer cancel()
	_, err := l.run(ctx, dropLease)
	return err
}
