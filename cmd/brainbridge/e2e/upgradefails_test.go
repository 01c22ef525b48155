package e2e

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // looks into the file behind the program's back

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// query runs SQL on a file behind the program's back and returns the first column.
func query(t *testing.T, db, statement string) (all []string) {
	t.Helper()
	c, err := sql.Open("sqlite", "file:"+db+"?_pragma=busy_timeout(60000)") // others write, too
	must(t, err)
	defer func() { must(t, c.Close()) }()
	rows, err := c.QueryContext(t.Context(), statement)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(t, rows.Scan(&text))
		all = append(all, text)
	}
	must(t, rows.Err())
	return all
}

// A file that was migrated has the schema of one that was made new.
func TestUpgradedFileHasTheSchemaOfANewOne(t *testing.T) {
	t.Parallel()
	comments, blanks := regexp.MustCompile(`--[^\n]*`), regexp.MustCompile(`\s*([\s(),])\s*`)
	schema := func(db string) (all []string) {
		for _, s := range query(t, db, "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_master ORDER BY type, name") {
			all = append(all, blanks.ReplaceAllString(comments.ReplaceAllString(s, ""), "$1"))
		}
		return append(all, query(t, db, "PRAGMA user_version")...)
	}
	fresh, upgraded := newHome(t), earliest.newOldFile(t).home
	fresh.ok("init")
	upgraded.ok("list")
	file := filepath.Join("data", "default", "brain.db")
	if diff := cmp.Diff(schema(fresh.path(file)), schema(upgraded.path(file))); diff != "" {
		t.Errorf("(- new, + upgraded)\n%s", diff)
	}
	const record = "SELECT version || ' ' || (program <> '') || ' ' || (at > 1700000000000) FROM migration"
	want(t, "the record of a new file", fmt.Sprint(query(t, fresh.path(file), record)), "[25 1 1]")
	want(t, "that of an upgraded one", fmt.Sprint(query(t, upgraded.path(file), record)), "[25 1 1]")
}

// Without a backup there is no upgrade: a file can be read, and captures wait.
func TestUpgradeWithoutABackup(t *testing.T) {
	t.Parallel()
	onOldFormats(t, func(t *testing.T, o old) {
		inTheWay := o.path("data", "default", "backups")
		must(t, os.MkdirAll(filepath.Dir(inTheWay), 0o700))
		must(t, os.WriteFile(inTheWay, nil, 0o600))
		for _, args := range [][]string{{"list", "--all"}, {"context"}, {"recall", "postgres"}} {
			a := o.run(args...)
			says(t, a.err, "the store was not "+o.formats, inTheWay, "name another folder", "captures wait in the spool")
			if o.kind == "neo4j" || args[0] == "recall" { // a file has no index that this program knows
				says(t, a.err, "was not upgraded")
				continue
			}
			if len(a.out) < 100 {
				t.Errorf("not what is stored: %s", a)
			}
		}
		want(t, "spooled", ask[captured](o.home, "learn", "late", "it waits").Spooled, true)
		says(t, o.exits(5, "boost", "postgres").err, "was not upgraded")
		must(t, os.Remove(inTheWay))
		says(t, o.ok("status").err, o.formats, "stored 1 capture that had waited")
		same(t, "the backup", graphIn(t, inTheWay), o.before(t, "default"))
	})
}

// A kill at any instant of an upgrade costs nothing. Each is killed at ten instants; on Neo4j at
// three, and without the third fixture, unless figures are asked for, because ten take two minutes.
func TestKilledUpgrade(t *testing.T) {
	t.Parallel()
	all := []fixtures{earliest, newIDs}
	if testlab.Reporting() {
		all = append(all, manyNumbers)
	}
	for _, f := range all {
		t.Run(fmt.Sprint(f.sqlite), func(t *testing.T) {
			f.onBoth(t, func(t *testing.T, o old) {
				instants := 10
				if o.kind == "neo4j" && !testlab.Reporting() {
					instants = 3
				}
				o.killed(t, instants)
			})
		})
	}
}

// killed kills three upgrades while they make their backup, and others at several instants of the
// time that one takes.
func (o old) killed(t *testing.T, instants int) {
	t.Helper()
	backups, start := o.path("data", "default", "backups"), time.Now()
	o.ok("list")
	whole := time.Since(start)
	before, after := graphIn(t, backups), o.graphNow(t, "default")
	for i := range instants {
		o.reset()
		upgrade := o.command(t.Context(), "list")
		must(t, upgrade.Start())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = upgrade.Wait() // killed, unless it was faster
		}()
		if patterns := []string{".lock", ".unfinished-*", "brain-*"}; i < len(patterns) {
			awaitFile(filepath.Join(backups, patterns[i]), ended)
		} else {
			select {
			case <-ended:
			case <-time.After(whole * time.Duration(i) / time.Duration(instants)):
			}
		}
		_ = upgrade.Process.Kill()
		<-ended
		o.ok("list")
		want(t, "what the next command says", o.ok("list").err, "")
		same(t, fmt.Sprint("the brain after kill ", i), withoutNumbers(o.graphNow(t, "default")), withoutNumbers(after))
		o.sound(t)
		made, err := filepath.Glob(filepath.Join(backups, "brain-*", "graph.jsonl.zst"))
		must(t, err)
		if len(made) == 0 {
			t.Fatal("there is no backup")
		}
		slices.SortFunc(made, func(a, b string) int { return len(a) - len(b) }) // the first one has no number
		if o.kind == "neo4j" {                                                  // the later ones are of a database whose upgrade had begun
			made = made[:1]
		}
		for _, b := range made {
			same(t, "a backup", unpackedFile(t, b), before)
		}
	}
	testlab.Report(t, o.storeName()+" "+o.formats, "%d upgrades killed, each finished by the next command", instants)
}

// withoutNumbers is a graph without what an upgrade that is killed at its very end leaves to the next
// run: which lifecycle numbers the energies were computed with.
func withoutNumbers(graph []byte) []byte {
	for _, expression := range []string{`,"energyBase":[^,]*,"energyBaseAt":"[^"]*"`, `"inForce":\{[^}]*\},`, `,"inForce":\{[^}]*\}`, `(?m)^\{"record":\{"kind":"Checkpoint","id":"lifecycle numbers".*\n`} {
		graph = regexp.MustCompile(expression).ReplaceAll(graph, nil)
	}
	return graph
}

// sound wants a store without defects.
func (o old) sound(t *testing.T) {
	t.Helper()
	var s brain.Store
	var err error
	if path, file := strings.CutPrefix(o.store, "sqlite:"); file {
		s, err = sqlite.Open(t.Context(), path, "default")
	} else {
		s, err = neo4j.Open(t.Context(), neo4j.Config{URI: o.store, Brain: "default"})
	}
	must(t, err)
	defer func() { must(t, s.Close()) }()
	defects, err := s.Inspect(t.Context())
	must(t, err)
	for _, d := range defects {
		t.Errorf("a defect: %s", d.What)
	}
}

// awaitFile waits for a file, or until its maker has ended.
func awaitFile(pattern string, ended <-chan struct{}) {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		if found, _ := filepath.Glob(pattern); len(found) > 0 { // the pattern is right
			return
		}
		select {
		case <-ended:
			return
		case <-look.C:
		}
	}
}

// A process that was started before an upgrade stops writing.
func TestProcessesNoticeAnUpgrade(t *testing.T) {
	t.Parallel()
	notice := func(t *testing.T, h *home, upgrade func()) {
		h.ok("learn", "before", "the upgrade")
		agent := h.agent(t)
		says(t, agent("remember", `{"content": "it is written"}`), `"spooled":false`)
		d := h.serve()
		upgrade()
		says(t, agent("remember", `{"content": "it waits"}`), `"spooled":true`, "brainbridge was upgraded: restart this session")
		says(t, agent("recall", `{"query": "upgrade"}`), "the upgrade")
		want(t, "lines in the spool", strings.Count(h.spool(), "\n"), 1)
		h.save("2026-01-06.md", note("10:00", "Late", "latemark"))
		want(t, "exit code of the daemon", d.code(), 5)
		says(t, d.said.String(), "brainbridge was upgraded: restart this session")
	}
	t.Run("sqlite", func(t *testing.T) {
		h := newHome(t)
		notice(t, h, func() { query(t, h.path("data", h.brain, "brain.db"), "PRAGMA user_version = 99") })
	})
	t.Run("neo4j", func(t *testing.T) {
		s := neo4jtest.Start(t, neo4jtest.Options{})
		h := newHome(t).on(t, s.URI(), "")
		notice(t, h, func() { cypher(t, s.URI(), "", "MATCH (s:BrainbridgeSchema) SET s.version = 99", nil) })
	})
}

// agent starts the MCP server and returns a function that calls a tool.
func (h *home) agent(t *testing.T) func(tool, arguments string) (answer string) {
	t.Helper()
	server := h.command(context.Background(), "mcp")
	in, err := server.StdinPipe()
	must(t, err)
	out, err := server.StdoutPipe()
	must(t, err)
	must(t, server.Start())
	t.Cleanup(func() { must(t, in.Close()); must(t, server.Wait()) })
	answers := bufio.NewReader(out)
	send := func(message string) {
		_, err := fmt.Fprintln(in, message)
		must(t, err)
	}
	read := func() string {
		line, err := answers.ReadString('\n')
		must(t, err)
		return line
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	read()
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return func(tool, arguments string) string {
		send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`)
		return read()
	}
}
