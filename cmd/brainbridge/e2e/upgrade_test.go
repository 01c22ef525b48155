package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"
	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

// old is a home whose store has the format of the fixtures.
type old struct {
	*home
	kind, store string
	formats     string // the line of the upgrade
	reset       func() // puts the old store back
	once        func() // makes it a store of the format after, like the program of that
}

// fixtures are the stores of the formats of one time.
type fixtures struct {
	folder        string // in testdata/upgrade
	sqlite, neo4j int    // formats
	now           string // when they were made
}

var (
	earliest = fixtures{"", 19, 13, "2026-02-21T09:00:00Z"}
	// newIDs are of the last program in which a promotion or correction gave a memory a new id.
	newIDs = fixtures{"23", 23, 17, "2026-03-01T10:20:00Z"}
)

// onOldFormats runs a test with a store of each kind in its earliest format.
func onOldFormats(t *testing.T, test func(t *testing.T, o old)) {
	t.Helper()
	earliest.onBoth(t, test)
}

func (f fixtures) onBoth(t *testing.T, test func(t *testing.T, o old)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, f.newOldFile(t))
	})
	t.Run("neo4j", func(t *testing.T) {
		s := neo4jtest.Start(t, neo4jtest.Options{})
		h := newHome(t)
		o := old{h, "neo4j", s.URI(), fmt.Sprintf("upgraded from format %d to 19", f.neo4j), func() {
			must(t, os.RemoveAll(h.path("data")))
			loadGraph(t, s.URI(), unpacked(t, filepath.Join(f.folder, "graph.jsonl.zst")))
		}, func() {
			cypher(t, s.URI(), "", "MATCH (s:BrainbridgeSchema) SET s.version = 14 CREATE (:BrainbridgeMigration {version: 14, program: 'v9', at: datetime()})", nil)
		}}
		o.begin(t, f.now)
		test(t, o)
	})
}

// newOldFile is an old home on the embedded store.
func (f fixtures) newOldFile(t *testing.T) old {
	t.Helper()
	h := newHome(t)
	db := h.path("data", h.brain, "brain.db")
	o := old{h, "sqlite", "sqlite:" + db, fmt.Sprintf("upgraded from format %d to 25", f.sqlite), func() {
		must(t, os.RemoveAll(h.path("data")))
		must(t, os.MkdirAll(filepath.Dir(db), 0o700))
		must(t, os.WriteFile(db, unpacked(t, filepath.Join(f.folder, "brain.db.zst")), 0o600))
	}, func() {
		for _, statement := range []string{
			"ALTER TABLE brain ADD COLUMN commits INTEGER NOT NULL DEFAULT 0",
			"CREATE TABLE migration (version INTEGER PRIMARY KEY, program TEXT NOT NULL, at INTEGER NOT NULL)",
			"INSERT INTO migration VALUES (20, 'v9', 1700000000001)", "PRAGMA user_version = 20",
		} {
			query(t, db, statement)
		}
	}}
	o.begin(t, f.now)
	return o
}

// begin makes the home that of the fixtures: with their clock and their embedding model.
func (o *old) begin(t *testing.T, now string) {
	t.Helper()
	endpoint := httptest.NewServer(&embedtest.Endpoint{})
	t.Cleanup(endpoint.Close)
	o.env = []string{
		"BRAINBRIDGE_STORE=" + o.store, "BRAINBRIDGE_NOW=" + now,
		"BRAINBRIDGE_EMBEDDING_BASE_URL=" + endpoint.URL + "/v1", "BRAINBRIDGE_EMBEDDING_MODEL=" + embedtest.Small,
	}
	o.reset()
}

// fixturePath is the path of a fixture.
func fixturePath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "upgrade", name)) // its README says how they were made
	must(t, err)
	return path
}

func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	return unpackedFile(t, fixturePath(t, name))
}

func unpackedFile(t *testing.T, path string) []byte {
	t.Helper()
	packed, err := os.ReadFile(path)
	must(t, err)
	if !strings.HasSuffix(path, ".zst") {
		return packed
	}
	z, err := zstd.NewReader(bytes.NewReader(packed))
	must(t, err)
	defer z.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(z)
	must(t, err)
	return text.Bytes()
}

// loadGraph replaces everything in a server by a graph with its schema, a line each.
func loadGraph(t *testing.T, uri string, graph []byte) {
	t.Helper()
	d, err := driver.NewDriverWithContext(uri, driver.NoAuth())
	must(t, err)
	defer func() { must(t, d.Close(context.Background())) }()
	run := func(query string, params map[string]any) []*driver.Record {
		answer, err := driver.ExecuteQuery(t.Context(), d, query, params, driver.EagerResultTransformer)
		must(t, err)
		return answer.Records
	}
	run("MATCH (n) DETACH DELETE n", nil)
	for _, kind := range []string{"CONSTRAINT", "INDEX"} {
		for _, row := range run("SHOW "+kind+" YIELD name, type WHERE type <> 'LOOKUP' RETURN name", nil) {
			run("DROP "+kind+" `"+row.Values[0].(string)+"`", nil)
		}
	}
	nodes := 0
	for text := range bytes.Lines(graph) {
		var line struct {
			Schema, Type string
			Labels       []string
			From, To     int
			Properties   map[string]any
		}
		must(t, json.Unmarshal(text, &line))
		properties := graphValue(t, line.Properties)
		switch {
		case line.Schema != "":
			run(line.Schema, nil)
		case line.Labels != nil:
			run("CREATE (n:$($labels)) SET n = $properties, n._no = $no",
				map[string]any{"labels": line.Labels, "properties": properties, "no": nodes})
			nodes++
		default:
			run("MATCH (a {_no: $from}), (b {_no: $to}) CREATE (a)-[r:$($type)]->(b) SET r = $properties",
				map[string]any{"from": line.From, "to": line.To, "type": line.Type, "properties": properties})
		}
	}
	run("MATCH (n) REMOVE n._no", nil)
	run("CALL db.awaitIndexes(300)", nil)
}

// graphValue returns a value of a graph: those that JSON does not have are {"type": "text"}.
func graphValue(t *testing.T, v any) any {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = graphValue(t, v[i])
		}
	case map[string]any:
		for k := range v {
			typed, err := any(nil), error(nil)
			text, isText := v[k].(string)
			switch {
			case len(v) != 1 || !isText:
			case k == "int":
				typed, err = strconv.ParseInt(text, 10, 64)
			case k == "float":
				typed, err = strconv.ParseFloat(text, 64)
			case k == "bytes":
				typed, err = base64.StdEncoding.DecodeString(text)
			case k == "time":
				typed, err = time.Parse(time.RFC3339Nano, text)
			}
			must(t, err)
			if typed != nil {
				return typed
			}
			v[k] = graphValue(t, v[k])
		}
	}
	return v
}

// lines decodes a text with a JSON value a line, in an order that does not depend on the store.
func lines(t *testing.T, text []byte) (all []any) {
	t.Helper()
	for _, line := range slices.Sorted(strings.Lines(string(text))) {
		v, err := decode[any](line)
		must(t, err)
		all = append(all, v)
	}
	return all
}

// same compares two texts with a JSON value a line, field by field.
func same(t *testing.T, what string, got, wanted []byte) {
	t.Helper()
	if diff := cmp.Diff(lines(t, wanted), lines(t, got)); diff != "" {
		t.Errorf("%s (- before, + after the upgrade):\n%s", what, diff)
	}
}

// graphIn is the graph of the only backup in a folder.
func graphIn(t *testing.T, folder string) []byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "brain-*", "graph.jsonl.zst"))
	must(t, err)
	if len(found) != 1 {
		t.Fatalf("%d backups in %s, want 1", len(found), folder)
	}
	return unpackedFile(t, found[0])
}

// graphNow is the graph of a brain as a new backup has it.
func (o old) graphNow(t *testing.T, brain string) []byte {
	t.Helper()
	to := t.TempDir()
	o.ok("--brain", brain, "backup", "create", "--to", to)
	return graphIn(t, to)
}

// before is the graph that the program of before had made a backup of.
func (o old) before(t *testing.T, brain string) []byte {
	t.Helper()
	name := o.kind + "-" + brain + ".jsonl.zst"
	if o.kind == "sqlite" && brain == "default" {
		name = "backup/graph.jsonl.zst"
	}
	return withoutFirstIDs(unpacked(t, name))
}

// An upgrade keeps every field of everything, and makes a backup before.
func TestUpgradeKeepsEverything(t *testing.T) {
	t.Parallel()
	onOldFormats(t, func(t *testing.T, o old) {
		dry := o.run("learn", "a", "dry run", "--dry-run")
		says(t, dry.err, "was not upgraded", "not a dry run")
		first := o.ok("list", "--all")
		says(t, first.err, o.formats+"; a backup of before is in "+o.path("data", "default", "backups"))
		want(t, "lines of the upgrade", strings.Count(first.err, "\n"), 1)
		want(t, "what the next command says", o.ok("list").err, "")
		for _, brain := range []string{"default", "second"} {
			same(t, "the backup of "+brain, graphIn(t, o.path("data", brain, "backups")), o.before(t, brain))
			same(t, "the brain "+brain, o.graphNow(t, brain), upgraded(t, o.before(t, brain)))
		}
		graphIn(t, o.path("data", "default~test", "backups"))
		t.Run("answers", func(t *testing.T) { o.answers(t) })
		t.Run("spool", func(t *testing.T) { o.drains(t) })
		t.Run("review", func(t *testing.T) { o.reviews(t) })
		t.Run("restore", func(t *testing.T) {
			o.ok("--brain", "second", "backup", "restore", fixturePath(t, "backup"), "--yes")
			same(t, "the restored brain", o.graphNow(t, "second"), upgraded(t, withoutFirstIDs(unpacked(t, "backup/graph.jsonl.zst"))))
		})
	})
}

// A store that was upgraded before is upgraded again: its conflicts, and what is known.
func TestUpgradeOfAnUpgradedStore(t *testing.T) {
	t.Parallel()
	onOldFormats(t, func(t *testing.T, o old) {
		o.once()
		formats := strings.NewReplacer("format 13", "format 14", "format 19", "format 20").Replace(o.formats)
		says(t, o.ok("list", "--all").err, formats+"; a backup of before is in ")
		same(t, "the brain", o.graphNow(t, "default"), upgraded(t, o.before(t, "default")))
		o.reviews(t)
		says(t, o.ok("remember", "The office is in Lisbon.").out, "known note: the office is in Lisbon")
	})
}

// The reason of a conflict, and that of the pair that it becomes.
const (
	conflictReason = "they say different things about the same subject; the newer one applies until you decide"
	pairReason     = "they may be about the same subject, so perhaps only one of them holds"
)

// firstIDField is what memories say of their first id, which they keep now.
var firstIDField = regexp.MustCompile(`(?m)^(\{"memory":.*)"root":"[^"]*",`)

func withoutFirstIDs(graph []byte) []byte { return firstIDField.ReplaceAll(graph, []byte("$1")) }

// upgraded is the graph of before without the relations of conflicts, and with what the
// program says of its only conflict, which was rejected. The journal is not rewritten.
func upgraded(t *testing.T, before []byte) []byte {
	t.Helper()
	var after bytes.Buffer
	for line := range bytes.Lines(before) {
		text := string(line)
		switch {
		case strings.HasPrefix(text, `{"relation"`) && strings.Contains(text, `"DIFFERS_FROM"`):
			continue
		case strings.HasPrefix(text, `{"record":{"kind":"ReviewItem"`):
			text = strings.NewReplacer(conflictReason, pairReason, `"kind":"conflict"`, `"kind":"pair"`, `"owner":"rejected"`, `"owner":"decided"`,
				`"state":"rejected"`, `"state":"decided"`, `"decision":"rejected"`, `"verdict":"both"`).Replace(text)
		}
		after.WriteString(text)
	}
	return settled(t, after.Bytes())
}

// fading has the energy, lastDecay and the start of fading of a memory whose energy changes with time.
var fading = regexp.MustCompile(`^(\{"memory":.*"tier":"(?:working|shortTerm|longTerm|expired)",(?:"expiredFrom":"\w+",)?"energy":)([^,]*)(,.*?)"lastDecay":"([^"]*)","energyBase":[^,]*,"energyBaseAt":"([^"]*)"`)

// numbers are the lifecycle numbers in force.
var numbers = regexp.MustCompile(`(\{"record":\{"kind":"ConsolidationConfig","id":"current".*?"numbers":)(\{[^}]*\})`)

// settled is a graph in which no memory fades since before the last change of the lifecycle numbers.
func settled(t *testing.T, graph []byte) []byte {
	t.Helper()
	graph = numbers.ReplaceAll(graph, []byte(`${1}${2},"inForce":${2}`))
	const closed = `{"record":{"kind":"ConsolidationConfig","id":"until-`
	_, since, ok := strings.Cut(string(graph), `{"record":{"kind":"ConsolidationConfig","id":"current","owner":"lifecycle","at":"`)
	if !ok || !bytes.Contains(graph, []byte(closed)) {
		return graph
	}
	since, _, _ = strings.Cut(since, `"`)
	changed, err := time.Parse(time.RFC3339Nano, since)
	must(t, err)
	var after bytes.Buffer
	for line := range bytes.Lines(graph) {
		began := time.Time{}
		if m := fading.FindSubmatch(line); m != nil {
			must(t, began.UnmarshalText(m[5]))
		}
		if !began.IsZero() && began.Before(changed) {
			line = fading.ReplaceAll(line, []byte(`${1}${2}${3}"lastDecay":"${4}","energyBase":${2},"energyBaseAt":"${4}"`))
		}
		after.Write(line)
	}
	fmt.Fprintf(&after, `{"record":{"kind":"Checkpoint","id":"lifecycle numbers","at":%q,"body":{"since":%q}}}`+"\n", earliest.now, since)
	return after.Bytes()
}

// reviews looks at the queue of before, and takes back the verdict about its conflict.
func (o old) reviews(t *testing.T) {
	const run, newer, older = "25d59180-8af1-4232-a747-6301a83f717b", "e1e9148d-d5e0-4b99-9dcd-2aae8ccae222", "1c5248ed-f7a5-4146-84e3-2b250f1bc887"
	says(t, o.ok("review", "--all").out, "pair, decided: both", "merge")
	o.ok("undo", run, "--yes")
	says(t, o.ok("review").out, "pair, 2026-01-06")
	for _, id := range []string{newer, older} {
		if shown := o.ok("show", id, "--json").out; strings.Contains(shown, "DIFFERS_FROM") {
			t.Errorf("the undo brings back a relation that hides a memory: %s", shown)
		}
	}
}

// goneFromNotes is a memory whose outcome was removed from its note.
const goneFromNotes = "0d364e29-fd31-4226-b89f-48064b70fa7f"

// answers compares what the program says of the brain with what the one of before said.
func (o old) answers(t *testing.T) {
	for text := range bytes.Lines(unpacked(t, o.kind+"-answers.jsonl.zst")) {
		asked, err := decode[struct {
			Args   []string
			Answer any
		}](string(text))
		must(t, err)
		if asked.Args[0] == "recall" && (bytes.Contains(text, []byte(`"contestedBy"`)) || bytes.Contains(text, []byte(`"vector"`))) {
			continue // its order was that of the conflict, or of a vector that counted always
		}
		if slices.Equal(asked.Args, []string{"why", goneFromNotes}) {
			continue // what notes no longer say is not pushed any more
		}
		if asked.Args[0] == "list" && len(asked.Args) == 2 && strings.HasSuffix(asked.Args[1], "s") && asked.Args[1] != "--sources" {
			continue // list --types, --tags and --projects are gone
		}
		args := slices.DeleteFunc(asked.Args, func(arg string) bool { return len(asked.Args) == 2 && asked.Args[0] == "review" && arg == "list" })
		byName := slices.Contains(args, "--sort") // which list had
		args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return byName && (arg == "--sort" || arg == "name") })
		said := o.ok(append([]string{"--json"}, args...)...).out
		said = strings.ReplaceAll(strings.ReplaceAll(said, o.dir, "HOME"), o.store, "STORE")
		got, err := decode[any](said)
		must(t, err)
		// The index of a server for vectors rounds them, not twice in the same way.
		asked.Answer = withoutConflicts(asked.Answer)
		if asked.Args[0] == "status" && o.kind == "neo4j" {
			delete(asked.Answer.(map[string]any), "vectors") // which the next run makes again
		}
		if byName {
			sortByName(asked.Answer)
			sortByName(got)
		}
		if slices.Contains(args, "--as-of") { // which answers with the id for life now
			recalled, _ := asked.Answer.(map[string]any)["results"].([]any)
			for _, r := range recalled {
				delete(r.(map[string]any)["memory"].(map[string]any), "id")
			}
		}
		if diff := cmp.Diff(asked.Answer, knownIn(asked.Answer, got), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s (- before, + after the upgrade):\n%s", strings.Join(asked.Args, " "), diff)
		}
	}
}

// sortByName sorts the memories of a list by name and id.
func sortByName(answer any) {
	memories, _ := answer.(map[string]any)["memories"].([]any)
	key := func(m any) string { return fmt.Sprint(m.(map[string]any)["name"], m.(map[string]any)["id"]) }
	slices.SortFunc(memories, func(a, b any) int { return strings.Compare(key(a), key(b)) })
}

// withoutConflicts returns an answer of before without what it said of conflicts and echoes.
func withoutConflicts(v any) any {
	switch v := v.(type) {
	case map[string]any:
		switch v["kind"] {
		case "conflict":
			v["kind"] = "pair"
		case "capture": // of the first of the ids that a memory had
			delete(v, "memory")
		}
		if v["reason"] == conflictReason {
			v["reason"] = pairReason
		}
		if v["lines"] != nil { // of a context
			delete(v, "text")
			delete(v, "tokens")
		}
		if v["notPushed"] != nil {
			delete(v, "part")
		}
		for _, key := range []string{"contestedBy", "differsFrom", "notPushed", "replaced", "decision", "near", "group"} { // the last two were parts of the ranking
			delete(v, key)
		}
		for key := range v {
			v[key] = withoutConflicts(v[key])
		}
	case []any:
		v = slices.DeleteFunc(v, func(each any) bool {
			entry, _ := each.(map[string]any)
			if entry["name"] == "duplicates" {
				delete(entry, "count") // conflicts counted
				delete(entry, "percent")
			}
			if entry["salience"] != nil && entry["id"] == goneFromNotes {
				return true
			}
			return entry["type"] == "DIFFERS_FROM" || entry["name"] == "echoes" // which are stored no more
		})
		for i := range v {
			v[i] = withoutConflicts(v[i])
		}
		return v
	}
	return v
}

// knownIn returns an answer without the keys that the answer of before did not have.
func knownIn(before, after any) any {
	switch after := after.(type) {
	case map[string]any:
		was, _ := before.(map[string]any)
		for key := range after {
			if value, known := was[key]; known {
				after[key] = knownIn(value, after[key])
			} else {
				delete(after, key)
			}
		}
	case []any:
		was, _ := before.([]any)
		for i := range min(len(was), len(after)) {
			after[i] = knownIn(was[i], after[i])
		}
	}
	return after
}

// drains stores a spool file of before, and compares what it became with what the program of
// before made of it.
func (o old) drains(t *testing.T) {
	spooled := strings.ReplaceAll(string(unpacked(t, "captures.jsonl")), "bolt://127.0.0.1:1", o.store)
	must(t, os.MkdirAll(o.state("spool"), 0o700))
	must(t, os.WriteFile(filepath.Join(o.state("spool"), "captures.jsonl"), []byte(spooled), 0o600))
	says(t, o.ok("status").err, "stored 8 captures that had waited")
	wanted := withoutFirstIDs(unpacked(t, "drained.jsonl"))
	var got []string
	for line := range strings.Lines(string(o.graphNow(t, "default"))) {
		if slices.ContainsFunc(slices.Collect(bytes.Lines(wanted)), func(w []byte) bool { return nodeOf(w) == nodeOf([]byte(line)) }) {
			got = append(got, line)
		}
	}
	same(t, "what waited", []byte(strings.Join(got, "")), wanted)
}

// nodeOf identifies a node or relation of a graph file.
func nodeOf(line []byte) string {
	var l struct {
		Memory, Source, Section, Record struct{ ID string }
		Relation                        struct{ From, Type, To string }
	}
	_ = json.Unmarshal(line, &l) // the comparison shows what it could not read
	return fmt.Sprint(l)
}
