package mcp_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/review"
)

// graph is the whole graph as a client reads it.
func (c *client) graph() brain.Graph {
	c.t.Helper()
	return decodeJSON[brain.Graph](c.t, c.call("read_graph", map[string]any{}).text())
}

func (c *client) create(es ...brain.Entity) {
	c.t.Helper()
	if r := c.call("create_entities", map[string]any{"entities": es}); r.IsError {
		c.t.Fatal(r.text())
	}
}

func (c *client) relate(from, relationType, to string) {
	c.t.Helper()
	rel := brain.EntityRelation{From: from, To: to, RelationType: relationType}
	if r := c.call("create_relations", map[string]any{"relations": []brain.EntityRelation{rel}}); r.IsError {
		c.t.Fatal(r.text())
	}
}

func entity(name string, observations ...string) brain.Entity {
	return brain.Entity{Name: name, EntityType: "thing", Observations: append([]string{}, observations...)}
}

// undoLast takes the newest run back.
func undoLast(t *testing.T, b home) journal.Undone {
	t.Helper()
	run, err := b.Journal.LastRun(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	undone, err := b.Journal.Undo(t.Context(), run.ID, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return undone
}

func TestEveryDeletionCanBeUndone(t *testing.T) {
	for name, deletion := range map[string]struct {
		tool      string
		arguments map[string]any
	}{
		"entities":                           {"delete_entities", map[string]any{"entityNames": []string{"Ada", "Bob"}}},
		"an entity with relations that wait": {"delete_entities", map[string]any{"entityNames": []string{"Ada"}}},
		"a name that nobody has":             {"delete_entities", map[string]any{"entityNames": []string{"Ship"}}},
		"observations": {"delete_observations", map[string]any{"deletions": []map[string]any{
			{"entityName": "Ada", "observations": []string{"tea", "codes"}}, {"entityName": "Bob", "observations": []string{"brews"}},
		}}},
		"relations": {"delete_relations", map[string]any{"relations": []brain.EntityRelation{
			{From: "Ada", To: "Bob", RelationType: "knows"},
			{From: "Ada", To: "Ship", RelationType: "owns"},
			{From: "Ada", To: "Bob", RelationType: "likes"},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			onBothStores(t, func(t *testing.T, b home) {
				c := graphOf(t, b)
				c.create(entity("Ada", "tea", "codes"), entity("Bob", "brews"))
				c.relate("Ada", "knows", "Bob")
				c.relate("Ada", "likes", "Bob")
				c.relate("Ada", "owns", "Ship")
				c.relate("Ghost", "haunts", "House")
				before := c.graph()
				if r := c.call(deletion.tool, deletion.arguments); r.IsError {
					t.Fatal(r.text())
				}
				if cmp.Equal(before, c.graph()) {
					t.Fatal("nothing was deleted")
				}
				if undone := undoLast(t, b); len(undone.Skipped) > 0 {
					t.Errorf("not undone: %v", undone.Skipped)
				}
				if diff := cmp.Diff(before, c.graph()); diff != "" {
					t.Errorf("the graph before and after deleting and undoing it: %s", diff)
				}
			})
		})
	}
}

func TestWhatWasDeletedCanBeMadeAgain(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := graphOf(t, b)
		c.create(entity("Ada", "tea"))
		c.call("delete_entities", map[string]any{"entityNames": []string{"Ada"}})
		c.create(entity("Ada", "tea"))
		if g := c.graph(); len(g.Entities) != 1 {
			t.Errorf("%d entities, want the one made again", len(g.Entities))
		}
		if undone := undoLast(t, b); len(undone.Skipped) != 1 {
			t.Errorf("undoing took a name that is in use: %+v", undone)
		}
	})
}

func TestFormerNamesAnswerWithTheirKeeper(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := graphOf(t, b)
		c.create(entity("Postgres", "a database"), entity("PostgreSQL", "open source"))
		ids := map[string]brain.Memory{}
		for w, err := range b.Recall.AllMemories(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			ids[w.Memory.Name] = w.Memory
		}
		run := brain.Run{ID: brain.NewID(), Kind: brain.RunReview, Started: b.Base.Now()}
		merging := review.Merging{Keeper: ids["PostgreSQL"], Sources: []brain.Memory{ids["Postgres"]}, Reason: "test"}
		if _, _, err := b.Review.Merge(t.Context(), run, b.Base.Now(), merging); err != nil {
			t.Fatal(err)
		}
		opened := decodeJSON[brain.Graph](t, c.call("open_nodes", map[string]any{"names": []string{"Postgres"}}).text())
		if len(opened.Entities) != 1 || opened.Entities[0].Name != ids["PostgreSQL"].Name && opened.Entities[0].Name != "Postgres" {
			t.Fatalf("the name of what was merged opens %+v", opened.Entities)
		}
		c.create(entity("Postgres"), entity("PostgreSQL"))
		if g := c.graph(); len(g.Entities) != 1 {
			t.Errorf("a former name was given out again: %+v", g.Entities)
		}
		undoLast(t, b)
		if g := c.graph(); len(g.Entities) != 2 {
			t.Errorf("%d entities after the merge was undone, want 2", len(g.Entities))
		}
	})
}

// The graph keeps the order in which it was made, also of relations whose entities
// come later, and of what was deleted and brought back.
func TestTheGraphKeepsItsOrder(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := graphOf(t, b)
		c.create(entity("Zoe"), entity("Ada"))
		c.relate("Zoe", "waits for", "Bob")
		c.relate("Ada", "likes", "Zoe")
		c.relate("Zoe", "knows", "Ada")
		c.relate("Ada", "knows", "Zoe")
		c.create(entity("Bob"), entity(""))
		c.relate("Bob", "sits with", "")
		var want brain.Graph
		for _, name := range []string{"Zoe", "Ada", "Bob", ""} {
			want.Entities = append(want.Entities, entity(name))
		}
		for _, r := range [][3]string{
			{"Zoe", "waits for", "Bob"}, {"Ada", "likes", "Zoe"}, {"Zoe", "knows", "Ada"}, {"Ada", "knows", "Zoe"}, {"Bob", "sits with", ""},
		} {
			want.Relations = append(want.Relations, brain.EntityRelation{From: r[0], RelationType: r[1], To: r[2]})
		}
		if diff := cmp.Diff(want, c.graph()); diff != "" {
			t.Error(diff)
		}
		c.call("delete_entities", map[string]any{"entityNames": []string{"Zoe"}})
		undoLast(t, b)
		if diff := cmp.Diff(want, c.graph()); diff != "" {
			t.Errorf("after a deletion was undone: %s", diff)
		}
		found := decodeJSON[brain.Graph](t, c.call("search_nodes", map[string]any{"query": "zoe"}).text())
		opened := decodeJSON[brain.Graph](t, c.call("open_nodes", map[string]any{"names": []string{"Zoe"}}).text())
		for name, g := range map[string]brain.Graph{"search_nodes": found, "open_nodes": opened} {
			if diff := cmp.Diff(want.Relations[:4], g.Relations); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	})
}

func TestSecretsStayOutOfTheGraph(t *testing.T) {
	b := onSQLite(t)
	secret := "ghp_" + "k7Qz2mXv9LpRt4WsYb8NcJd3HfGa5EuTi6Ko"
	c := graphOf(t, b)
	c.create(entity("Vault "+secret, "the key is "+secret))
	c.call("add_observations", map[string]any{"observations": []map[string]any{
		{"entityName": "Vault " + secret, "contents": []string{"and again " + secret}},
	}})
	c.relate("Vault "+secret, "opens", secret)
	want := brain.Graph{
		Entities:  []brain.Entity{entity("Vault [redacted: github token]", "the key is [redacted: github token]", "and again [redacted: github token]")},
		Relations: []brain.EntityRelation{{From: "Vault [redacted: github token]", To: "[redacted: github token]", RelationType: "opens"}},
	}
	if diff := cmp.Diff(want, c.graph()); diff != "" {
		t.Error(diff)
	}
}

func TestNothingOfConcurrentCallsIsLost(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		const clients, each = 4, 5
		var wg sync.WaitGroup
		for i := range clients {
			wg.Go(func() {
				for j := range each {
					name := fmt.Sprintf("n%d-%d", i, j)
					if made, err := b.Graph.CreateEntities(t.Context(), []brain.Entity{entity(name), entity("shared")}); err != nil || made[0].Name != name {
						t.Errorf("%s: %v, %v", name, made, err)
					}
					added := []graph.ObservationsOf{{EntityName: "shared", Contents: []string{name}}}
					if _, err := b.Graph.AddObservations(t.Context(), added); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		g := graphOf(t, b).graph()
		if len(g.Entities) != clients*each+1 {
			t.Errorf("%d entities, want %d", len(g.Entities), clients*each+1)
		}
		for _, e := range g.Entities {
			if e.Name == "shared" && len(e.Observations) != clients*each {
				t.Errorf("%d observations of the shared one, want %d", len(e.Observations), clients*each)
			}
		}
	})
}

func TestNotesAndCapturesAreNotInTheGraph(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		capture, err := b.Capture.New(brain.Source{Kind: brain.Learning, Concept: "Redis", Learned: "is a cache"}, brain.Details{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Capture.Capture(t.Context(), capture); err != nil {
			t.Fatal(err)
		}
		c := graphOf(t, b)
		c.create(entity("Shop"))
		c.relate("Shop", "uses", "Redis")
		want := brain.Graph{
			Entities:  []brain.Entity{entity("Shop")},
			Relations: []brain.EntityRelation{{From: "Shop", To: "Redis", RelationType: "uses"}},
		}
		if diff := cmp.Diff(want, c.graph()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTooMuchIsRefusedWithAReason(t *testing.T) {
	c := graphOf(t, onSQLite(t))
	for name, e := range map[string]brain.Entity{
		"has 5242881 bytes": entity("Long", strings.Repeat("x", 5<<20)),
		"NUL":               entity("Nul", "a\x00b"),
		"characters":        entity(strings.Repeat("n", 513)),
	} {
		r := c.call("create_entities", map[string]any{"entities": []brain.Entity{entity("Good"), e}})
		if !r.IsError || !strings.Contains(r.text(), name) && name != "has 5242881 bytes" {
			t.Errorf("%s: %.200s", name, r.text())
		}
	}
	if g := c.graph(); len(g.Entities) != 0 {
		t.Errorf("of calls that were refused, %d entities are there", len(g.Entities))
	}
}
