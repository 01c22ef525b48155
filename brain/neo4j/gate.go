package neo4j

import (
	"context"
	"errors"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// The node of a brain is a gate for its writers. MERGE on an existing unique key
// holds a shared lock on the key until the transaction ends, so writers do not
// wait for each other. Creating a second node with that key asks for the exclusive
// lock: it waits until all writers have ended and then fails, because the key is
// taken. Later writers see a mark that was set on the node before. The node of the
// schema is the same for the writers of all brains, whom a migration keeps out.
const (
	passGate = `MERGE (s:BrainbridgeSchema {name: 'schema'}) ON CREATE SET s.version = $version
MERGE (b:BrainbridgeBrain {name: $brain})
RETURN b.load, b.number, coalesce(s.upgrading, s.version)`
	waitGate = `MATCH (b:BrainbridgeBrain {name: $brain}) CREATE (:BrainbridgeBrain {name: b.name})`
	// loadLease is held while the process of a load is alive.
	loadLease = "load"
)

// loadError is the error of a writer that finds the mark of a load.
type loadError struct{ mark string }

func (e *loadError) Error() string { return "the brain is being replaced" }

func (e *loadError) Unwrap() error { return brain.ErrUnavailable }

// pass takes the shared locks of the gates until the transaction ends. It fails if the
// database has another schema than when it was opened.
func (t *tx) pass() error {
	rows, err := t.send(passGate, map[string]any{"version": schemaVersion})
	if err != nil || len(rows) == 0 {
		return err
	}
	if value[int64](rows[0], 2) != schemaVersion {
		t.store.stale.Store(true)
		return brain.Upgraded()
	}
	if value[int64](rows[0], 1) != int64(t.store.number) { // the error undoes the MERGE
		t.store.replaced.Store(true)
		return t.store.Replaced()
	}
	if err := t.store.watch.Allow(); err != nil {
		return err
	}
	t.store.wrote.Store(true)
	if mark := value[string](rows[0], 0); mark != "" {
		return &loadError{mark}
	}
	return nil
}

// shut sets a mark and waits until no writer is left.
func (s *Store) shut(ctx context.Context, mark string) error {
	n, err := s.count(ctx, setReading, map[string]any{"removing": removing, "renaming": renaming, "mark": mark})
	if err != nil {
		return err
	}
	if n == 0 {
		return brain.Errorf(brain.ErrBusy, "wait for it to end and try again", "brain %s is being replaced by another process", s.brain)
	}
	return s.awaitTaken(ctx, waitGate)
}

// AwaitWriters waits at the gate of the brain.
func (s *Store) AwaitWriters(ctx context.Context) error { return s.awaitTaken(ctx, waitGate) }

// awaitTaken runs a query that creates a node whose key is taken, which waits for those who
// hold a lock on that key.
func (s *Store) awaitTaken(ctx context.Context, cypher string) error {
	return s.attempt(ctx, func() error {
		_, err := s.auto(ctx, s.timeout, driver.AccessModeWrite, cypher, map[string]any{"brain": s.brain})
		if err != nil && kindOf(err) == duplicate {
			return nil
		}
		return err
	})
}

// endLoad ends a load or a dump that a writer met. While the brain is only read, the writer waits.
// If the process of a load is alive, the brain is unavailable; otherwise the load is completed, or
// cancelled if it has not changed anything.
func (s *Store) endLoad(ctx context.Context, under *loadError) error {
	reads := under.mark != removing && under.mark != renaming
	alive, err := s.leases.Held(ctx, loadLease, lease.HolderGone)
	switch {
	case err != nil:
		return err
	case alive && reads:
		_, err := waitFor(ctx, answerTimeout, func() (bool, error) {
			_, _, mark, err := s.state(ctx)
			if err == nil && mark == under.mark {
				err = brain.ErrBusy
			}
			return true, err
		})
		if errors.Is(err, brain.ErrBusy) {
			return brain.Errorf(brain.ErrUnavailable, "try again when the backup is done", "brain %s at %s is being read for a backup", s.brain, s.uri)
		}
		return err
	case alive:
		return brain.Errorf(brain.ErrUnavailable, "try again when the restore has ended",
			"brain %s at %s is being restored", s.brain, s.uri)
	case reads:
		_, err := s.mark(ctx, under.mark, "")
		return err
	}
	return s.replace(ctx)
}

// waitFor calls try until its error is not [brain.ErrBusy], or for this long.
func waitFor[T any](ctx context.Context, limit time.Duration, try func() (T, error)) (T, error) {
	const step = 50 * time.Millisecond
	for waited := time.Duration(0); ; waited += step {
		v, err := try()
		if !errors.Is(err, brain.ErrBusy) || waited >= limit || ctx.Err() != nil {
			return v, err
		}
		pause(ctx, step)
	}
}
