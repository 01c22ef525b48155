package neo4j

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// damage is done to a graph with the memories a, b and c, a source s and its relation to a.
type damage struct {
	round  int // damages of one round are done at once
	name   string
	cypher []string
	names  []string // what an inspection says
	keeps  string   // what is handed to keep has this
}

func damagesOfAGraph() []damage {
	const a, b = "MATCH (n:Memory {brain: $brain, id: 'a'}) ", "MATCH (n:Memory {brain: $brain, id: 'b'}) "
	const noMemoryID = "DROP CONSTRAINT brainbridge_memory_id"
	return []damage{
		{0, "a missing index", []string{"DROP INDEX brainbridge_memory_due"}, []string{"index brainbridge_memory_due is missing"}, ""},
		{0, "a missing constraint", []string{noMemoryID}, []string{"constraint brainbridge_memory_id is missing"}, ""},
		{1, "an orphaned index", []string{noMemoryID, "CREATE INDEX brainbridge_memory_id FOR (n:Memory) ON (n.brain, n.id)"}, []string{"brainbridge_memory_id is an index without its constraint"}, ""},
		{0, "an index of another property", []string{"DROP INDEX brainbridge_memory_text", "CREATE INDEX brainbridge_memory_text FOR (n:Memory) ON (n.x)"}, []string{"index brainbridge_memory_text is over Memory (x)"}, ""},
		{1, "an index of another type", []string{"DROP INDEX brainbridge_memory_text", "CREATE TEXT INDEX brainbridge_memory_text FOR (n:Memory) ON (n.textKey)"}, []string{"index brainbridge_memory_text is of the type TEXT"}, ""},
		{2, "an index of no use", []string{"CREATE INDEX brainbridge_more FOR (n:Memory) ON (n.x)"}, []string{"index brainbridge_more is not of this schema"}, ""},
		{0, "full text with another analyzer", []string{
			"DROP INDEX brainbridge_words", strings.Replace(fulltext(wordsIndex, []string{wordsKey, scopeKey}, memoryLabel, sectionLabel).statement(), "whitespace", "english", 1),
		}, []string{"index brainbridge_words is made with fulltext.analyzer english instead of whitespace"}, ""},
		{1, "vectors of other dimensions", []string{
			"DROP INDEX brainbridge_memory_vector3", strings.Replace(vectorIndexes(3)[0].statement(), "`vector.dimensions`: 3", "`vector.dimensions`: 4", 1),
		}, []string{"index brainbridge_memory_vector3 is made with vector.dimensions 4 instead of 3"}, ""},
		{2, "a missing index over vectors", []string{"DROP INDEX brainbridge_section_vector3"}, []string{"index brainbridge_section_vector3 is missing"}, ""},
		{3, "a node without an id", []string{"CREATE (:Memory {brain: $brain, name: 'lost', content: 'found again', tier: 'working', energy: 1.0, created: datetime()})"}, []string{"a node without a text as id: Memory", "Memory lost"}, ""},
		{3, "an empty id", []string{"MATCH (n:Memory {brain: $brain, id: 'c'}) SET n.id = '', n.name = 'emptied'"}, []string{"a node without a text as id: ", "Memory emptied"}, ""},
		{3, "a number as id", []string{b + "SET n.id = 5"}, []string{"a node without a text as id: Memory 5"}, ""},
		{3, "two nodes with one id", []string{noMemoryID, a + "CREATE (m:Memory) SET m = properties(n), m.content = 'of its own'"}, []string{"2 nodes Memory have the id a", "brainbridge_memory_id is missing"}, ""},
		{2, "two equal nodes", []string{noMemoryID, a + "CREATE (m:Memory) SET m = properties(n)"}, []string{"2 nodes Memory have the id a"}, `"id":"a"`},
		{3, "two outcomes with one key", []string{"DROP CONSTRAINT brainbridge_outcome_key", "UNWIND [1, 2] AS i CREATE (:Source:Outcome {brain: $brain, id: 'o' + i, kind: 'Outcome', key: 'k', date: '', dir: '', file: '', created: datetime()})"}, []string{"2 nodes Outcome have the key k"}, ""},
		{1, "two nodes of the brain", []string{"DROP CONSTRAINT brainbridge_brain_name", "MATCH (b:BrainbridgeBrain {name: $brain}) CREATE (:BrainbridgeBrain {name: b.name})"}, []string{"2 nodes BrainbridgeBrain have the name"}, ""},
		{2, "no node of the brain", []string{"MATCH (b:BrainbridgeBrain {name: $brain}) DETACH DELETE b"}, []string{"the node BrainbridgeBrain of the brain"}, ""},
		{2, "two nodes of the schema", []string{"DROP CONSTRAINT brainbridge_schema_name", "MATCH (s:BrainbridgeSchema) CREATE (x:BrainbridgeSchema) SET x = properties(s)"}, []string{"2 nodes BrainbridgeSchema have the name"}, ""},
		{0, "a relation to another brain", []string{a + "CREATE (n)-[:RELATED {type: 'part_of'}]->(:Memory {brain: 'another', id: 'ghost'})"}, []string{"a relation to nothing in this brain: Memory a RELATED"}, "part_of"},
		{3, "two current settings", []string{"MATCH (n:ConsolidationConfig {brain: $brain, id: 'current'}) CREATE (:ConsolidationConfig {brain: n.brain, id: 'other', owner: n.owner, at: n.at, validFrom: n.validFrom, expireBelow: 0.6})"}, []string{"a second ConsolidationConfig without validTo: ConsolidationConfig other"}, ""},
		{4, "two settings with the id current", []string{"DROP CONSTRAINT brainbridge_consolidationconfig_id", "MATCH (n:ConsolidationConfig {brain: $brain, id: 'current'}) CREATE (m:ConsolidationConfig) SET m = properties(n), m.expireBelow = 0.7"}, []string{"2 nodes ConsolidationConfig have the id current"}, ""},
		{0, "a lease of nobody", []string{"CREATE (:Lease {brain: $brain, id: 'consolidate', at: datetime() + duration('P3D'), host: 'elsewhere', pid: 7, token: 'x', since: '2026-03-01T00:00:00Z'})"}, []string{"a lease that nobody renews: Lease consolidate"}, ""},
		{1, "a lease that has ended long ago", []string{"CREATE (:Lease {brain: $brain, id: 'consolidate', at: datetime() - duration('P3D')})"}, []string{"a lease that nobody renews: Lease consolidate"}, ""},
		{0, "no words", []string{b + "REMOVE n.words"}, []string{"the property words is missing or does not follow from the others: Memory b"}, ""},
		{1, "words of another text", []string{b + "SET n.words = 'zebra'"}, []string{"the property words", "Memory b"}, ""},
		{2, "no content hash", []string{b + "REMOVE n.contentHash"}, []string{"the property contentHash", "Memory b"}, ""},
		{4, "a wrong length and scope", []string{b + "SET n.length = 99, n.scope = 'x'"}, []string{"the property length", "the property scope"}, ""},
		{4, "wrong due instants", []string{b + "REMOVE n.expiresAt SET n.lastsUntil = datetime('1999-01-01T00:00:00Z')"}, []string{"the property lastsUntil", "the property expiresAt"}, ""},
		{4, "no place by freshness and in the order of texts", []string{b + "REMOVE n.freshAt, n.written"}, []string{"the property freshAt", "the property written"}, ""},
		{0, "a mark of a lock", []string{b + "SET n._lock = true"}, []string{"_lock", "Memory b"}, ""},
		{0, "a vector of a wrong length", []string{a + "SET n.vector3 = [0.1, 0.2]"}, []string{"a vector that has another length", "Memory a"}, ""},
		{1, "no mark of the model", []string{a + "REMOVE n.vectorModel"}, []string{"the property vectorModel", "Memory a"}, ""},
		{1, "a section without words", []string{"MATCH (n:Section {brain: $brain}) SET n.words = ''"}, []string{"the property words", "Section x"}, ""},
		{2, "a source without its label", []string{"MATCH (n:Learning {brain: $brain}) REMOVE n:Learning"}, []string{"the property label", "Source s"}, ""},
	}
}

// soundGraph stores what the damage is done to.
func soundGraph(t *testing.T, s *Store) {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Millisecond)
	var ms []brain.Memory
	for _, id := range []string{"a", "b", "c"} {
		m := brain.Memory{ID: id, Content: "the okapi " + id, MemoryType: "note", Created: at, State: new(tiers.DefaultPolicy()).Start(tiers.Working, 1, 0, at)}
		m.Complete()
		ms = append(ms, m)
	}
	numbers, err := brain.NewRecord(brain.ConfigRecord, brain.CurrentPolicy, brain.PolicyOwner, "", at, brain.PolicyBody{Numbers: map[string]float64{"expire.below": 0.5}, ValidFrom: at})
	if err != nil {
		t.Fatal(err)
	}
	page := brain.Page{
		Memories: ms, Sources: []brain.Source{{ID: "s", Kind: brain.Learning, Concept: "okapis", Created: at}}, Records: []brain.Record{numbers},
		Sections: []brain.Section{{ID: "x", Key: "k", Dir: "d", File: "f", Text: "a section of okapis"}}, Relations: []brain.Relation{{From: "s", Type: brain.HasMemory, To: "a"}},
	}
	err = s.Load(t.Context(), func(yield func(brain.Page, error) bool) { yield(page, nil) }, nil)
	if err == nil {
		err = s.Update(t.Context(), func(tx brain.Tx) error {
			return tx.PutVectors("m", brain.Embedded{Passage: ms[0].Passage(), Values: []float32{0.6, 0, 0.8}})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// everythingIn returns what a dump has, and names.
func everythingIn(t *testing.T, s *Store) (all []brain.Page) {
	t.Helper()
	if err := s.Dump(t.Context(), func(p brain.Page) error { all = append(all, p); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func damageMended(t *testing.T, cfg Config) {
	cfg.Brain = "damage"
	s := openOwn(t, cfg)
	made, noticed, mended := 0, 0, 0
	for round := range 5 {
		some := slices.DeleteFunc(damagesOfAGraph(), func(d damage) bool { return d.round != round })
		made += len(some)
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) {
			soundGraph(t, s)
			cypher(t, s, "MATCH (n:Memory {brain: $brain, id: 'c'}) MERGE (x:Thing {of: $brain}) MERGE (x)-[:SUPERSEDES]->(n)", nil)
			before, schema := everythingIn(t, s), schemaOf(t, s)
			for _, d := range some {
				for _, q := range d.cypher {
					cypher(t, s, q, nil)
				}
			}
			noticed += noticedOf(t, s, some)
			kept := ""
			if err := s.Repair(t.Context(), func(raw []json.RawMessage) error { kept += fmt.Sprintf("%s\n", raw); return nil }); err != nil {
				t.Fatal(err)
			}
			for _, d := range some {
				if !strings.Contains(kept, d.keeps) {
					t.Errorf("%s: what is kept is %s, want %q", d.name, kept, d.keeps)
				}
			}
			if n, err := s.count(t.Context(), "MATCH (:Thing {of: $brain})-[:SUPERSEDES]->(n:Memory {brain: $brain}) RETURN count(n)", nil); err != nil || n != 1 {
				t.Errorf("a person's node has %d relations to a memory, %v", n, err)
			}
			left, err := s.Inspect(t.Context())
			if err != nil || len(left) > 0 {
				t.Fatalf("after the repair: %+v, %v", left, err)
			}
			if diff := cmp.Diff(schema, schemaOf(t, s)); diff != "" {
				t.Errorf("the schema (-want +got):\n%s", diff)
			}
			after := everythingIn(t, s)
			if diff := cmp.Diff(before, after); diff != "" && round < firstChange {
				t.Errorf("the brain (-want +got):\n%s", diff)
			}
			for _, p := range after {
				if len(p.Unreadable) > 0 {
					t.Errorf("it cannot be read: %+v", p.Unreadable)
				}
			}
			if worksAgain(t, s) && !t.Failed() {
				mended += len(some)
			}
			cypher(t, s, "MATCH (n) WHERE n.brain = 'another' OR n.of = $brain DETACH DELETE n", nil)
		})
	}
	testlab.Report(t, "Neo4j", "%d damages, %d noticed, %d mended", made, noticed, mended)
}

// firstChange is the first round after which a dump has something else than before.
const firstChange = 3

// noticedOf returns how many damages an inspection names, twice the same: it only reads.
func noticedOf(t *testing.T, s *Store, some []damage) (noticed int) {
	t.Helper()
	first, err := s.Inspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, f := range first {
		text += f.What + "\n"
		if !f.Mendable || f.Means == "" {
			t.Errorf("it says of it %+v", f)
		}
	}
	for _, d := range some {
		named := !slices.ContainsFunc(d.names, func(want string) bool { return !strings.Contains(text, want) })
		if named {
			noticed++
			continue
		}
		t.Errorf("%s: named is %s, want %q", d.name, text, d.names)
	}
	if again, err := s.Inspect(t.Context()); err != nil || !cmp.Equal(first, again) {
		t.Errorf("a second inspection: %+v, %v", again, err)
	}
	return noticed
}

// worksAgain searches, reads by id and writes.
func worksAgain(t *testing.T, s *Store) bool {
	t.Helper()
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		ms, err := tx.Memories("a")
		hits, err2 := tx.Search(brain.SearchQuery{Words: words.Parse("okapi"), Limit: 9})
		if len(ms) != 1 || len(hits) < 3 {
			err = errors.Join(err, fmt.Errorf("read %d memories, found %d", len(ms), len(hits)))
		}
		return errors.Join(err, err2, tx.PutMemories(ms...))
	})
	if err != nil {
		t.Error(err)
	}
	return err == nil
}
