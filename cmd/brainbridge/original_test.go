package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// originalGraph is a graph as the original program leaves it, with times in every form.
const originalGraph = `
CREATE (c:Crystallization {id: '6f1c2d3e-4a5b-4c6d-8e7f-901234567890', trigger: 'Redis times out', insight: 'The pool is too small', channel: 'ops'})
CREATE (w:Memory {id: '11111111-1111-4111-8111-111111111111', name: 'Redis times out', content: 'The pool is too small', energy: 3, tier: 'archivedWorking',
  created: datetime('2026-02-20T09:00:00Z'), lastDecay: datetime('2026-02-20T09:00:00Z'), validFrom: datetime('2026-02-20T09:00:00Z'), validTo: datetime('2026-02-21T09:00:00Z')})
CREATE (s:Memory {id: '22222222-2222-4222-8222-222222222222', name: 'Redis times out', content: 'The pool is too small', energy: 5, tier: 'shortTerm', memoryType: 'Crystallization',
  created: '2026-02-20T09:00:00Z', lastDecay: 1772366400000, accessCount: 7, validFrom: datetime('2026-02-21T10:00:00+01:00'), promotedFrom: '11111111-1111-4111-8111-111111111111', mood: 'relieved'})
CREATE (c)-[:HAS_MEMORY]->(w) CREATE (w)-[:PROMOTED_TO]->(s)
CREATE (l:Learning {concept: 'Go maps', learned: 'iterate in random order', created: '2026-02-27'})
CREATE (lm:Memory {name: 'Go maps', content: 'iterate in random order', energy: '1.5', tier: 'working', created: localdatetime('2026-03-01T10:00:00'), lastDecay: localdatetime('2026-03-01T12:00:00')})
CREATE (l)-[:HAS_MEMORY]->(lm) CREATE (lm)-[:RELATED_TO]->(s)
CREATE (b:Memory {id: '44444444-4444-4444-8444-444444444444', content: 'The pool holds fifty', energy: 5, tier: 'shortTerm', created: '2026-02-20T09:00:00Z', lastDecay: '2026-03-01T12:00:00Z'})
CREATE (w)-[:PROMOTED_TO]->(b)
CREATE (:Memory {id: 'mem-9', content: 'Tabs, not spaces', energy: 4, tier: 'core', created: '2025-11-01T08:00:00Z'})
CREATE (:Memory {id: 'mem-10', content: 'Nobody asked for this again', energy: 0.05, tier: 'long_term', created: '2025-11-01T08:00:00Z', lastDecay: '2025-11-01T08:00:00Z'})
CREATE (:Reminder {id: 'rem-17', text: 'Renew the certificate of staging', due: date('2026-03-20'), created: datetime('2026-02-25T00:00:00Z')})
CREATE (:Activity {id: 'act-1', type: 'deploy', description: 'Deployed 2.4 to staging', created: datetime('2026-02-25T00:00:00Z')})
CREATE (lm)-[:RELATED_TO]->(x:Memory {id: 'test_33333333-3333-4333-8333-333333333333', content: 'a test memory', energy: 1.0, tier: 'working', isTest: true, created: datetime('2026-03-01T12:00:00Z')})
CREATE (:ConsolidationConfig {workingLambda: 0.4, colour: 'red'})
CREATE (:Person {name: 'Ada'})`

// The graph of the original program is imported into either store, also into the database
// that it is in, and is not changed.
func TestImportOriginal(t *testing.T) {
	server := neo4jtest.Start(t, neo4jtest.Options{Password: "long-enough"})
	d, err := driver.NewDriverWithContext(server.URI(), driver.BasicAuth("neo4j", server.Password(), ""))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	cypher := func(query string) []*driver.Record {
		t.Helper()
		r, err := driver.ExecuteQuery(t.Context(), d, query, nil, driver.EagerResultTransformer)
		if err != nil {
			t.Fatal(err)
		}
		return r.Records
	}
	cypher(originalGraph)
	const old = "MATCH (n) WHERE n.brain IS NULL AND none(l IN labels(n) WHERE l STARTS WITH 'Brainbridge') RETURN elementId(n), labels(n), properties(n) ORDER BY elementId(n)"
	before, err := json.Marshal(cypher(old))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("ids that the database keeps unique", func(t *testing.T) {
		cypher("CREATE CONSTRAINT memory_ids FOR (m:Memory) REQUIRE m.id IS UNIQUE")
		out, code := runOriginal(t, server, t.TempDir(), server.URI(), "import", "brainbridge", server.URI())
		if code != 5 || !strings.Contains(out, "DROP CONSTRAINT memory_ids") {
			t.Errorf("exit code %d: %s", code, out)
		}
		cypher("DROP CONSTRAINT memory_ids")
	})
	for store, uri := range map[string]string{"sqlite": "", "neo4j": server.URI()} {
		t.Run(store, func(t *testing.T) {
			importOriginal(t, server, uri)
			if after, _ := json.Marshal(cypher(old)); string(after) != string(before) {
				t.Errorf("the old nodes are\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

// runOriginal runs the program and returns its output and exit code.
func runOriginal(t *testing.T, server *neo4jtest.Instance, home, store string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(built, binaryName()), args...)
	cmd.Env = append(os.Environ(), "BRAINBRIDGE_HOME="+home, "BRAINBRIDGE_NOW="+noon, "TZ=UTC", "BRAINBRIDGE_NEO4J_PASSWORD="+server.Password())
	if store != "" {
		cmd.Env = append(cmd.Env, "BRAINBRIDGE_STORE="+store)
	}
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

func importOriginal(t *testing.T, server *neo4jtest.Instance, store string) {
	home := t.TempDir()
	ask := func(args ...string) (answer map[string]any) {
		t.Helper()
		out, code := runOriginal(t, server, home, store, append(args, "--json", "-q")...)
		for line := range strings.Lines(out) {
			if json.Unmarshal([]byte(line), &answer) == nil {
				return answer
			}
		}
		t.Fatalf("brainbridge %s: exit code %d: %s", strings.Join(args, " "), code, out)
		return nil
	}
	number := func(answer map[string]any, key string) int { n, _ := answer[key].(float64); return int(n) }
	first := ask("import", "brainbridge", server.URI())
	if number(first, "imported") != 7 || number(first, "tests") != 1 || len(first["problems"].([]any)) > 0 {
		t.Fatalf("the import answers %v", first)
	}
	again := ask("import", "brainbridge", server.URI())
	if number(again, "imported") != 0 || number(again, "tests") != 0 || number(again, "unchanged") != 8 || again["runId"] != nil {
		t.Errorf("the second import answers %v", again)
	}
	leftOut, _ := json.Marshal(first["leftOut"])
	for _, want := range []string{`\"colour\" is not a number`, "to test_33333333-3333-4333-8333-333333333333: one of them is a test memory"} {
		if !strings.Contains(string(leftOut), want) {
			t.Errorf("%q is missing from what was left out: %s", want, leftOut)
		}
	}
	tiers := ask("status")["tiers"].(map[string]any)
	for tier, want := range map[string]int{"working": 1, "shortTerm": 2, "core": 1, "archivedWorking": 1, "expired": 2} {
		if number(tiers, tier) != want {
			t.Errorf("there are %v memories in %s, want %d", tiers[tier], tier, want)
		}
	}
	kept := ask("show", "11111111-1111-4111-8111-111111111111")
	m, source := kept["memory"].(map[string]any), kept["source"].(map[string]any)
	if m["id"] != "22222222-2222-4222-8222-222222222222" || m["energy"] != 5.0 || number(m, "accessCount") != 7 || m["memoryType"] != "crystallization" ||
		m["created"] != "2026-02-20T09:00:00Z" || m["validFrom"] != "2026-02-21T09:00:00Z" || source["id"] != "6f1c2d3e-4a5b-4c6d-8e7f-901234567890" {
		t.Errorf("the old id leads to %v", kept)
	}
	relations, _ := json.Marshal(kept["relations"])
	for _, kind := range []string{"HAS_MEMORY", "PROMOTED_TO", "related_to"} {
		if !strings.Contains(string(relations), `"`+kind+`"`) {
			t.Errorf("%s is missing from %s", kind, relations)
		}
	}
	if branch, _ := json.Marshal(ask("show", "44444444-4444-4444-8444-444444444444")["relations"]); !strings.Contains(string(branch), `"derived_from"`) {
		t.Errorf("the second promotion is missing from %s", branch)
	}
	if reminders, _ := json.Marshal(ask("reminders")["reminders"]); !strings.Contains(string(reminders), "Renew the certificate") || !strings.Contains(string(reminders), `"2026-03-20T`) {
		t.Errorf("the reminder is missing: %s", reminders)
	}
	if out, _ := runOriginal(t, server, home, store, "config", "show"); !slices.ContainsFunc(strings.Split(out, "\n"), func(line string) bool {
		return strings.Contains(line, "lifecycle.lambda.working") && strings.Contains(line, "0.4")
	}) {
		t.Error("the number of the ConsolidationConfig is not in force")
	}
	if tests := ask("list", "--test-only")["memories"].([]any); len(tests) != 1 {
		t.Errorf("the test memories are %v", tests)
	}
	ask("undo", first["runId"].(string), "--yes")
	if n := number(ask("status"), "total"); n != 0 {
		t.Errorf("%d memories are left after undo", n)
	}
}
