package neo4j

import (
	"context"
	"errors"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

// oldestSchema is the first schema that is upgraded, in one step.
const oldestSchema = 13

const (
	// A record of each schema, for people and for older programs, is next to the version.
	writeVersion = `MERGE (s:BrainbridgeSchema {name: 'schema'}) SET s._lock = true REMOVE s._lock
WITH s WHERE coalesce(s.version, 0) < $version
SET s.version = $version REMOVE s.upgrading
CREATE (:BrainbridgeMigration {version: $version, program: $program, at: $at})`
	readNewest = "MATCH (m:BrainbridgeMigration) RETURN m.program ORDER BY m.version DESC LIMIT 1"
	// Writers hold a shared lock on the key of the schema, see gate.go.
	setUpgrading    = "MATCH (s:BrainbridgeSchema {name: 'schema'}) SET s.upgrading = $version"
	endUpgrading    = "MATCH (s:BrainbridgeSchema {name: 'schema'}) REMOVE s.upgrading"
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
	held, err := s.leaseSchema(ctx, answerTimeout)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // otherwise it expires
	version, _, _, err := s.state(ctx)
	if err != nil || version == schemaVersion {
		return err
	}
	if err := s.stopWriters(ctx); err != nil {
		return err
	}
	if err := first(); err != nil {
		_, lifted := s.run(context.WithoutCancel(ctx), driver.AccessModeWrite, endUpgrading, nil)
		return errors.Join(err, lifted)
	}
	if version < 17 {
		err = s.toPlain(ctx)
	}
	if err == nil {
		err = s.mendSchema(ctx, definitions())
	}
	if err == nil && version < 18 { // that of 19 only makes the first run settle what began to fade under earlier lifecycle numbers
		err = s.from17(ctx)
	}
	if err != nil {
		return err
	}
	return s.recordVersion(ctx, schemaVersion)
}

// leaseSchema takes the lease of what changes the schema. It waits for another process.
func (s *Store) leaseSchema(ctx context.Context, limit time.Duration) (brain.Lease, error) {
	aside := &Store{driver: s.driver, database: s.database, brain: migrationsBrain, uri: s.uri, timeout: s.timeout}
	keeper := lease.NewKeeper(func(ctx context.Context, fn func(lease.Tx) error) error {
		return aside.repeat(ctx, driver.AccessModeWrite, func(t *tx) error { return fn(t) })
	})
	keeper.Lifetime, keeper.RenewalInterval = 20*time.Second, 5*time.Second
	if err := s.define(ctx, unique("lease_id", "Lease", "brain", "id")); err != nil { // earlier schemas lack it
		return nil, err
	}
	return leaseSoon(ctx, keeper, "upgrade", limit)
}

// stopWriters makes writers of another schema fail, and waits for those in progress.
func (s *Store) stopWriters(ctx context.Context) error {
	if _, err := s.run(ctx, driver.AccessModeWrite, setUpgrading, map[string]any{"version": schemaVersion}); err != nil {
		return err
	}
	return s.awaitTaken(ctx, waitForAll)
}
