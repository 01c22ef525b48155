package neo4j

import (
	"context"
	"math"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// earlierRecord is the label that all records had up to schema 16, with their kind as a
// property.
const earlierRecord = "Record"

const (
	readNumbers = "MATCH (b:BrainbridgeBrain) WHERE b.number IS NOT NULL RETURN b.name, toString(b.number), b.load"
	// dropDifferences removes the relations of conflicts, which hid memories.
	dropDifferences = "MATCH (:Memory)-[r:DIFFERS_FROM]->() WITH r LIMIT $limit DELETE r RETURN count(*)"
	dropTallies     = "MATCH (t:Tally) WHERE t.length IS NOT NULL AND t.records IS NOT NULL AND t.id =~ '(words|talk)[0-9]+' WITH t LIMIT $limit DELETE t RETURN count(*)"
	vectorsBefore   = "MATCH (n:Memory|Section) WHERE n.brain = $brain AND n[$before] IS NOT NULL RETURN size(n[$before]) LIMIT 1"
)

// isEarlierTally reports whether a node counts texts, as those of earlier schemas with the label
// of a kind of record.
func isEarlierTally(p props) bool { return p["length"] != nil && p["records"] != nil }

// toPlain brings a database of schema 13 to 16, in which nodes were packed, to the present one.
// After a kill it continues with what is still packed.
func (s *Store) toPlain(ctx context.Context) error {
	if err := s.dropIndexes(ctx, false); err != nil { // writes are faster without
		return err
	}
	if err := s.unpackBrains(ctx); err != nil {
		return err
	}
	for _, cypher := range []string{dropDifferences, dropTallies} {
		for n := 1; n > 0; {
			var err error
			if n, err = s.count(ctx, cypher, map[string]any{"limit": chunk}); err != nil {
				return err
			}
		}
	}
	if _, err := s.alter(ctx, "DROP CONSTRAINT brainbridge_record_id IF EXISTS"); err != nil {
		return err
	}
	return s.defineAll(ctx)
}

// unpackBrains writes the nodes of all brains anew.
func (s *Store) unpackBrains(ctx context.Context) error {
	rows, err := s.run(ctx, driver.AccessModeRead, readNumbers, nil)
	if err != nil {
		return err
	}
	for _, row := range rows {
		names := []string{value[string](row, 0)}
		if value[string](row, 2) != "" { // of a load
			names = append(names, beside(names[0]))
		}
		for _, name := range names {
			if err := s.ofBrain(name).unpackBrain(ctx, "vector"+value[string](row, 1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofBrain returns a store of another brain of the database, for a migration.
func (s *Store) ofBrain(name string) *Store {
	return &Store{driver: s.driver, database: s.database, brain: name, uri: s.uri, timeout: s.timeout}
}

// unpackBrain writes the nodes of a brain anew. Its vectors were in a property of their own.
func (s *Store) unpackBrain(ctx context.Context, vectors string) error {
	dimensions := 0
	rows, err := s.run(ctx, driver.AccessModeRead, vectorsBefore, map[string]any{"before": vectors})
	if err == nil && len(rows) > 0 {
		dimensions = int(value[int64](rows[0], 0))
		err = s.makeVectorIndexes(ctx, dimensions)
	}
	for _, of := range []struct {
		label string
		node  func(packed []byte) (newNode, error)
	}{
		{memoryLabel, unpackedAs((*brain.Memory).Fields, s.memoryNode)},
		{sourceLabel, unpackedAs((*brain.Source).Fields, sourceNode)},
		{sectionLabel, unpackedAs((*brain.Section).Fields, s.sectionNode)},
		{earlierRecord, unpackedAs((*brain.Record).Fields, recordNode)},
	} {
		if err == nil {
			err = s.unpackAll(ctx, of.label, of.node, map[string]any{"before": vectors, "vectors": vectorProperty(dimensions)})
		}
	}
	return err
}

const (
	dropRoots      = "MATCH (m:Memory) WHERE m.brain IS NOT NULL AND m.root IS NOT NULL WITH m LIMIT $limit REMOVE m.root RETURN count(*)"
	readPromotions = "MATCH (a:Memory {brain: $brain})-[:PROMOTED_TO]->(m:Memory {brain: $brain}) RETURN a.id, m.id"
)

// from17 removes the first id of memories, and brings the review queues to their present form.
func (s *Store) from17(ctx context.Context) error {
	for n := 1; n > 0; {
		var err error
		if n, err = s.count(ctx, dropRoots, map[string]any{"limit": chunk}); err != nil {
			return err
		}
	}
	names, err := s.Brains(ctx)
	for _, name := range names {
		if err == nil {
			err = s.ofBrain(name).upgradeReviews(ctx)
		}
	}
	return err
}

// upgradeReviews writes the review queue of a brain in its present form.
func (s *Store) upgradeReviews(ctx context.Context) error {
	return s.repeat(ctx, driver.AccessModeWrite, func(t *tx) error {
		recs, err := t.ListRecords(brain.ReviewRecord, brain.RecordFilter{Limit: math.MaxInt32})
		if err != nil || len(recs) == 0 {
			return err
		}
		rows, err := t.query(readPromotions, nil)
		if err != nil {
			return err
		}
		promotions := brain.Map(rows, func(r *driver.Record) brain.Relation {
			return brain.Relation{From: value[string](r, 0), Type: brain.PromotedTo, To: value[string](r, 1)}
		})
		return t.PutRecords(brain.UpgradeReviews(recs, promotions)...)
	})
}

// unpackedAs returns a function that returns the present form of a packed node, one without
// properties if it cannot be read.
func unpackedAs[T any](fields func(*T) []brain.Field, node func(*T) (newNode, error)) func([]byte) (newNode, error) {
	return func(packed []byte) (newNode, error) {
		var v T
		if unpack(packed, fields(&v)) != nil {
			return newNode{}, nil
		}
		return node(&v)
	}
}

// unpackAll writes the packed nodes of a label anew, page by page. params have the properties of
// the vectors, before and after.
func (s *Store) unpackAll(ctx context.Context, label string, node func(packed []byte) (newNode, error), params map[string]any) error {
	const key = "n.id + ' ' + coalesce(n.recordKind, '')" // ids of records are unique in their kind
	read := "MATCH (n:" + label + ") WHERE n.brain = $brain AND n.packed IS NOT NULL WITH n, " + key + " AS key WHERE key > $after RETURN key, n.packed ORDER BY key LIMIT $limit"
	match := "(n:" + label + " {brain: $brain, id: row.id})"
	if label == earlierRecord {
		match = "(n:Record {brain: $brain, recordKind: row.recordKind, id: row.id})"
	}
	write := "UNWIND $rows AS row MATCH " + match + `
WITH n, row, n.written AS written, n[$before] AS vector, n.vectorModel AS model
SET n = row, n.written = written REMOVE n.recordKind REMOVE n:Record
WITH n, vector, model WHERE n.vectorModel IS NOT NULL AND model STARTS WITH '=' SET n.vectorModel = substring(model, 1)
WITH n, vector WHERE vector IS NOT NULL CALL db.create.setNodeVectorProperty(n, $vectors, vector)`
	for after := ""; ; {
		params["after"], params["limit"] = after, chunk
		rows, err := s.run(ctx, driver.AccessModeRead, read, params)
		if err != nil || len(rows) == 0 {
			return err
		}
		var all []any
		for _, r := range rows {
			after = value[string](r, 0)
			n, err := node(value[[]byte](r, 1))
			if err != nil {
				return err
			}
			if n.props != nil { // otherwise health names it
				s.complete(n.props)
				n.props["recordKind"] = after[strings.LastIndex(after, " ")+1:]
				all = append(all, n.props)
			}
		}
		params["rows"] = all
		if _, err := s.run(ctx, driver.AccessModeWrite, write, params); err != nil {
			return err
		}
	}
}
