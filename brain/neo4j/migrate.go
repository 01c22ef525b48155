package neo4j

import (
	"context"
	"errors"
	"math"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// migrations returns the steps by the schema that each begins with; it ends with the next
// number. A step may be repeated: after a kill, the next process runs it again. Changes of
// the schema between two releases are added to the last step.
func migrations() map[int]func(context.Context, *Store) error {
	return map[int]func(context.Context, *Store) error{13: from13, 14: from14, 15: from15}
}

func from13(ctx context.Context, s *Store) error { return s.defineAll(ctx) }

// from14 keys the texts, rewrites the review queues and removes the relations of conflicts.
func from14(ctx context.Context, s *Store) error {
	names, err := s.Brains(ctx)
	for _, name := range names {
		if err == nil {
			err = setProperties(ctx, s, name, memories(), func(m *brain.Memory) map[string]any {
				return map[string]any{"textKey": lookupKey(m.TextKey())}
			})
		}
		if err == nil {
			err = s.upgradeReviews(ctx, name)
		}
	}
	for n := 1; n > 0 && err == nil; {
		n, err = s.count(ctx, dropDifferences, map[string]any{"limit": chunk})
	}
	if err != nil {
		return err
	}
	return s.defineAll(ctx)
}

// from15 indexes the words of all texts again.
func from15(ctx context.Context, s *Store) error {
	rows, err := s.run(ctx, driver.AccessModeRead, readNumbers, nil)
	for _, row := range rows {
		name, v := value[string](row, 0), newVocabulary(int(value[int64](row, 1)))
		if err == nil {
			err = setProperties(ctx, s, name, memories(), func(m *brain.Memory) map[string]any {
				return map[string]any{v.field(m.Tier): v.terms(m.Indexed())}
			})
		}
		if err == nil {
			err = setProperties(ctx, s, name, sections(), func(x *brain.Section) map[string]any {
				return map[string]any{v.sectionField(x): v.terms(x.Indexed())}
			})
		}
	}
	return err
}

const readNumbers = "MATCH (b:BrainbridgeBrain) WHERE b.number IS NOT NULL RETURN b.name, b.number"

// setProperties sets properties of the nodes of a kind in a brain, page by page.
func setProperties[T any](ctx context.Context, s *Store, name string, k kind[T], properties func(*T) map[string]any) error {
	read := "MATCH (n:" + k.label + ") WHERE n.brain = $name AND n.id > $after RETURN n.id, n.packed ORDER BY n.id LIMIT $limit"
	write := "UNWIND $rows AS row MATCH (n:" + k.label + " {brain: $name, id: row.id}) SET n += row.properties"
	var unpacker unpacker
	for after := ""; ; {
		params := map[string]any{"name": name, "after": after, "limit": chunk}
		rows, err := s.run(ctx, driver.AccessModeRead, read, params)
		if err != nil || len(rows) == 0 {
			return err
		}
		var all []any
		for _, r := range rows {
			after = value[string](r, 0)
			var v T
			if err := unpacker.unpack(value[[]byte](r, 1), k.fields(&v)); err == nil { // else health names it
				all = append(all, map[string]any{"id": after, "properties": properties(&v)})
			}
		}
		params["rows"] = all
		if _, err := s.run(ctx, driver.AccessModeWrite, write, params); err != nil {
			return err
		}
	}
}

// dropDifferences removes the relations of conflicts, which hid memories.
const dropDifferences = "MATCH (:Memory)-[r:DIFFERS_FROM]->() WITH r LIMIT $limit DELETE r RETURN count(*)"

// upgradeReviews rewrites the review queue of a brain.
func (s *Store) upgradeReviews(ctx context.Context, name string) error {
	of := &Store{driver: s.driver, database: s.database, brain: name, uri: s.uri, timeout: s.timeout, vocabulary: s.vocabulary}
	return of.repeat(ctx, driver.AccessModeWrite, func(t *tx) error {
		recs, err := t.LatestRecords(brain.ReviewRecord, time.Time{}, math.MaxInt32)
		if err != nil {
			return err
		}
		return t.PutRecords(brain.UpgradeReviews(recs)...)
	})
}

const (
	// A record of each schema, for people and for older programs, is next to the version.
	writeVersion = `MERGE (s:BrainbridgeSchema {name: 'schema'}) SET s._lock = true REMOVE s._lock
WITH s WHERE coalesce(s.version, 0) < $version
SET s.version = $version REMOVE s.upgrading
CREATE (:BrainbridgeMigration {version: $version, program: $program, at: $at})`
	readNewest = "MATCH (m:BrainbridgeMigration) RETURN m.program ORDER BY m.version DESC LIMIT 1"
	// Writers hold a shared lock on the key of the schema, see gate.go.
	setUpgrading    = "MATCH (s:BrainbridgeSchema {name: 'schema'}) SET s.upgrading = $version"
	waitForAll      = "MATCH (s:BrainbridgeSchema {name: 'schema'}) CREATE (:BrainbridgeSchema {name: s.name})"
	migrationsBrain = "/upgrade" // not the name of a brain
)

// Format returns the schema that the database had when it was opened.
func (s *Store) Format() brain.Format {
	return brain.Format{Stored: s.schema, Known: schemaVersion, Program: s.newer}
}

// Writable returns an error if this program may not write to the database.
func (s *Store) Writable() error {
	if s.stale.Load() {
		return brain.Upgraded()
	}
	return s.Format().Check("the database " + s.database + " at " + s.uri)
}

// checkSchema returns an error unless the database still has the schema that this program
// may write to. Transactions of [Store.Update] check it with their gate.
func (s *Store) checkSchema(ctx context.Context) error {
	if err := s.Writable(); err != nil {
		return err
	}
	version, _, _, err := s.state(ctx)
	if err == nil && version != schemaVersion {
		s.stale.Store(true)
		err = brain.Upgraded()
	}
	return err
}

// Brains returns the names of the brains in the database.
func (s *Store) Brains(ctx context.Context) ([]string, error) {
	rows, err := s.run(ctx, driver.AccessModeRead, readBrains, nil)
	return column[string](rows, 0), err
}

// findNewer reads which version of the program made a newer schema, if that is recorded.
func (s *Store) findNewer(ctx context.Context) error {
	if s.schema <= schemaVersion {
		return nil
	}
	rows, err := s.run(ctx, driver.AccessModeRead, readNewest, nil)
	if err == nil && len(rows) > 0 {
		s.newer = value[string](rows[0], 0)
	}
	return err
}

func (s *Store) recordVersion(ctx context.Context, version int) error {
	_, err := s.run(ctx, driver.AccessModeWrite, writeVersion, map[string]any{
		"version": version, "program": s.program, "at": time.Now().UTC().Truncate(time.Millisecond),
	})
	return err
}

// Migrate runs the steps to the known schema, under a lease for the whole database. Before a
// step changes anything, writers of the schema before it are kept out.
func (s *Store) Migrate(ctx context.Context, first func() error) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	held, err := s.leaseMigration(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // otherwise it expires
	for ; ; first = func() error { return nil } {
		version, _, _, err := s.state(ctx)
		step := migrations()[version]
		if err != nil || step == nil { // it has the known schema
			return err
		}
		if err := first(); err != nil {
			return err
		}
		if err := s.stopWriters(ctx, version+1); err != nil {
			return err
		}
		if err := step(ctx, s); err != nil {
			return err
		}
		if err := s.recordVersion(ctx, version+1); err != nil {
			return err
		}
	}
}

// leaseMigration takes the lease of migrations. It waits for another process.
func (s *Store) leaseMigration(ctx context.Context) (brain.Lease, error) {
	aside := &Store{driver: s.driver, database: s.database, brain: migrationsBrain, uri: s.uri, timeout: s.timeout}
	keeper := lease.NewKeeper(func(ctx context.Context, fn func(lease.Tx) error) error {
		return aside.repeat(ctx, driver.AccessModeWrite, func(t *tx) error { return fn(t) })
	})
	for waited := time.Duration(0); ; waited += leaseStep {
		held, err := keeper.Lease(ctx, "upgrade", lease.ThisProcess(), lease.HolderGone)
		if !errors.Is(err, brain.ErrBusy) || waited >= answerTimeout {
			return held, err
		}
		pause(ctx, leaseStep)
	}
}

const leaseStep = 200 * time.Millisecond

// stopWriters makes writers of another schema fail, and waits for those in progress.
func (s *Store) stopWriters(ctx context.Context, version int) error {
	if _, err := s.run(ctx, driver.AccessModeWrite, setUpgrading, map[string]any{"version": version}); err != nil {
		return err
	}
	return s.awaitTaken(ctx, waitForAll)
}
