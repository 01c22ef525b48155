package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// schemaVersion is recorded in the database. Changes of the schema or of the properties of
// nodes increment it once per release, and need a step in [migrations].
const schemaVersion = 19

// definitions returns the indexes and constraints of the schema.
func definitions() []definition {
	return slices.Concat(constraints(), indexes(), []definition{
		fulltext(wordsIndex, []string{wordsKey, scopeKey}, memoryLabel, sectionLabel),
		fulltext(talkIndex, []string{talkKey, talkScopeKey}, sectionLabel),
	})
}

// constraints are of the only kind that the Community edition has.
func constraints() []definition {
	all := []definition{
		unique("schema_name", "BrainbridgeSchema", "name"),
		unique("brain_name", "BrainbridgeBrain", "name"),
		unique("memory_id", "Memory", "brain", "id"),
		unique("memory_entity", "Memory", "brain", "entityKey"),
		unique("source_id", "Source", "brain", "id"),
		unique("outcome_key", "Outcome", "brain", "key"),
		unique("section_id", "Section", "brain", "id"),
		unique("section_key", "Section", "brain", "key"),
	}
	for _, kind := range recordKinds() {
		all = append(all, unique(strings.ToLower(kind)+"_id", kind, "brain", "id"))
	}
	return all
}

func indexes() []definition {
	all := []definition{
		index("memory_lasts", "Memory", "brain", "tier", "lastsUntil"),
		index("memory_due", "Memory", "brain", "promoteDue"),
		index("memory_fresh", "Memory", "brain", "freshGroup", "freshAt"),
		index("memory_written", "Memory", "brain", "written", "id"),
		index("memory_group", "Memory", "brain", "group", "position"),
		index("memory_vector", "Memory", "brain", vectorModel),
		index("memory_length", "Memory", "brain", "length"),
		index("memory_name", "Memory", "brain", "nameKey"),
		index("memory_text", "Memory", "brain", "textKey"),
		index("source_created", "Source", "brain", "kind", "created"),
		index("outcome_file", "Outcome", "brain", "dir", "file"),
		index("outcome_title", "Outcome", "brain", "titleKey", "date"),
		index("section_group", "Section", "brain", "group", "position"),
		index("section_file", "Section", "brain", "dir", "file"),
		index("section_vector", "Section", "brain", vectorModel),
		index("section_length", "Section", "brain", "length"),
		index("section_talk", "Section", "brain", "talkLength"),
	}
	for property, kinds := range recordIndexes() {
		for _, kind := range kinds {
			all = append(all, index(strings.ToLower(string(kind))+"_"+property, string(kind), "brain", property))
		}
	}
	return all
}

const (
	readState = `OPTIONAL MATCH (s:BrainbridgeSchema {name: 'schema'}) OPTIONAL MATCH (b:BrainbridgeBrain {name: $brain})
RETURN s.version, CASE WHEN b.awaits IS NULL THEN b.number END, b.load, b.dimensions`
	readBrains = "MATCH (b:BrainbridgeBrain) WHERE b.awaits IS NULL RETURN b.name"
	// The lock of the schema keeps two brains from taking one number.
	takeNumber = `MERGE (s:BrainbridgeSchema {name: 'schema'}) SET s._lock = true REMOVE s._lock
WITH s MERGE (b:BrainbridgeBrain {name: $brain})
ON CREATE SET b.number = coalesce(s.brains, 0) + 1, s.brains = b.number
SET b.awaits = $awaits RETURN b.number`
	populating = "SHOW INDEXES YIELD name, state WHERE name STARTS WITH 'brainbridge_' AND state = 'POPULATING' RETURN count(*)"
	readServer = "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0]"
)

// prepare creates the schema in a database that has none, and reads the number of
// the brain. A load that did not end is completed. A database of another known schema is
// only read.
func (s *Store) prepare(ctx context.Context) error {
	version, number, load, err := s.state(ctx)
	if err != nil {
		return err
	}
	s.number = number
	if number == 0 {
		known, err := s.Brains(ctx)
		if err := cmp.Or(err, s.watch.Require(s.requires, known...)); err != nil {
			return err
		}
	}
	if err := s.makeSchema(ctx, version); err != nil {
		return err
	}
	s.schema = cmp.Or(version, schemaVersion)
	if err := s.findNewer(ctx); err != nil {
		return err
	}
	if number == 0 {
		if s.number, err = s.create(ctx); err != nil {
			return err
		}
	}
	if s.schema != schemaVersion {
		return nil
	}
	if load == removing || load == renaming {
		if err := s.replace(ctx); err != nil {
			return err
		}
	}
	return s.sawAtOpen()
}

// create creates the brain and returns its number, 0 for a database that can only be read.
func (s *Store) create(ctx context.Context) (number int, err error) {
	if s.schema != schemaVersion {
		return 0, nil
	}
	awaits := map[string]any{"awaits": nil}
	if s.watch.Replaces {
		awaits["awaits"] = true
	}
	rows, err := s.run(ctx, driver.AccessModeWrite, takeNumber, awaits)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return int(value[int64](rows[0], 0)), nil
}

// schemaTime is how long a change of the schema may take, here or in another process: on a
// busy server it waits for the transactions that write nodes of its label.
const schemaTime = 2 * time.Minute

// makeSchema creates the schema in a database whose version is 0, and refuses
// earlier versions that this program does not know. Several processes may do so at once.
func (s *Store) makeSchema(ctx context.Context, version int) error {
	switch {
	case version >= oldestSchema:
		return nil
	case version != 0:
		return brain.Errorf(brain.ErrRefused, "use that brainbridge, or another database; nothing was changed",
			"the database %s at %s was made by an older brainbridge (schema %d, this one knows %d)", s.database, s.uri, version, schemaVersion)
	}
	if err := s.checkServer(ctx); err != nil {
		return err
	}
	held, err := s.leaseSchema(ctx, schemaTime)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // otherwise it expires
	if version, _, _, err := s.state(ctx); err != nil || version > 0 {
		return err
	}
	if err := s.mendSchema(ctx, definitions()); err != nil {
		return err
	}
	return s.recordVersion(ctx, schemaVersion)
}

// awaitIndexes waits until all indexes can be used.
func (s *Store) awaitIndexes(ctx context.Context) error {
	for {
		rows, err := s.run(ctx, driver.AccessModeRead, populating, nil)
		if err != nil || len(rows) == 0 || value[int64](rows[0], 0) == 0 || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
		pause(ctx, 100*time.Millisecond)
	}
}

func (s *Store) checkServer(ctx context.Context) error {
	rows, err := s.run(ctx, driver.AccessModeRead, readServer, nil)
	if err != nil || len(rows) == 0 {
		return err
	}
	name := value[string](rows[0], 0)
	var major, minor int
	if _, err := fmt.Sscanf(name, "%d.%d", &major, &minor); err != nil || major > 5 || major == 5 && minor >= 26 {
		return nil
	}
	return brain.Errorf(brain.ErrRefused, "use Neo4j 5.26 or newer", "Neo4j at %s is version %s", s.uri, name)
}

// auto runs one query as an implicit transaction, which statements of the schema and CALL …
// IN TRANSACTIONS need. Its acknowledgement is reliable, even from a server that is stopping.
// In a session for reading the server refuses writes.
func (s *Store) auto(ctx context.Context, limit time.Duration, mode driver.AccessMode, cypher string, params map[string]any) (all driver.EagerResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	session := s.driver.NewSession(ctx, s.sessionConfig(mode))
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	result, err := session.Run(ctx, cypher, params)
	if err == nil {
		all.Keys, err = result.Keys()
	}
	if err == nil {
		all.Records, err = result.Collect(ctx)
	}
	if err == nil {
		all.Summary, err = result.Consume(ctx)
	}
	return all, err
}
