package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// spool is the text of the captures that wait.
func (h *home) spool() string {
	h.t.Helper()
	raw, err := os.ReadFile(filepath.Join(h.state("spool"), "captures.jsonl"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		h.t.Fatal(err)
	}
	return string(raw)
}

// captureFive captures while the store is away, and returns the ids that were
// promised.
func (h *home) captureFive() (ids []string) {
	h.t.Helper()
	for i := range 5 {
		a := h.ok("--json", "learn", "outage", fmt.Sprint("outagemark ", i))
		says(h.t, a.err, "kept in the spool")
		var c captured
		if err := json.Unmarshal([]byte(a.out), &c); err != nil {
			h.t.Fatal(err)
		}
		want(h.t, "spooled", c.Spooled, true)
		ids = append(ids, c.MemoryID)
	}
	want(h.t, "lines in the spool", strings.Count(h.spool(), "\n"), 5)
	return ids
}

// server is a Neo4j of the test's own, with someone else's nodes in it.
type server struct {
	*neo4jtest.Instance
	t *testing.T
}

func startServer(t *testing.T) server {
	t.Helper()
	s := server{neo4jtest.Start(t, neo4jtest.Options{
		Password: "a-secret-word",
		Settings: map[string]string{"dbms.security.auth_max_failed_attempts": "0"}, // else three of them shut everybody out
	}), t}
	s.ask(`CREATE (a:Memory {id: 'same', content: 'theirs', energy: 0.0, tier: 'working', theirs: 1}),
		(b:Memory {id: 'same', content: 'theirs too', theirs: 2}), (c:Section {theirs: 3})
		CREATE (a)-[:PROMOTED_TO {at: 7}]->(b), (b)-[:HAS_MEMORY]->(c)`)
	return s
}

func (s server) ask(query string, params ...any) string {
	s.t.Helper()
	values := map[string]any{}
	for i, p := range params {
		values[fmt.Sprint("p", i)] = p
	}
	var rows []string
	for _, r := range cypher(s.t, s.URI(), s.Password(), query, values) {
		rows = append(rows, fmt.Sprint(r.Values...))
	}
	return strings.Join(rows, "\n")
}

// theirs is all that someone else has in the database.
func (s server) theirs() string {
	s.t.Helper()
	return s.ask(`MATCH (n) WHERE n.theirs IS NOT NULL OPTIONAL MATCH (n)-[r]-(m)
		RETURN labels(n), properties(n), type(r), r.at, startNode(r) = n, m.theirs
		ORDER BY n.theirs, m.theirs`)
}

func (s server) home() *home {
	s.t.Helper()
	return newHome(s.t).on(s.t, s.URI(), s.Password())
}

// arrived wants captures in the store, once, with the instants at which they
// were made.
func (s server) arrived(h *home, ids []string) {
	s.t.Helper()
	got := s.ask(`MATCH (m:Memory {brain: $p0}) WHERE m.content STARTS WITH 'outagemark' RETURN m.id ORDER BY m.created, m.content`, h.brain)
	want(s.t, "captures in the store", got, strings.Join(ids, "\n"))
	want(s.t, "memories that are found", len(h.recall("outagemark")), len(ids))
}

func TestNeo4jThatIsKilledAndComesBack(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	theirs := s.theirs()
	alone, watched, late := s.home(), s.home(), s.home()
	alone.ok("learn", "before", "the outage")
	before := watched.serve()
	watched.save("2026-01-05.md", note("10:00", "Port", "notemark"))
	watched.once("notemark")

	s.Kill()
	fromAlone, fromWatched, fromLate := alone.captureFive(), watched.captureFive(), late.captureFive()
	f := alone.exits(5, "--json", "status").failed(t)
	want(t, "code in the error", f.Error.Code, 5)
	says(t, f.Error.Message, s.URI())
	alone.exits(5, "recall", "outagemark")
	watched.save("2026-01-06.md", note("10:00", "Outage", "savedmark"))
	after := late.launch("waiting for it")

	s.Restart()
	// A server that has just started may be too slow for the first command on a busy machine.
	said := ""
	eventually(t, func() error {
		a := alone.run("status")
		said += a.err
		if a.code != 0 {
			return errors.New(a.String())
		}
		return nil
	})
	says(t, said, "stored 5 captures that had waited")
	s.arrived(alone, fromAlone)
	want(t, "spooled", alone.status().Spooled, 0)

	// The daemons take in theirs without being asked.
	for h, ids := range map[*home][]string{watched: fromWatched, late: fromLate} {
		eventually(t, func() error {
			if left := h.spool(); left != "" {
				return fmt.Errorf("still in the spool:\n%s", left)
			}
			return nil
		})
		s.arrived(h, ids)
	}
	watched.once("savedmark")
	watched.once("notemark")
	late.save("2026-01-07.md", note("10:00", "Late", "latemark"))
	late.once("latemark")
	before.stop()
	after.stop()
	for _, h := range []*home{watched, late} {
		log, err := os.ReadFile(h.state("daemon.log"))
		must(t, err)
		says(t, string(log), "stored 5 captures that had waited for the store")
	}

	for _, run := range []string{"decay", "promote", "consolidate"} {
		alone.ok(run)
	}
	want(t, "what someone else has", s.theirs(), theirs)
	t.Run("wrong password", func(t *testing.T) { wrongPassword(t, s) })
	t.Run("newer version", func(t *testing.T) { newerServer(t, s) })
}

// A wrong password is said, by every command, and is no reason to spool.
func wrongPassword(t *testing.T, s server) {
	for name, password := range map[string]string{"wrong": "not-the-password", "none": ""} {
		h := newHome(t)
		h.env = []string{"BRAINBRIDGE_STORE=" + s.URI(), "BRAINBRIDGE_NEO4J_PASSWORD=" + password}
		for _, args := range [][]string{{"learn", "a", "b"}, {"status"}, {"serve"}} {
			f := h.exits(5, append([]string{"--json"}, args...)...).failed(t)
			says(t, f.Error.Message, s.URI(), "Unauthorized")
			says(t, f.Error.Hint, map[bool]string{true: "check user and password", false: "BRAINBRIDGE_NEO4J_PASSWORD"}[password != ""])
			if password != "" && strings.Contains(f.Error.Message+f.Error.Hint, password) {
				t.Errorf("the password itself is repeated: %+v", f)
			}
		}
		want(t, "what a "+name+" password spooled", h.spool(), "")
	}
}

// A database of a newer version is read, and nothing in it is touched.
func newerServer(t *testing.T, s server) {
	h := s.home()
	s.ask(`MATCH (n:BrainbridgeSchema) SET n.version = 9999 CREATE (:BrainbridgeMigration {version: 9999, program: 'v9.1.0'})`)
	everything := `MATCH (n) OPTIONAL MATCH (n)-[r]-() RETURN elementId(n), labels(n), count(r),
		properties(n) ORDER BY elementId(n)`
	before, schema := s.ask(everything), s.ask("SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name")
	h.onlyReads("install brainbridge v9.1.0")
	want(t, "the database", s.ask(everything), before)
	want(t, "its indexes", s.ask("SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name"), schema)
}

// onlyReads wants a store of a newer version to be read, and captures to wait. What is said
// of it fits on one line.
func (h *home) onlyReads(line string) {
	h.t.Helper()
	for _, args := range [][]string{{"status"}, {"recall", "a"}, {"context"}, {"list"}, {"backup", "create", "--to", h.t.TempDir()}} {
		said := h.ok(args...).err
		says(h.t, said, line)
		want(h.t, "lines said by "+args[0], strings.Count(said, "\n"), 1)
	}
	for _, args := range [][]string{{"consolidate"}, {"serve"}} {
		says(h.t, h.exits(5, append([]string{"--json"}, args...)...).failed(h.t).Error.Message, line)
	}
	want(h.t, "spooled", ask[captured](h, "learn", "c", "d").Spooled, true)
	says(h.t, h.ok("learn", "e", "f").err, line, "kept in the spool")
	want(h.t, "lines in the spool", strings.Count(h.spool(), "\n"), 2)
}

// A file of a newer version is read, and stays as it is, byte for byte.
func TestFileOfANewerVersion(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.ok("learn", "a", "b")
	db := h.path("data", h.brain, "brain.db")
	raw, err := os.ReadFile(db)
	must(t, err)
	copy(raw[60:64], []byte{0, 0, 0x27, 0x0f}) // user_version is there in every SQLite file
	must(t, os.RemoveAll(filepath.Dir(db)))
	must(t, os.MkdirAll(filepath.Dir(db), 0o700))
	must(t, os.WriteFile(db, raw, 0o600))
	h.onlyReads("install the newest brainbridge") // this one has no version
	now, err := os.ReadFile(db)
	must(t, err)
	want(t, "the file is the same", string(now) == string(raw), true)
	left, err := os.ReadDir(filepath.Dir(db))
	must(t, err)
	want(t, "files beside it", len(left), 1)
}

// A store that is refused for what it is, not for its version.
func TestFileOfAnotherProgram(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	file := h.path("letter.txt")
	must(t, os.WriteFile(file, []byte(strings.Repeat("Dear Sir or Madam,\n", 500)), 0o644))
	before, err := os.ReadFile(file)
	must(t, err)
	f := h.exits(5, "--json", "--store", "sqlite:"+file, "learn", "a", "b").failed(t)
	says(t, f.Error.Message, file)
	now, err := os.ReadFile(file)
	must(t, err)
	want(t, "the file is the same", string(now) == string(before), true)
}
