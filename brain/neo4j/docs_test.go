package neo4j

import (
	"errors"
	"math"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// Each question of the page about the graph has an answer in a brain that has some of everything.
func TestTheQuestionsOfTheDocsHaveAnswers(t *testing.T) {
	page, err := os.ReadFile("../../docs/graph.md")
	if err != nil {
		t.Fatal(err)
	}
	s := openTest(t, fresh(t))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	port, other, before := memoryNamed("port"), memoryNamed("other"), memoryNamed("before")
	before.Tier, before.ValidTo = tiers.ArchivedWorking, at
	before.ValidFrom, other.LastDecay = at, at
	port.Tier, port.Energy, port.LastDecay, port.ExpiresAt, port.Created = tiers.ShortTerm, 3, at, at.AddDate(0, 0, 9), at
	err = s.Update(t.Context(), func(tx brain.Tx) error {
		return errors.Join(tx.PutMemories(port, other, before), tx.PutSources(brain.Source{ID: "s", Kind: brain.Learning, Concept: "port", Created: at}),
			tx.PutRelations(brain.Relation{From: "s", Type: brain.HasMemory, To: port.ID}, brain.Relation{From: before.ID, Type: brain.PromotedTo, To: port.ID},
				brain.Relation{From: port.ID, Type: "part_of", To: other.ID}),
			tx.PutRecords(brain.Record{Kind: brain.RunRecord, ID: "r", At: at, Body: []byte(`{"kind":"promote"}`)},
				brain.Record{Kind: brain.ActionRecord, ID: "a", Owner: "r", At: at, Body: []byte(`{"kind":"promote","reason":"energy 3 rose above 2"}`)},
				brain.Record{Kind: brain.ConfigRecord, ID: "current", Owner: brain.PolicyOwner, Body: []byte(
					`{"numbers":{"lambda.working":0.5,"lambda.shortTerm":0.05,"lambda.longTerm":0.001,"promote.energy.working":2,"promote.sessions.working":2,"expire.below":0.1}}`)}))
	})
	if err != nil {
		t.Fatal(err)
	}
	questions := regexp.MustCompile("(?s)```cypher\n(.*?)```").FindAllSubmatch(page, -1)
	if len(questions) != 10 {
		t.Errorf("%d questions, want 10", len(questions))
	}
	for _, q := range questions {
		table, err := s.Query(t.Context(), string(q[1]), nil, false)
		if err != nil || len(table.Rows) == 0 {
			t.Errorf("%s%v, %v", q[1], table.Rows, err)
			continue
		}
		for i, v := range table.Rows[0] {
			if v == nil {
				t.Errorf("%s%s is null", q[1], table.Columns[i])
			}
		}
	}
}

// A run stores the energies of live memories as of the run, so that the graph shows them.
func TestTheGraphShowsTheEnergiesOfTheLastRun(t *testing.T) {
	s := openTest(t, fresh(t))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	tl := tiers.NewTimeline()
	var ms []brain.Memory
	for name, tier := range map[string]tiers.Tier{"a": tiers.Working, "b": tiers.ShortTerm, "c": tiers.LongTerm} {
		m := memoryNamed(name)
		m.State = tl.Start(tier, 1.5, 0, at)
		ms = append(ms, m)
	}
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
	b := services.New(s, services.Options{Now: func() time.Time { return at.Add(2 * time.Hour) }})
	if _, err := consolidate.New(b.Base, b.Journal, consolidate.Options{}).Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate}); err != nil {
		t.Fatal(err)
	}
	table, err := s.Query(t.Context(), "MATCH (m:Memory {brain: $brain}) RETURN m.energy, m.lastDecay.epochMillis = datetime('2026-03-01T11:00:00Z').epochMillis ORDER BY m.name", nil, false)
	if err != nil || len(table.Rows) != 3 {
		t.Fatal(table.Rows, err)
	}
	for i, lambda := range []float64{0.5, 0.05, 0.001} {
		energy, _ := table.Rows[i][0].(float64)
		if math.Abs(energy-1.5*math.Exp(-lambda*2)) > 1e-9 || table.Rows[i][1] != true {
			t.Errorf("the graph shows %v", table.Rows[i])
		}
	}
}
