package neo4j

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// Each question of the page about the graph has the answer that a person expects, in a brain with
// two memories of which one was promoted.
func TestTheQuestionsOfTheDocsHaveAnswers(t *testing.T) {
	page, err := os.ReadFile("../../docs/graph.md")
	if err != nil {
		t.Fatal(err)
	}
	s := openTest(t, fresh(t))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	port, other := memoryNamed("port"), memoryNamed("other")
	port.State, other.State = new(tiers.DefaultPolicy()).Start(tiers.Working, 3, 0, at), new(tiers.DefaultPolicy()).Start(tiers.LongTerm, 1, 0, at)
	port.Created, other.Created, other.UseCount = at, at, 1
	err = s.Update(t.Context(), func(tx brain.Tx) error {
		return errors.Join(tx.PutMemories(port, other), tx.PutSources(brain.Source{ID: "s", Kind: brain.Learning, Concept: "port", Created: at}),
			tx.PutRelations(brain.Relation{From: "s", Type: brain.HasMemory, To: port.ID}, brain.Relation{From: port.ID, Type: "part_of", To: other.ID}),
			tx.PutRecords(brain.Record{Kind: brain.ConfigRecord, ID: "current", Owner: brain.PolicyOwner, Body: []byte(
				`{"numbers":{"lambda.working":0.5,"lambda.shortTerm":0.05,"lambda.longTerm":0.001,"promote.energy.working":2,"promote.sessions.working":2,"expire.below":0.1}}`)}))
	})
	if err != nil {
		t.Fatal(err)
	}
	b := services.New(s, services.Options{Now: func() time.Time { return at.Add(time.Hour) }})
	if _, err := consolidate.New(b.Base, b.Journal, consolidate.Options{}).Run(t.Context(), consolidate.Request{Kind: brain.RunPromote}); err != nil {
		t.Fatal(err)
	}
	answers := map[string][]string{ // as far as they do not depend on the time
		"What is in the brain, by tier?":                 {"longTerm 1", "shortTerm 1"},
		"What is a memory, and where does it come from?": {"a text shortTerm 2026-03-01T09:00:00Z [Source Learning]"},
		"How strong are the live memories now?":          {"other longTerm", "port shortTerm"},
		"Why was a memory promoted?":                     {"port shortTerm energy 3.00 rose above 2.00"},
		"What was it before?":                            {"port archivedWorking"},
		"Which memories fade next?":                      {"port shortTerm", "other longTerm"},
		"Which were never used?":                         {"port"},
		"How are memories related?":                      {"port part_of other"},
		"What are the lifecycle numbers?":                {"0.5 2 2 0.1"},
		"What did the latest runs do?":                   {"2026-03-01T10:00:00Z promote 1"},
	}
	questions := regexp.MustCompile("(?s)\n([^\n]+\\?)\n\n```cypher\n(.*?)```").FindAllSubmatch(page, -1)
	if len(questions) != len(answers) {
		t.Errorf("%d questions, want %d", len(questions), len(answers))
	}
	for _, q := range questions {
		table, err := s.Query(t.Context(), string(q[2]), nil, false)
		rows := brain.Map(table.Rows, func(row []any) string { return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(row), "["), "]") })
		if err != nil || len(answers[string(q[1])]) == 0 {
			t.Errorf("%s %v", q[1], err)
		}
		for _, want := range answers[string(q[1])] {
			if !slices.ContainsFunc(rows, func(row string) bool { return strings.HasPrefix(row, want) }) {
				t.Errorf("%s\n%s answers %q, want %q", q[1], q[2], rows, want)
			}
		}
	}
}

// A run stores the energies of live memories as of the run, so that the graph shows them.
func TestTheGraphShowsTheEnergiesOfTheLastRun(t *testing.T) {
	s := openTest(t, fresh(t))
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	policy := new(tiers.DefaultPolicy())
	var ms []brain.Memory
	for name, tier := range map[string]tiers.Tier{"a": tiers.Working, "b": tiers.ShortTerm, "c": tiers.LongTerm} {
		m := memoryNamed(name)
		m.State = policy.Start(tier, 1.5, 0, at)
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
