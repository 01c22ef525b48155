package neo4j

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// fresh is the name of a brain that nobody uses.
func fresh(t *testing.T) string { return "t-" + hashKey(t.Name(), time.Now().String())[:16] }

func cypher(t *testing.T, s *Store, query string, params map[string]any) Table {
	t.Helper()
	table, err := s.Query(t.Context(), query, params, true)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return table
}

// Nodes of other programs with our labels, our ids and even our words stay as
// they are, and are never shown.
func TestOthersNodesAreLeftAlone(t *testing.T) {
	s := openTest(t, fresh(t))
	mark := map[string]any{"mark": s.brain}
	indexed := "words: 'zebra', scope: '" + s.scope(true) + "'"
	cypher(t, s, `CREATE (a:Memory {id: 'm', theirs: $mark, name: 'zebra', `+indexed+`, tier: 'working', lastsUntil: datetime()}),
		(b:Source:Outcome {id: 's', theirs: $mark, key: 'k'}), (c:Section {id: 'x', theirs: $mark}), (d:Run {id: 'r', theirs: $mark}),
		(e:Memory {id: 'm', brain: 'other of ' + $mark, theirs: $mark, `+indexed+`}), (b)-[:HAS_MEMORY]->(a), (a)-[:RELATED {type: 't'}]->(a), (c)-[:KNOWS]->(d)`, mark)
	t.Cleanup(func() {
		_, _ = s.auto(context.WithoutCancel(t.Context()), s.timeout, driver.AccessModeWrite, "MATCH (n {theirs: $mark}) DETACH DELETE n", mark)
	})
	const all = `MATCH (n {theirs: $mark}) OPTIONAL MATCH (n)-[r]->(o) RETURN labels(n) AS l, properties(n) AS p, type(r) AS t, o.id AS o ORDER BY l, p.brain, t`
	before := cypher(t, s, all, mark)
	writeEverything(t, s)
	if diff := cmp.Diff(before, cypher(t, s, all, mark)); diff != "" || len(before.Rows) != 5 {
		t.Errorf("%d rows of others, which changed:\n%s", len(before.Rows), diff)
	}
	if n := cypher(t, s, "MATCH (n {brain: $brain}) RETURN count(n)", nil).Rows[0][0]; n != int64(0) {
		t.Errorf("%v nodes of ours are left after deleting all", n)
	}
}

// writeEverything writes, reads and deletes nodes with the ids m, s, x and r.
func writeEverything(t *testing.T, s *Store) {
	t.Helper()
	m := brain.Memory{ID: "m", Name: "zebra"}
	m.Tier = tiers.Working
	put := func(tx brain.Tx) error {
		return errors.Join(tx.DeleteNodes("m"), tx.DeleteNodes("s"), tx.DeleteNodes("x"), tx.DeleteRecords(brain.RunRecord, "r"),
			tx.PutLives(m), tx.PutMemories(m), tx.PutSources(brain.Source{ID: "s", Kind: brain.Outcome, Key: "k"}),
			tx.PutSections(brain.Section{ID: "x", Key: "k"}), tx.PutRecords(brain.Record{Kind: brain.RunRecord, ID: "r"}),
			tx.PutRelations(brain.Relation{From: "s", Type: brain.HasMemory, To: "m"}, brain.Relation{From: "m", Type: "t", To: "m"}))
	}
	remove := func(tx brain.Tx) error {
		hits, err := tx.Search(brain.SearchQuery{Words: words.Parse("zebra"), Limit: 9})
		if err != nil || len(hits) != 1 {
			t.Errorf("%d hits, error %v; want 1", len(hits), err)
		}
		rs, err := tx.Relations("m", "s", "x", "r")
		if err != nil || len(rs) != 2 {
			t.Errorf("%d relations, error %v; want 2", len(rs), err)
		}
		return errors.Join(tx.DeleteRelations(rs...), tx.DeleteNodes("m"), tx.DeleteNodes("s"), tx.DeleteNodes("x"), tx.DeleteRecords(brain.RunRecord, "r"))
	}
	for _, fn := range []func(brain.Tx) error{put, remove} {
		if err := s.Update(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
}

// A person who opens the graph sees nodes, names and relationships of the model.
func TestTheGraphIsThatOfTheModel(t *testing.T) {
	s := openTest(t, fresh(t))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	old, promoted := brain.Memory{ID: "old", Name: "n", Content: "c", Created: at}, brain.Memory{ID: "new", Name: "n", Content: "c", Created: at}
	old.Tier, promoted.Tier, promoted.Energy, promoted.LastDecay = tiers.ArchivedWorking, tiers.ShortTerm, 3, at
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		return errors.Join(tx.PutMemories(old, promoted), tx.PutSources(brain.Source{ID: "s", Kind: brain.Crystallization, Trigger: "t", Created: at}),
			tx.PutRecords(brain.Record{Kind: brain.ActionRecord, ID: "a", At: at, Body: []byte(`{"reason":"rose above 2.0"}`)}),
			tx.PutRelations(brain.Relation{From: "s", Type: brain.HasMemory, To: "new"}, brain.Relation{From: "old", Type: brain.PromotedTo, To: "new"},
				brain.Relation{From: "new", Type: "part_of", To: "old"}))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Update(context.WithoutCancel(t.Context()), removeAll) })
	got := cypher(t, s, `MATCH (c:Crystallization {brain: $brain, trigger: 't'})-[:HAS_MEMORY]->(m:Memory {tier: 'shortTerm'})<-[p:PROMOTED_TO]-(o:Memory {tier: 'archivedWorking'}),
		(m)-[r:RELATED]->(o), (a:Action {brain: $brain}) RETURN m.id, m.energy, m.lastDecay, type(p), r.type, a.reason`, nil)
	want := [][]any{{"new", 3.0, "2026-03-01T09:00:00Z", "PROMOTED_TO", "part_of", "rose above 2.0"}}
	if diff := cmp.Diff(want, got.Rows); diff != "" {
		t.Error(diff)
	}
}

func removeAll(tx brain.Tx) error {
	return errors.Join(tx.DeleteNodes("old", "new"), tx.DeleteNodes("s"), tx.DeleteRecords(brain.ActionRecord, "a"))
}

func TestQueriesOfPeople(t *testing.T) {
	s := openTest(t, fresh(t))
	for query, want := range map[string][]any{
		"RETURN $brain AS a, 1 AS b, 0.5 AS c, null AS d, [1, 'x'] AS e": {s.brain, int64(1), 0.5, nil, []any{int64(1), "x"}},
		"RETURN datetime('2026-03-01T09:00:00.5Z') AS a":                 {"2026-03-01T09:00:00.5Z"},
		"RETURN date('2026-03-01') AS a, duration('PT1H') AS b":          {"2026-03-01", "P0M0DT3600S"},
		"RETURN {a: date('2026-03-01')} AS a, 0.0/0.0 AS b":              {map[string]any{"a": "2026-03-01"}, "NaN"},
		"UNWIND [] AS x RETURN x":                                        nil,
	} {
		table, err := s.Query(t.Context(), query, nil, false)
		if err != nil || len(table.Columns) == 0 {
			t.Errorf("%s: %v, columns %v", query, err, table.Columns)
			continue
		}
		if want != nil && !reflect.DeepEqual(table.Rows, [][]any{want}) {
			t.Errorf("%s: %#v, want %#v", query, table.Rows, want)
		}
	}
}

func TestQueriesOfPeopleShowTheGraph(t *testing.T) {
	s := openTest(t, fresh(t))
	table := cypher(t, s, "CREATE p = (:Thing {n: 1, brain: $brain})-[:IS {w: 2}]->(:Thing {n: 3, brain: $brain}) RETURN p", nil)
	t.Cleanup(func() {
		_, _ = s.Query(context.WithoutCancel(t.Context()), "MATCH (n:Thing {brain: $brain}) DETACH DELETE n", nil, true)
	})
	node := func(n int64) any {
		return map[string]any{"labels": []string{"Thing"}, "properties": map[string]any{"n": n, "brain": s.brain}}
	}
	want := []any{[]any{node(1), map[string]any{"type": "IS", "properties": map[string]any{"w": int64(2)}}, node(3)}}
	if diff := cmp.Diff([][]any{want}, table.Rows); diff != "" {
		t.Error(diff)
	}
}

func TestQueriesWriteOnlyWhenAllowed(t *testing.T) {
	s := openTest(t, fresh(t))
	for _, query := range []string{
		"CREATE (:Thing {brain: $brain})", "MERGE (t:Thing {brain: $brain}) RETURN t", "CREATE INDEX never IF NOT EXISTS FOR (t:Thing) ON (t.never)",
		"UNWIND [1, 2] AS x CALL (x) { CREATE (:Thing {brain: $brain}) } IN TRANSACTIONS", "CALL db.createLabel('NeverMade')",
		"MATCH (n", "RETURN nothing", "RETURN 1/0", "",
	} {
		if _, err := s.Query(t.Context(), query, nil, false); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%s: error is %v, want ErrInvalid", query, err)
		}
	}
	count := "MATCH (t:Thing {brain: $brain}) RETURN count(t)"
	if n := cypher(t, s, count, nil).Rows[0][0]; n != int64(0) {
		t.Errorf("%v nodes were written", n)
	}
	cypher(t, s, "UNWIND [1, 2] AS x CALL (x) { CREATE (:Thing {brain: $brain}) } IN TRANSACTIONS", nil)
	if n := cypher(t, s, count, nil).Rows[0][0]; n != int64(2) {
		t.Errorf("%v nodes, want 2", n)
	}
	cypher(t, s, "MATCH (t:Thing {brain: $brain}) DELETE t", nil)
}

// A query that takes too long is not the fault of the server.
func TestAQueryThatTakesTooLongSaysSo(t *testing.T) {
	s := openTest(t, fresh(t))
	s.timeout = 100 * time.Millisecond
	for _, write := range []bool{false, true} {
		_, err := s.Query(t.Context(), "UNWIND range(1, 100000000000) AS i RETURN sum(i % 7)", nil, write)
		if !errors.Is(err, brain.ErrUnavailable) || !strings.Contains(err.Error(), "the query took longer than 100ms") {
			t.Errorf("the error is %v", err)
		}
	}
}

// A node in an answer has what a person reads, not what only the indexes need.
func TestAnAnswerHasNoPropertiesOfIndexes(t *testing.T) {
	s := openTest(t, fresh(t))
	put(t, s, memoryNamed("a"))
	cypher(t, s, byHand+"n.vector3 = [0.1, 0.2, 0.3], n.vector4 = 'mine'", map[string]any{"id": "a"})
	got := cypher(t, s, "MATCH (n:Memory {brain: $brain}) RETURN n", nil).Rows[0][0].(map[string]any)["properties"].(map[string]any)
	if got["words"] != nil || got["vector3"] != nil || got["vector4"] != "mine" || got["content"] != "a text" {
		t.Errorf("the properties are %v", got)
	}
}
