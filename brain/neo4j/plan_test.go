package neo4j

import (
	"context"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/tiers"
)

func openTest(t *testing.T, name string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{URI: neo4jtest.Server(t), Brain: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// plan returns how the server would run a query, as text.
func plan(t *testing.T, s *Store, cypher string) string {
	t.Helper()
	session := s.driver.NewSession(t.Context(), s.sessionConfig(driver.AccessModeWrite))
	defer func() { _ = session.Close(context.WithoutCancel(t.Context())) }()
	one := []any{map[string]any{"id": "a"}}
	result, err := session.Run(t.Context(), s.withNodes("EXPLAIN "+cypher), map[string]any{
		"brain": s.brain, "ids": []string{"a", "b"}, "rows": one, "kinds": sourceKinds(), "limit": 5,
		"from": "a", "to": "b", "now": time.Now().UTC(), "before": time.Now().UTC(), "live": tierNames(tiers.Tier.Live), "current": tierNames(tiers.Tier.Live),
		"prefixes": []string{"a"}, "keys": []string{"a", "b"}, "lists": one, "ends": nodeLabels(), "project": "x", "type": "x", "tag": "x", "since": time.Now().UTC(),
		"name": "n", "token": "t", "lasts": 1, "after": "a", "mark": removing, "beside": "b",
		"reach": 2, "places": one, "given": []string{"a"}, "dir": "d",
		"property": "vector3", "vector": []float64{1, 2, 3}, "model": "m", "sample": 9, "exact": 9, "tiers": []string{"working"},
	})
	if err != nil {
		t.Fatalf("explain %s: %v", cypher, err)
	}
	summary, err := result.Consume(t.Context())
	if err != nil {
		t.Fatalf("explain %s: %v", cypher, err)
	}
	text, _ := summary.Plan().Arguments()["string-representation"].(string)
	// A wide detail goes on in the next line of the table.
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "|", " ")), " ")
}

// hotQueries are those of the everyday calls, with the index that each must
// begin at. Ordered ones must take their order from the index.
func hotQueries() []struct {
	name, cypher, index string
	ordered             bool
} {
	project := "x"
	return []struct {
		name, cypher, index string
		ordered             bool
	}{
		{"list by strength", listCypher(brain.ListFilter{Tier: tiers.Working}), "n:Memory(brain, tier, lastsUntil)", true},
		{"filtered list", listCypher(brain.ListFilter{Tier: tiers.Working, Type: "x", Tag: "x", Project: &project, Since: time.Now()}), "n:Memory(brain, tier, lastsUntil)", true},
		{"list by id", listCypher(brain.ListFilter{Type: "x", Project: &project}), "n:Memory(brain, id)", true},
		{"list of the newest", listCypher(brain.ListFilter{Newest: true}), "n:Memory(brain, id)", false},
		{"list by id of tiers", listCypher(brain.ListFilter{Tiers: tiers.All(), Type: "x"}), "n:Memory(brain, id)", true},
		{"due", listCypher(brain.ListFilter{Due: time.Now()}), "n:Memory(brain, promoteDue)", false},
		{"expired", listCypher(brain.ListFilter{Due: time.Now()}), "n:Memory(brain, tier, lastsUntil)", false},
		{"due by strength", listCypher(brain.ListFilter{Tier: tiers.Working, DueOnly: true}), "n:Memory(brain, promoteDue)", false},
		{"counts", countTiers, "n:Memory(brain, tier, lastsUntil)", false},
		{"fresh", listCypher(brain.ListFilter{Group: brain.FreshOthers}), "n:Memory(brain, freshGroup, freshAt)", true},
		{"fresh of a project", listCypher(brain.ListFilter{Group: brain.FreshOthers, Project: &project}), "n:Memory(brain, freshGroup, freshAt)", true},
		{"places of texts", writtenPlaces, "n:Memory(brain, written, id)", false},
		{"texts in order", writtenOn, "n:Memory(brain, written, id)", true},
		{"faded", countFaded, "n:Memory(brain, tier, lastsUntil)", false},
		{"entities by key", listCypher(brain.ListFilter{By: brain.ByEntity}), "n:Memory(brain, entityKey)", false},
		{"names", listCypher(brain.ListFilter{By: brain.ByName}), "n:Memory(brain, nameKey)", false},
		{"entities", listCypher(brain.ListFilter{Entities: true}), "n:Memory(brain, entityKey)", false},
		{"known texts", lockTexts + listCypher(brain.ListFilter{By: brain.ByText}), "n:Memory(brain, textKey)", false},
		{"prefixes", matching(), "n:Memory(brain, id)", true},
		{"prefixes of sections", matching(), "n:Section(brain, id)", true},
		{"prefixes of runs", matching(), "n:Run(brain, id)", true},
		{"lives", putLives, "n:Memory(brain, id)", false},
		{"neighbours", neighboursCypher(), "n:Memory(brain, group, position)", false},
		{"neighbouring sections", neighboursCypher(), "n:Section(brain, group, position)", false},
		{"texts without a vector", unembeddedCypher(), "n:Memory(brain, vectorModel)", false},
		{"sections without a vector", unembeddedCypher(), "n:Section(brain, vectorModel)", false},
		{"numbers of vectors", vectorCountsCypher(), "n:Memory(brain, vectorModel)", false},
		{"the model of the vectors", vectorModelCypher(), "n:Section(brain, vectorModel)", false},
		{"sample of vectors", spreadCypher(), "n:Section(brain, vectorModel)", false},
		{"vectors of a small brain", fewCypher(), "n:Memory(brain, vectorModel)", false},
		{"vectors of the sections of a small brain", fewCypher(), "n:Section(brain, vectorModel)", false},
		{"cosines", cosinesCypher, "n:Section(brain, id)", false},
		{"lengths", lengthsCypher, "n:Memory(brain, length)", false},
		{"lengths of sections", lengthsCypher, "n:Section(brain, length)", false},
		{"lengths of transcripts", talkLengthsCypher, "n:Section(brain, talkLength)", false},
		{"relations", relations(), "n:Memory(brain, id)", false},
		{"relations of sources", relations(), "n:Source(brain, id)", false},
		{"pages of memories", pageOf(memoryLabel), "n:Memory(brain, id)", true},
		{"pages of records", pageOf("Run"), "n:Run(brain, id)", true},
		{"pages of relations", outgoing(sectionLabel), "n:Section(brain, id)", true},
		{"removal", underMark + sweepOf(sourceLabel, "$brain", remove), "n:Source(brain, id)", false},
		{"ends", existing(), "n:Section(brain, id)", false},
		{"titles", listSources(brain.SourceFilter{By: brain.ByTitle}), "n:Outcome(brain, titleKey, date)", false},
		{"newest sources", listSources(brain.SourceFilter{}), "n:Source(brain, kind, created)", true},
		{"open reminders", listSources(brain.SourceFilter{Open: true, Project: &project}), "n:Source(brain, kind, created)", true},
		{"outcomes by key", listSources(brain.SourceFilter{By: brain.ByKey}), "n:Outcome(brain, key)", false},
		{"outcomes of files", listSources(brain.SourceFilter{By: brain.ByFile}), "n:Outcome(brain, dir, file)", false},
		{"sections of files", bySectionFile, "n:Section(brain, dir, file)", false},
		{"records by owner", recordsCypher(brain.ActionRecord, "owner"), "n:Action(brain, owner)", false},
		{"records by key", recordsCypher(brain.ActionRecord, "key"), "n:Action(brain, key)", false},
		{"latest records", latestCypher(brain.RunRecord, true), "n:Run(brain, at)", true},
		{"the very latest", latestCypher(brain.RunRecord, false), "n:Run(brain, at)", true},
		{"records of a rare kind", recordsCypher(brain.CheckpointRecord, "owner"), "n:Checkpoint(brain, id)", false},
		{"locked read", "UNWIND $ids AS id MATCH (n:Memory {brain: $brain, id: id})" + lockFirst + "RETURN n", "n:Memory(brain, id)", false},
		{"schema", readState, "s:BrainbridgeSchema(name)", false},
		{"number", readState, "b:BrainbridgeBrain(name)", false},
	}
}

func TestHotQueriesBeginAtTheirIndex(t *testing.T) {
	s := openTest(t, "plans")
	for _, q := range hotQueries() {
		t.Run(q.name, func(t *testing.T) {
			got := plan(t, s, q.cypher)
			if !strings.Contains(got, q.index) {
				t.Errorf("the plan does not use %s:\n%s", q.index, got)
			}
			for _, bad := range []string{"AllNodesScan", "ByLabelScan", "CartesianProduct", "NodeIndexScan", "RelationshipTypeScan"} {
				if strings.Contains(got, bad) {
					t.Errorf("the plan has %s:\n%s", bad, got)
				}
			}
			if q.ordered && (strings.Contains(got, "Sort") || !strings.Contains(got, "Ordered by")) {
				t.Errorf("the plan sorts instead of reading in order:\n%s", got)
			}
		})
	}
}

// A list costs what it returns: its database hits do not grow with the tier.
func TestListsCostWhatTheyReturn(t *testing.T) {
	s := openTest(t, "cost-"+hashKey(t.Name(), time.Now().String())[:12])
	hits := func() int64 {
		rows, err := s.profile(t, listCypher(brain.ListFilter{Tier: tiers.Working}), map[string]any{
			"brain": s.brain, "limit": 5, "lists": []any{map[string]any{"no": 0, "tier": "working"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	fill := func(n int) {
		ms := make([]brain.Memory, n)
		for i := range ms {
			ms[i].ID, ms[i].Name, ms[i].Tier = hashKey(s.brain, time.Now().String())[:20]+strings.Repeat("x", i%7), "n", tiers.Working
			ms[i].ExpiresAt = time.Now().Add(time.Duration(i) * time.Minute)
		}
		if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
			t.Fatal(err)
		}
	}
	fill(20)
	few := hits()
	fill(500)
	if many := hits(); many > few+few/2 || few == 0 {
		t.Errorf("a list of 5 costs %d database hits among 20 memories, %d among 520", few, many)
	}
}

func (s *Store) profile(t *testing.T, cypher string, params map[string]any) (int64, error) {
	session := s.driver.NewSession(t.Context(), s.sessionConfig(driver.AccessModeRead))
	defer func() { _ = session.Close(context.WithoutCancel(t.Context())) }()
	result, err := session.Run(t.Context(), s.withNodes("PROFILE "+cypher), params)
	if err != nil {
		return 0, err
	}
	summary, err := result.Consume(t.Context())
	if err != nil {
		return 0, err
	}
	return totalHits(summary.Profile()), nil
}

func totalHits(p driver.ProfiledPlan) int64 {
	n := p.DbHits()
	for _, c := range p.Children() {
		n += totalHits(c)
	}
	return n
}
