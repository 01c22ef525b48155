package neo4j

import (
	"slices"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// A dump names what somebody has changed so that it cannot be read, and has the rest. A load
// removes it.
func TestADumpAndALoadOverDamage(t *testing.T) {
	uri, name := neo4jtest.Server(t), "damage-"+brain.NewID()
	s := openLoad(t, uri, name)
	const one = "MATCH (n:Memory {brain: $brain, id: 'b'}) "
	source := brain.Source{ID: "s", Kind: brain.Learning, Concept: "c"}
	record := brain.Record{Kind: brain.RunRecord, ID: "r"}
	for _, c := range []struct{ what, cypher, want string }{
		{"nothing", "RETURN 1", ""},
		{"the energy is a text", one + "SET n.energy = 'much'", "Memory b"},
		{"the content is a list", one + "SET n.content = ['a', 'b']", "Memory b"},
		{"the tags are numbers", one + "SET n.tags = [1]", "Memory b"},
		{"an instant is a text", one + "SET n.lastDecay = '2026-03-01'", "Memory b"},
		{"an unknown tier", one + "SET n.tier = 'foo'", "Memory b"},
		{"the id is a number", one + "SET n.id = 5", "Memory 5"},
		{"the id is away", one + "REMOVE n.id", "Memory b"},
		{"the name is a number, too", one + "SET n.name = 7 REMOVE n.id", "Memory 7"},
		{"the energy is whole", one + "SET n.energy = 3", ""},
		{"a property of theirs", one + "SET n.theirs = date()", ""},
		{"a source", "MATCH (n:Source {brain: $brain}) SET n.concept = 1", "Source s"},
		{"a record", "MATCH (n:Run {brain: $brain, id: 'r'}) SET n.body = 1", "Run r"},
		{"the type of a relation", one + "MATCH (m:Memory {brain: $brain, id: 'a'}) CREATE (m)-[:RELATED {type: 5}]->(n)", "Relation a  b"},
	} {
		t.Run(c.what, func(t *testing.T) {
			good := brain.Page{Memories: []brain.Memory{memoryNamed("a"), memoryNamed("b"), memoryNamed("c")}, Sources: []brain.Source{source}, Records: []brain.Record{record}}
			load := func() {
				t.Helper()
				if err := s.Load(t.Context(), func(yield func(brain.Page, error) bool) { yield(good, nil) }, nil); err != nil {
					t.Fatal(err)
				}
			}
			load()
			if _, err := s.run(t.Context(), driver.AccessModeWrite, c.cypher, nil); err != nil {
				t.Fatal(err)
			}
			nodes, named := dumped(t, s)
			lost := 1
			if c.want == "" || c.what == "the type of a relation" {
				lost = 0
			}
			if want := slices.DeleteFunc([]string{c.want}, func(s string) bool { return s == "" }); nodes != 5-lost || !slices.Equal(named, want) {
				t.Errorf("read %d nodes, %q; want %q", nodes, named, want)
			}
			load()
			if nodes, named := dumped(t, s); nodes != 5 || len(named) > 0 {
				t.Errorf("after a load: %d nodes, %q", nodes, named)
			}
			if n, err := s.count(t.Context(), "MATCH (n) WHERE n.brain = $brain AND (n:Memory OR n:Source OR n:Run) RETURN count(n)", nil); err != nil || n != 5 {
				t.Errorf("%d nodes are left, %v", n, err)
			}
		})
	}
}

// dumped returns how many nodes a dump has, and what it names.
func dumped(t *testing.T, s *Store) (nodes int, named []string) {
	t.Helper()
	memories := map[string]bool{} // one that changed comes twice
	err := s.Dump(t.Context(), func(p brain.Page) error {
		for _, m := range p.Memories {
			memories[m.ID] = true
		}
		nodes += len(p.Sources) + len(p.Records)
		for _, u := range p.Unreadable {
			named = append(named, u.Kind+" "+u.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes + len(memories), named
}
