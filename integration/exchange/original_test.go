package exchange

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// originalRows is a graph of the original program, as its rows are read.
func originalRows() Original {
	node := func(element, label string, props map[string]any) []any { return []any{element, []any{label}, props} }
	at := func(day string) string { return "2026-02-" + day + "T09:00:00Z" }
	memory := func(element, id, content, tier string) []any {
		return node(element, "Memory", map[string]any{"id": id, "content": content, "tier": tier, "energy": 3.0, "created": at("20"), "lastDecay": at("28")})
	}
	return Original{
		Nodes: [][]any{
			memory("1", "11111111-1111-4111-8111-111111111111", "The pool is too small", "archivedWorking"),
			memory("2", "22222222-2222-4222-8222-222222222222", "The pool holds forty", "shortTerm"),
			memory("3", "33333333-3333-4333-8333-333333333333", "The pool holds fifty", "shortTerm"),
			memory("4", "test_44444444-4444-4444-8444-444444444444", "a test memory", "working"),
			node("5", "Reminder", map[string]any{"id": "r1", "text": "Renew the lease", "due": "2026-03-20", "created": at("20")}),
			node("6", "Reminder", map[string]any{"id": "r2", "text": "Renew the licence", "due": 1774051200000, "created": at("20")}), // 21 March, 0:00 UTC
			node("7", "Reminder", map[string]any{"id": "r3", "text": "Call the office", "due": "2026-03-22T15:30:00Z", "created": at("20")}),
			node("8", "ConsolidationConfig", map[string]any{"workingLambda": 0.4, "lambda_longTerm": 0.002, "colour": "red", "WORKING.decayrate": 0.7, "validFrom": at("20")}),
		},
		Relations: [][]any{
			{"PROMOTED_TO", "1", "2"}, {"PROMOTED_TO", "1", "2"}, {"PROMOTED_TO", "1", "3"}, {"RELATED_TO", "2", "4"}, {"RELATED_TO", "2", "3"},
		},
	}
}

// Of promotions that branch none is lost, a relation to a test memory is left out with the
// reason, and a day is a day in every zone.
func TestOriginalGraph(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	l := open(t)
	r := l.take(Brainbridge, "bolt://there", func(o *Options) { o.Original, o.Location = originalRows(), berlin })
	if r.Imported != 6 || len(r.Problems) > 0 || len(r.LeftOut) != 1 || !strings.Contains(r.LeftOut[0].Message, "to test_44444444-4444-4444-8444-444444444444: one of them is a test memory") {
		t.Errorf("the report is %+v", r)
	}
	var got []string
	for _, w := range l.exported() {
		for _, rel := range w.Relations {
			if rel.Type != brain.HasMemory {
				got = append(got, rel.From[:1]+" "+rel.Type+" "+rel.To[:1])
			}
		}
		if w.Source != nil && w.Source.Kind == brain.Reminder {
			got = append(got, w.Source.Text+" "+w.Source.Due.In(berlin).Format("02 15:04"))
		}
	}
	slices.Sort(got)
	want := []string{"2 related_to 3", "3 derived_from 1", "Call the office 22 16:30", "Renew the lease 20 00:00", "Renew the licence 21 00:00"}
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("imported:\n%s", strings.Join(got, "\n"))
	}
	if shown, err := l.Recall.Show(t.Context(), "11111111-1111-4111-8111-111111111111", false); err != nil || shown.Memory.ID[:1] != "2" {
		t.Errorf("the archived one leads to %s, %v", shown.Memory.ID, err)
	}
	if again := l.take(Brainbridge, "bolt://there", func(o *Options) { o.Original, o.Location = originalRows(), berlin }); again.Imported != 0 || again.Unchanged != r.Imported {
		t.Errorf("again: %+v", again)
	}
}

// Numbers count by the names that the original program gave them, and others are named.
func TestNumbersOfTheOriginal(t *testing.T) {
	numbers, unknown := originalRows().Numbers(new(tiers.DefaultPolicy()))
	if len(numbers) != 2 || numbers["lambda.working"] != 0.4 || numbers["lambda.longTerm"] != 0.002 || !slices.Equal(unknown, []string{"WORKING.decayrate", "colour"}) {
		t.Errorf("numbers %v, unknown %v", numbers, unknown)
	}
}
