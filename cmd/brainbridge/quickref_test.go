package main

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/integration/app"
)

// The query of the quick reference gives the energies that `show` gives.
func TestQuickReferenceQuery(t *testing.T) {
	uri, name, home := neo4jtest.Server(t), "quickref-"+brain.NewID(), t.TempDir()
	t.Cleanup(func() { dropBrains(t, uri, name) })
	createBrain(t, uri, name)
	ask := func(v any, args ...string) {
		t.Helper()
		out, err := program(t, home, append([]string{"--store", uri, "--brain", name, "--json"}, args...)...).Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, stderrOf(err))
		}
		if err := json.Unmarshal(out, v); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	ids := map[string]string{}
	for _, args := range [][]string{
		{"test-memory", "of an hour", "--energy", "1.5", "--age", "1h"},
		{"test-memory", "of twenty hours", "--energy", "3", "--tier", "shortTerm", "--age", "20h"},
		{"test-memory", "of ten days", "--energy", "7", "--tier", "longTerm", "--age", "10d"},
		{"learn", "of now", "a text"},
	} {
		var made app.CaptureAnswer
		ask(&made, args...)
		ids[args[1]] = string(made.MemoryID)
	}
	var ignored struct{}
	ask(&ignored, "decay", "--test-only") // the energy of now in the graph is no base to fade from
	ask(&ignored, "boost", ids["of twenty hours"], "0.25")
	ask(&ignored, "remember", "does not fade", "--entity", "--name", "entity")

	var table struct{ Rows [][]any }
	for _, brain := range []string{name, name + "~test"} {
		var rows struct{ Rows [][]any }
		ask(&rows, "query", strings.ReplaceAll(quickReferenceQuery(t), "'default'", "'"+brain+"'"))
		table.Rows = append(table.Rows, rows.Rows...)
	}
	if len(table.Rows) != len(ids) {
		t.Errorf("%d rows, want %d: %v", len(table.Rows), len(ids), table.Rows)
	}
	for _, row := range table.Rows {
		var s app.ShowAnswer
		ask(&s, "show", ids[row[0].(string)])
		if got, want := row[2].(float64), *s.Memory.Energy; row[1] != string(*s.Memory.Tier) || math.Abs(got-want) > 0.01 {
			t.Errorf("%v: %s %.4f, show says %s %.4f", row[0], row[1], got, *s.Memory.Tier, want)
		}
	}
}

// quickReferenceQuery is the one indented block of Cypher of the page.
func quickReferenceQuery(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/quick-reference.md")
	if err != nil {
		t.Fatal(err)
	}
	_, query, found := strings.Cut(string(page), "\n    MATCH ")
	query, _, ended := strings.Cut(query, "\n\n")
	if !found || !ended {
		t.Fatal("there is no query in the quick reference")
	}
	return "MATCH " + query
}

func stderrOf(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}
