package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"sync/atomic"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Patience says how long [Open] waits for a server that is starting.
type Patience struct {
	// Up is how long to wait until something listens at the address; 0: one try.
	Up time.Duration
	// Ready is how long to wait until what listens there serves the database; 0: one try,
	// for which it may be silent for ten seconds.
	Ready time.Duration
	// Waiting is called after a second, with the time that Open waits at most; nil: nobody
	// is told.
	Waiting func(most time.Duration)
}

const (
	tellAfter = time.Second
	tryAgain  = 200 * time.Millisecond // after a server refused a connection, or ended it
)

// state reads the version of the schema, the number of the brain and the mark of a load, 0 or
// "" for none. If the server is starting, it waits.
func (s *Store) state(ctx context.Context) (version, number int, load string, err error) {
	started := time.Now()
	var most atomic.Int64
	most.Store(int64(max(s.patience.Ready, answerTimeout)))
	told := s.tellLater(&most)
	defer told()
	for {
		version, number, load, err = s.tryState(ctx)
		limit := s.patience.Ready
		if err != nil && kindOf(err) == unreachable && s.nothingListens(ctx) {
			limit = s.patience.Up
			most.Store(int64(limit))
		}
		if err == nil || ctx.Err() != nil || kindOf(err) != unreachable || time.Since(started) >= limit {
			break
		}
		pause(ctx, tryAgain)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, 0, "", fmt.Errorf("neo4j at %s: %w", s.uri, ctx.Err())
	case err != nil:
		return 0, 0, "", s.explain(err)
	}
	return version, number, load, nil
}

// tryState is state without waiting, and with the error of the driver.
func (s *Store) tryState(ctx context.Context) (version, number int, load string, err error) {
	ctx, cancel := context.WithTimeout(ctx, min(s.timeout, answerTimeout))
	defer cancel()
	answer, err := s.auto(ctx, s.timeout, driver.AccessModeRead, readState, map[string]any{"brain": s.brain})
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, 0, "", ctx.Err() // the driver may call it something else
	case err != nil || len(answer.Records) == 0:
		return 0, 0, "", err
	}
	s.dimensions.Store(value[int64](answer.Records[0], 3))
	return int(value[int64](answer.Records[0], 0)), int(value[int64](answer.Records[0], 1)), value[string](answer.Records[0], 2), nil
}

// nothingListens reports whether no connection can be made. The driver hides the type of
// that error while routing, so it is tried.
func (s *Store) nothingListens(ctx context.Context) bool {
	address, err := url.Parse(s.uri)
	if err != nil {
		return false
	}
	dialer := net.Dialer{Timeout: connectTimeout}
	connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(address.Hostname(), cmp.Or(address.Port(), "7687")))
	if err == nil {
		_ = connection.Close()
	}
	return err != nil
}

// tellLater tells that the server is waited for, unless stop is called before.
func (s *Store) tellLater(most *atomic.Int64) (stop func()) {
	if s.patience.Waiting == nil {
		return func() {}
	}
	told := make(chan struct{})
	timer := time.AfterFunc(tellAfter, func() {
		defer close(told)
		s.patience.Waiting(time.Duration(most.Load()))
	})
	return func() {
		if !timer.Stop() {
			<-told
		}
	}
}
