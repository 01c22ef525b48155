package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

// jsonSession is a home of its own, in which every command is asked for JSON.
type jsonSession struct {
	t    *testing.T
	page *jsonPage
	home string
	env  map[string]string
}

func newJSONSession(t *testing.T, page *jsonPage) *jsonSession {
	home := t.TempDir()
	return &jsonSession{t, page, home, map[string]string{
		"BRAINBRIDGE_HOME": home, "HOME": home, "BRAINBRIDGE_NOTES_TIMEZONE": "UTC",
		"BRAINBRIDGE_TRANSCRIPTS_SOURCES": `["` + filepath.ToSlash(home) + `/sessions/*.jsonl"]`,
	}}
}

// run runs a command, holds its answer against the page and returns it.
func (s *jsonSession) run(command string, args ...string) map[string]any {
	s.t.Helper()
	b := s.page.block(command)
	if b == nil {
		s.t.Fatalf("the page does not name %s", command)
	}
	out, said, code := s.execute(args...)
	if code != 0 {
		s.t.Fatalf("%v: exit code %d: %s", args, code, said)
	}
	answer := parseJSON(s.t, out)
	b.check(s.t, strings.Join(args, " "), answer)
	object, _ := answer.(map[string]any)
	return object
}

// do is run where the command is all of its first n words.
func (s *jsonSession) do(n int, args ...string) map[string]any {
	s.t.Helper()
	return s.run(strings.Join(args[:n], " "), args...)
}

// both runs a change as it is and, before, as a dry run.
func (s *jsonSession) both(n int, args ...string) map[string]any {
	s.t.Helper()
	s.do(n, append(args, "--dry-run")...)
	return s.do(n, args...)
}

func (s *jsonSession) execute(args ...string) (out, said string, code int) {
	var stdout, stderr bytes.Buffer
	a := &cli{
		in: strings.NewReader(""), out: &stdout, err: &stderr, env: func(k string) string { return s.env[k] },
	}
	err := a.execute(s.t.Context(), append([]string{"--json", "--yes"}, args...))
	if err = errors.Join(err, a.close()); err != nil {
		code = a.fail(err)
	}
	return stdout.String(), stderr.String(), code
}

// fails runs a command that ends with a code, and holds the error against the page.
func (s *jsonSession) fails(code int, args ...string) {
	s.t.Helper()
	out, said, got := s.execute(args...)
	if got != code || out != "" {
		s.t.Errorf("%v: exit code %d, want %d; it printed %q", args, got, code, out)
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	s.page.block("<error>").check(s.t, strings.Join(args, " "), parseJSON(s.t, lines[len(lines)-1]))
	var v struct{ Error struct{ Code int } }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &v); err != nil || v.Error.Code != code {
		s.t.Errorf("%v: it says code %d, %v", args, v.Error.Code, err)
	}
}

// write puts a file below the home.
func (s *jsonSession) write(name, text string) string {
	s.t.Helper()
	path := filepath.Join(s.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *jsonSession) captures() {
	for _, args := range [][]string{
		{"learn", "lunch", "lunch time is 12:00"},
		{"learn", "lunch", "lunch time is 13:00"},
		{"learn", "postgres", "listens on 5432", "--tag", "db"},
		{"crystallize", "a full disk", "look at the logs first"},
		{"remind", "call Ada", "--due", "2036-01-01"},
		{"activity", "coding", "a page"},
		{"outcome", "decision", "Staging moves", "to 5433"},
		{"remember", "the printer is called Ada", "--tag", "office"},
		{"test-memory", "a test of apples", "--energy", "0.2", "--age", "3000h"},
	} {
		s.both(1, args...)
	}
	s.do(1, "reminders")
	reminder := s.do(2, "list", "--sources", "reminder")["sources"].([]any)[0].(map[string]any)["id"].(string)
	s.both(1, "done", reminder)
	s.do(2, "list", "--sources")
	s.do(1, "remember", "the kettle is red")
	s.both(3, "remember", "--gate", "--explain", "the oven is hot", "--severity", "critical")
	s.do(2, "remember", "--gate", "the oven is hot now", "--severity", "urgent")
	s.do(2, "remember", "--gate", "the ovens is hot")
	s.do(1, "audit")
	s.both(2, "remember", "--gate", "the oven is hot now", "--severity", "urgent")
	redis := s.do(1, "learn", "redis", "listens on 6379")["memoryId"].(string)
	s.do(1, "learn", "redis", "listens on 6379")
	s.both(1, "learn", "redis", "listens on 6380", "--replaces", redis)
}

func (s *jsonSession) looks() {
	s.do(1, "recall", "staging", "--budget", "1")
	s.do(1, "recall", "staging")
	s.do(1, "recall", "12") // only the older of two times of lunch
	s.do(1, "remember", "the canteen is closed", "--project", "office")
	s.do(1, "recall", "canteen closed") // from another project, that of this repository
	s.do(1, "recall", "apples", "--test-only")
	s.do(1, "list", "--all")
	s.do(1, "context")
	s.do(1, "heartbeat")
	s.do(1, "health")
	s.do(1, "why", s.idOf("a full disk"))
	s.do(1, "why", s.idOf("call Ada"))
	s.fails(app.ExitNotFound, "show", "123456ab")
	s.fails(app.ExitUsage, "list", "--tier", "none")
	s.fails(app.ExitUsage, "nosuch")
}

// idOf is the id of the memory with a name.
func (s *jsonSession) idOf(name string) string {
	s.t.Helper()
	for _, m := range s.do(1, "list")["memories"].([]any) {
		if m := m.(map[string]any); m["name"] == name {
			return m["id"].(string)
		}
	}
	s.t.Fatalf("there is no memory %q", name)
	return ""
}

func (s *jsonSession) changes() {
	postgres, printer := s.idOf("postgres"), s.idOf("the printer is called Ada")
	s.both(1, "boost", postgres)
	s.both(1, "used", postgres, "--helpful")
	s.both(1, "relate", postgres, "applies_to", printer)
	s.do(1, "recall", "printer called Ada", "--related", "2", "--no-touch")
	s.both(1, "correct", postgres, "listens on 5433")
	s.env["EDITOR"] = `printf 'ports\n\npostgres listens on 5433\n' >`
	s.both(1, "edit", postgres)
	s.do(1, "why", postgres)
	s.do(1, "show", postgres)
	s.do(1, "history", postgres)
	s.both(1, "forget", printer)
	s.both(1, "unforget", printer)
	s.run("--test-only forget --all", "--test-only", "forget", "--all", "--dry-run")
	s.run("--test-only forget --all", "--test-only", "forget", "--all")
}

func (s *jsonSession) runs() {
	s.both(1, "decay")
	promoted := s.both(1, "promote")
	disk := s.idOf("a full disk")
	s.do(1, "correct", disk, "look at the mount table first")
	s.both(1, "undo", promoted["runId"].(string))
	s.do(1, "history", s.idOf("call Ada"))
	s.both(2, "core", "promote", disk)
	s.do(2, "core", "list")
	s.both(2, "core", "demote", disk)
	s.both(1, "consolidate")
	s.do(1, "context") // with the pair about lunch
	s.do(1, "runs")
	s.do(2, "runs", "show")
}

func (s *jsonSession) files() {
	const day = "2026-02-27"
	note := s.write("memory/"+day+".md", "## [14:30] decision: The office moves\n\nTo Lisbon.\n")
	s.both(2, "notes", "sync")
	s.write("memory/2026-02-26.md", "\xff\xfe\x00")
	s.write("memory/office.png", "a picture")
	s.run("notes consolidate --test", "notes", "consolidate", "--test", "--form", "full")
	s.both(2, "notes", "sync")
	s.do(2, "notes", "status")
	s.both(1, "curate")
	s.write("MEMORY.md", "The block is gone.\n")
	s.both(1, "curate")
	s.write("MEMORY.md", "Again.\n")
	s.do(2, "notes", "consolidate", "--dry-run")
	s.do(2, "notes", "consolidate", day)
	if err := os.Remove(note); err != nil {
		s.t.Fatal(err)
	}
	s.do(2, "notes", "sync")
	s.do(2, "list", "--sources")
	s.transcripts()
}

func (s *jsonSession) transcripts() {
	const day = "2026-02-20"
	s.write("sessions/a.jsonl", `{"type":"user","uuid":"00000000-0000-4000-8000-000000000001","sessionId":"s","timestamp":"2026-02-20T09:30:00Z",`+
		`"message":{"role":"user","content":"We decided to use Postgres 17 for the ledger. It rained in Lisbon."}}`+"\nno json\n")
	s.both(2, "transcript", "extract", day)
	s.do(2, "transcript", "extract")
	s.do(2, "transcript", "extract", day)
	s.env["BRAINBRIDGE_LLM_BASE_URL"], s.env["BRAINBRIDGE_LLM_MODEL"] = "http://127.0.0.1:1/v1", "small"
	s.env["BRAINBRIDGE_LLM_DAILY_TOKENS"] = "1"
	s.write("sessions/b.jsonl", `{"type":"user","uuid":"00000000-0000-4000-8000-000000000002","sessionId":"t","timestamp":"2026-02-21T09:30:00Z",`+
		`"message":{"role":"user","content":"We decided to paint the doors blue."}}`+"\n")
	s.both(2, "transcript", "extract", "2026-02-21")
}

func (s *jsonSession) exchanges() {
	dir := filepath.Join(s.home, "export")
	s.both(2, "export", "markdown", dir)
	s.do(2, "import", "markdown", dir)
	s.write("claw/memory/state.json", "{}")
	s.write("claw/AGENTS.md", "Behave.\n")
	s.write("claw/MEMORY.md", "- the bank is in Turku\n")
	s.write("claw/USER.md", "\x00")
	s.both(2, "import", "openclaw", filepath.Join(s.home, "claw"))
	s.both(2, "import", "claude-memory", filepath.Join(s.home, "claw", "MEMORY.md"))
	s.write("talk.jsonl", `{"type":"entity","name":"Where do you bathe, Zoe?","entityType":"note","observations":["Bob asked"]}`+"\n"+
		`{"type":"entity","name":"In the river","entityType":"note","observations":["Zoe said"]}`+"\n")
	s.both(2, "import", "mcp-memory", filepath.Join(s.home, "talk.jsonl"))
	s.do(1, "recall", "where does Zoe bathe with zeppelins and helicopters")
}

func (s *jsonSession) backups() {
	made := s.both(2, "backup", "create")
	s.write("state/default/backup.json", `{"lastTest":{"path":"/b","at":"2026-03-01T03:31:00Z","problem":"differs"}}`)
	s.do(2, "backup", "list")
	s.do(2, "backup", "verify", "newest")
	s.both(2, "backup", "restore", made["path"].(string))
	s.fails(app.ExitNotFound, "backup", "restore", "nosuch")
	s.do(2, "backup", "create")
	s.env["BRAINBRIDGE_BACKUP_KEEP"] = "newest 1"
	s.both(2, "backup", "prune")
	delete(s.env, "BRAINBRIDGE_BACKUP_KEEP")
	s.write("state/default/spool/captures.jsonl", "broken\n")
	s.do(2, "doctor", "--fix")
	here, there := "sqlite:"+filepath.Join(s.home, "data", "default", "brain.db"), "sqlite:"+filepath.Join(s.home, "moved.db")
	s.both(2, "backup", "move", here, there)
	s.do(2, "backup", "move", there, here)
}

func (s *jsonSession) settings() {
	s.both(1, "init")
	s.both(2, "config", "set", "notes.budget_lines", "100")
	s.do(2, "config", "show")
	s.do(1, "version")
	s.run("completion", "completion", "bash")
	s.fails(app.ExitUsage, "query", "RETURN 1")
}

// daemon asks for the status with a daemon and a model.
func (s *jsonSession) daemon() {
	stop, _ := serving(s.t, s.home)
	defer stop()
	s.write("state/default/spool/rejected.jsonl", "{}\n")
	s.do(1, "doctor")
	s.do(1, "health")
	s.do(1, "status")
	s.do(1, "open")
	s.fails(app.ExitBusy, "backup", "restore", "newest")
}

// longAfter finds what could be forgotten, with nobody who says yes.
func (s *jsonSession) longAfter() {
	s.env["BRAINBRIDGE_NOW"] = time.Now().AddDate(1, 0, 0).Format(time.RFC3339)
	defer delete(s.env, "BRAINBRIDGE_NOW")
	s.do(1, "consolidate", "--yes=false")
}

// reports takes the report of a run that did everything, which takes months.
func (s *jsonSession) reports() {
	vitals := consolidate.Vitals{Measures: consolidate.Measures{AverageAgeDays: new(1.5), AverageEffectiveness: new(0.5)}, Warnings: []string{"watcher"}}
	r := app.RunAnswer{Report: &consolidate.RunReport{
		Previous: &consolidate.PreviousRun{RunID: new("9639b24d")}, DurationMs: new(int64(40)),
		Merges:     []consolidate.MergedMemory{{Originals: []consolidate.Named{{}}, Similarity: new(0.97)}},
		Promotions: []consolidate.PromotedMemory{{}}, Orphans: []consolidate.Named{{}}, Forgotten: []consolidate.ForgottenMemory{{}},
		Health: &consolidate.HealthChange{
			Before: vitals, After: vitals, Change: consolidate.Measures{AverageAgeDays: new(0.1), AverageEffectiveness: new(0.1)},
		},
		Recommendations: []string{""}, NextTriggers: []string{""},
	}, Actions: []app.ActionLine{{IDs: []string{""}}}}
	text, err := json.Marshal(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.page.block("runs show").check(s.t, "a whole report", parseJSON(s.t, string(text)))
}

// services installs the daemon, looks at it and removes it.
func (s *jsonSession) services() {
	s.serviceManager()
	s.both(2, "service", "install")
	s.do(2, "service", "status")
	s.both(2, "service", "uninstall")
	s.do(2, "service", "status")
	s.fails(app.ExitNotFound, "service", "uninstall")
}

// models installs the sentence model, looks at it and removes it.
func (s *jsonSession) models() {
	s.both(2, "model", "install", "--from", embedtest.ModelFile(s.t))
	s.do(2, "model", "status")
	s.both(2, "model", "remove")
}

// attention turns the focus, looks at it and forgets it.
func (s *jsonSession) attention() {
	s.both(1, "attention", "--focus", "api")
	s.do(1, "attention")
	s.both(1, "attention", "--reset")
}

// serviceManager puts programs in the place of those of the system, which do all that
// they are asked.
func (s *jsonSession) serviceManager() {
	dir := ""
	for _, name := range []string{"systemctl", "loginctl", "launchctl"} {
		path := s.write("bin/"+name, "#!/bin/sh\necho Linger=no\n")
		if err := os.Chmod(path, 0o700); err != nil {
			s.t.Fatal(err)
		}
		dir = filepath.Dir(path)
	}
	s.t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// vectors asks with an embedding endpoint, and goes on without it.
func (s *jsonSession) vectors() {
	endpoint := httptest.NewServer(&embedtest.Endpoint{})
	defer endpoint.Close()
	s.env["BRAINBRIDGE_EMBEDDING_BASE_URL"], s.env["BRAINBRIDGE_EMBEDDING_MODEL"] = endpoint.URL+"/v1", embedtest.Model
	s.do(1, "consolidate")
	s.do(1, "status")
	s.do(1, "recall", "where does Zoe bathe with zeppelins and helicopters")
	delete(s.env, "BRAINBRIDGE_EMBEDDING_BASE_URL")
	delete(s.env, "BRAINBRIDGE_EMBEDDING_MODEL")
}
