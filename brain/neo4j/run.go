package neo4j

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	// grace is how long a server that is away may take to come back.
	grace = 2 * time.Second
	// duplicates is how often a write is repeated whose key was taken: perhaps by
	// the same id, which the function then finds.
	duplicates = 3
)

// View runs fn for reading committed data. A database of an earlier schema can only be dumped.
func (s *Store) View(ctx context.Context, fn func(brain.Reader) error) error {
	if s.schema < schemaVersion {
		return s.Writable()
	}
	return s.repeat(ctx, driver.AccessModeRead, func(t *tx) error { return fn(t) })
}

// Update runs fn in one transaction, again after deadlocks, lost connections
// and commits whose outcome is unknown. While the brain is being replaced it
// returns [brain.ErrUnavailable].
func (s *Store) Update(ctx context.Context, fn func(brain.Tx) error) error {
	if err := s.Writable(); err != nil {
		return err
	}
	err := s.update(ctx, fn)
	var under *loadError
	var missing *indexError
	switch {
	case errors.As(err, &under):
		err = s.endLoad(ctx, under)
	case errors.As(err, &missing):
		err = s.makeVectorIndexes(ctx, missing.dimensions)
	default:
		return err
	}
	if err != nil {
		return err
	}
	return s.update(ctx, fn)
}

func (s *Store) update(ctx context.Context, fn func(brain.Tx) error) error {
	return s.repeat(ctx, driver.AccessModeWrite, func(t *tx) error {
		if err := t.pass(); err != nil {
			return err
		}
		return fn(t)
	})
}

// run runs one query in a transaction, which may be repeated.
func (s *Store) run(ctx context.Context, mode driver.AccessMode, cypher string, params map[string]any) (rows []*driver.Record, err error) {
	err = s.repeat(ctx, mode, func(t *tx) (err error) {
		rows, err = t.send(cypher, params)
		return err
	})
	return rows, err
}

// value returns a column of a row, the zero value for null.
func value[T any](row *driver.Record, column int) T {
	v, _ := row.Values[column].(T)
	return v
}

// column returns a column of all rows without its null values.
func column[T any](rows []*driver.Record, no int) []T {
	all := make([]T, 0, len(rows))
	for _, r := range rows {
		if v, ok := r.Values[no].(T); ok {
			all = append(all, v)
		}
	}
	return all
}

// once runs fn in one transaction. fnErr is the error of fn, driverErr that of the driver. A
// write uses a separate session without bookmarks: a commit leaves one, while a server that
// is being stopped can make the driver report a commit that did not happen.
func (s *Store) once(ctx context.Context, mode driver.AccessMode, fn func(*tx) error) (fnErr, driverErr error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	session := s.driver.NewSession(ctx, s.sessionConfig(mode))
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	work := func(m driver.ManagedTransaction) (any, error) {
		t := newTx(ctx, s, m, mode)
		fnErr, driverErr = t.finish(fn(t))
		s.watch.Left(t.unreadable)
		return nil, errors.Join(fnErr, driverErr)
	}
	execute := session.ExecuteWrite
	if mode == driver.AccessModeRead {
		execute = session.ExecuteRead
	}
	_, err := execute(ctx, work)
	if err == nil && mode == driver.AccessModeWrite {
		committed := session.LastBookmarks()
		if len(committed) == 0 {
			err = errUnknown // without a bookmark it did not happen
		} else if s.bookmarks != nil {
			err = s.bookmarks.UpdateBookmarks(ctx, nil, committed)
		}
	}
	if fnErr == nil && driverErr == nil {
		driverErr = err // of begin or commit
	}
	return fnErr, driverErr
}

func (s *Store) sessionConfig(mode driver.AccessMode) driver.SessionConfig {
	c := driver.SessionConfig{AccessMode: mode, DatabaseName: s.database}
	if mode == driver.AccessModeRead && s.bookmarks != nil {
		c.BookmarkManager = s.bookmarks
	}
	return c
}

// Version is the bookmark that the server gives a read: it names the last commit to the database.
func (s *Store) Version(ctx context.Context) (version string, err error) {
	leave, err := s.enter()
	if err != nil {
		return "", err
	}
	defer leave()
	err = s.attempt(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, s.timeout)
		defer cancel()
		session := s.driver.NewSession(ctx, s.sessionConfig(driver.AccessModeRead))
		defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
		result, err := session.Run(ctx, "RETURN 1", nil)
		if err == nil {
			_, err = result.Consume(ctx)
		}
		version = strings.Join(session.LastBookmarks(), " ")
		return err
	})
	return version, err
}

// repeat runs fn in transactions until one succeeds or repeating makes no sense.
func (s *Store) repeat(ctx context.Context, mode driver.AccessMode, fn func(*tx) error) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	var fnErr error
	err = s.attempt(ctx, func() (driverErr error) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fnErr, driverErr = s.once(ctx, mode, fn)
		return driverErr
	})
	return cmp.Or(err, fnErr)
}

// attempt calls try until it succeeds or repeating makes no sense.
func (s *Store) attempt(ctx context.Context, try func() error) error {
	p := patience{started: time.Now(), limit: s.timeout}
	for {
		err := try()
		if err == nil {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("neo4j at %s: %w", s.uri, err)
		}
		wait, again := p.next(err)
		if !again {
			return s.explain(err)
		}
		pause(ctx, wait)
	}
}

// patience decides whether a transaction is run again.
type patience struct {
	started  time.Time
	limit    time.Duration // for deadlocks and the like
	downAt   time.Time     // when the server was first found to be away
	attempts int
	taken    int // how often a key was taken
}

// next returns whether to repeat after an error, and how long to wait before.
func (p *patience) next(err error) (time.Duration, bool) {
	p.attempts++
	switch kindOf(err) {
	case duplicate:
		p.taken++
		return 0, p.taken <= duplicates
	case transient:
		return backOff(p.attempts), time.Since(p.started) < p.limit
	case unreachable:
		if p.downAt.IsZero() {
			p.downAt = time.Now()
			return 0, time.Since(p.started) < p.limit
		}
		return backOff(p.attempts), time.Since(p.downAt) < grace
	}
	return 0, false
}

// backOff returns 1 ms doubled with each attempt, at most 200 ms. Half of it is
// random, so that two transactions do not collide again.
func backOff(attempt int) time.Duration {
	d := min(time.Millisecond<<min(attempt, 10), 200*time.Millisecond)
	return d/2 + rand.N(d/2+1)
}

// pause waits; the caller checks the context afterwards.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
