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
	// dropDifferences removes the relations of conflicts, which hid memories.
	dropDifferences = "MATCH (:Memory)-[r:DIFFERS_FROM]->() WITH r LIMIT $limit DELETE r RETURN count(*)"
	dropTallies     = "MATCH (t:Tally) WHERE t.length IS NOT NULL AND t.records IS NOT NULL AND t.id =~ '(words|talk)[0-9]+' WITH t LIMIT $limit DELETE t RETURN count(*)"
)

// isEarlierTally reports whether a node counts texts, as those of earlier schemas with the label
// of a kind of record.
func isEarlierTally(p props) bool { return p["length"] != nil && p["records"] != nil }

// toPlain brings a database of schema 13 to 16, in which nodes were packed, to the present one.
// After a kill it continues with what is still packed.
func (s *Store) toPlain(ctx context.Context) error {
	if err := s.dropIndexes(ctx); err != nil { // writes are faster without
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
	return nil
}

// unpackBrains writes the nodes of all brains anew, also those of an unfinished load. The next run
// makes their vectors.
func (s *Store) unpackBrains(ctx context.Context) error {
	names, err := s.Brains(ctx)
	for _, name := range names {
		for _, b := range []*Store{s.ofBrain(name), s.ofBrain(beside(name))} {
			for _, of := range []struct {
				label string
				node  func(packed []byte) (newNode, error)
			}{
				{memoryLabel, unpackedAs((*brain.Memory).Fields, b.memoryNode)},
				{sourceLabel, unpackedAs((*brain.Source).Fields, sourceNode)},
				{sectionLabel, unpackedAs((*brain.Section).Fields, b.sectionNode)},
				{earlierRecord, unpackedAs((*brain.Record).Fields, recordNode)},
			} {
				if err == nil {
					err = b.unpackAll(ctx, of.label, of.node)
				}
			}
		}
	}
	return err
}

// ofBrain returns a store of another brain of the database, for a migration.
func (s *Store) ofBrain(name string) *Store {
	return &Store{driver: s.driver, database: s.database, brain: name, uri: s.uri, timeout: s.timeout}
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

// unpackAll writes the packed nodes of a label anew, page by page.
func (s *Store) unpackAll(ctx context.Context, label string, node func(packed []byte) (newNode, error)) error {
	const key = "n.id + ' ' + coalesce(n.recordKind, '')" // ids of records are unique in their kind
	read := "MATCH (n:" + label + ") WHERE n.brain = $brain AND n.packed IS NOT NULL WITH n, " + key + " AS key WHERE key > $after RETURN key, n.packed ORDER BY key LIMIT $limit"
	match := "(n:" + label + " {brain: $brain, id: row.id})"
	if label == earlierRecord {
		match = "(n:Record {brain: $brain, recordKind: row.recordKind, id: row.id})"
	}
	write := "UNWIND $rows AS row MATCH " + match + " WITH n, row, n.written AS written SET n = row, n.written = written REMOVE n.recordKind REMOVE n:Record"
	for after := ""; ; {
		rows, err := s.run(ctx, driver.AccessModeRead, read, map[string]any{"after": after, "limit": chunk})
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
		if _, err := s.run(ctx, driver.AccessModeWrite, write, map[string]any{"rows": all}); err != nil {
			return err
		}
	}
}
