package neo4j

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// schemaOf lists the indexes and constraints of a database, those of the server itself apart.
func schemaOf(t *testing.T, s *Store) (all []string) {
	t.Helper()
	for _, q := range []string{
		"SHOW INDEXES YIELD name, type, state, owningConstraint, createStatement WHERE type <> 'LOOKUP' RETURN name, type, state, owningConstraint, createStatement ORDER BY name",
		"SHOW CONSTRAINTS YIELD name, createStatement RETURN name, createStatement ORDER BY name",
	} {
		for _, row := range cypher(t, s, q, nil).Rows {
			all = append(all, fmt.Sprint(row...))
		}
	}
	return all
}

// unmake removes what an earlier test left of the schema.
func unmake(t *testing.T, s *Store) {
	t.Helper()
	cypher(t, s, "MATCH (s:BrainbridgeSchema) DETACH DELETE s", nil)
	for _, row := range cypher(t, s, "SHOW CONSTRAINTS YIELD name RETURN name", nil).Rows {
		cypher(t, s, "DROP CONSTRAINT "+row[0].(string), nil)
	}
	for _, row := range cypher(t, s, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name", nil).Rows {
		cypher(t, s, "DROP INDEX "+row[0].(string), nil)
	}
}

// unmade is a store on a database whose schema was removed.
func unmade(t *testing.T, cfg Config) *Store {
	t.Helper()
	s, err := connect(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	unmake(t, s)
	return s
}

// What has a name of ours and is something else is made again, and nothing else is touched.
func schemaOverLeftovers(t *testing.T, cfg Config) {
	s := openOwn(t, cfg)
	want := schemaOf(t, s)
	unmake(t, s)
	const own, theirs = "CREATE INDEX brainbridges FOR (n:Memory) ON (n.theirs)", "CREATE CONSTRAINT theirs FOR (n:Thing) REQUIRE n.x IS UNIQUE"
	for _, q := range []string{
		"CREATE INDEX brainbridge_memory_id FOR (n:Memory) ON (n.brain, n.id)", // what a server leaves that was killed
		"CREATE INDEX brainbridge_source_id FOR (n:Learning) ON (n.x)",
		"CREATE CONSTRAINT brainbridge_section_id FOR (n:Section) REQUIRE (n.id) IS UNIQUE",
		"CREATE INDEX brainbridge_memory_fresh FOR (n:Memory) ON (n.fresh, n.brain)",
		"CREATE INDEX brainbridge_memory_name FOR (n:Section) ON (n.brain, n.nameKey)",
		"CREATE TEXT INDEX brainbridge_memory_text FOR (n:Memory) ON (n.textKey)",
		"CREATE CONSTRAINT brainbridge_memory_lasts FOR (n:Memory) REQUIRE (n.lastsUntil) IS UNIQUE",
		strings.Replace(fulltext(wordsIndex, []string{"words", "scope"}, memoryLabel, sectionLabel).statement(), "whitespace", "english", 1),
		fulltext(talkIndex, []string{"words", "talk"}, sectionLabel, sourceLabel).statement(),
		own, theirs,
	} {
		cypher(t, s, q, nil)
	}
	again := openOwn(t, cfg)
	for _, q := range []string{"SHOW INDEXES YIELD name WHERE name IN ['brainbridges', 'theirs'] RETURN name", "SHOW CONSTRAINTS YIELD name WHERE name = 'theirs' RETURN name"} {
		if rows := cypher(t, again, q, nil).Rows; len(rows) == 0 || len(rows) != 2-strings.Count(q, "CONSTRAINTS") {
			t.Errorf("of what is not ours %v is left: %s", rows, q)
		}
	}
	cypher(t, again, "DROP INDEX brainbridges", nil)
	cypher(t, again, "DROP CONSTRAINT theirs", nil)
	if diff := cmp.Diff(want, schemaOf(t, again)); diff != "" {
		t.Errorf("the schema (-want +got):\n%s", diff)
	}
}

// A server that is killed while the schema is made has one afterwards, whatever it was at.
func schemaKilled(t *testing.T, cfg Config, server *neo4jtest.Instance) {
	want := schemaOf(t, openOwn(t, cfg))
	s := unmade(t, cfg)
	all := definitions()
	done := rand.IntN(len(all))
	if err := s.define(t.Context(), all[:done]...); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- s.prepare(ctx) }()
	server.Kill()
	cancel()
	err := <-ended
	server.Restart()
	left := schemaOf(t, s)
	again, opened := Open(t.Context(), cfg)
	if opened != nil {
		t.Fatalf("killed after %s, which ended with %v; open: %v; it left\n%s", all[done].name, err, opened, strings.Join(left, "\n"))
	}
	if diff := cmp.Diff(want, schemaOf(t, again)); diff != "" {
		t.Errorf("killed after %s, the schema (-want +got):\n%s", all[done].name, diff)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
