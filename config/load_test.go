package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// environment is a made-up one, so that no test depends on the real one.
type environment map[string]string

func (e environment) get(name string) string { return e[name] }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// home makes a folder for BRAINBRIDGE_HOME with this config file.
func home(t testing.TB, toml string) (string, environment) {
	t.Helper()
	dir := t.TempDir()
	if toml != "" {
		must(t, os.WriteFile(filepath.Join(dir, "config.toml"), []byte(toml), 0o600))
	}
	return dir, environment{"BRAINBRIDGE_HOME": dir, "HOME": "/home/me"}
}

// Sessions are where the agents' own variables say.
func TestTheFoldersOfAgents(t *testing.T) {
	_, env := home(t, "")
	env["CLAUDE_CONFIG_DIR"], env["CODEX_HOME"], env["GEMINI_CLI_HOME"], env["OPENCLAW_STATE_DIR"] = "/a/claude", "~/codex", "/a/home", "/a/claw"
	l, err := Load(Input{Env: env.get})
	must(t, err)
	want := []string{
		"/a/claude/projects/**/*.jsonl", "/home/me/codex/{sessions,archived_sessions}/**/*.{json,jsonl,jsonl.zst}", "/a/home/.gemini/tmp/*/chats/**/*.{json,jsonl}",
		"/a/claw/agents/*/agent/openclaw-agent.sqlite", "/a/claw/agents/*/sessions/**/*.{jsonl,jsonl.reset.*,jsonl.deleted.*,jsonl.archived.*,jsonl.bak*}",
	}
	if d := cmp.Diff(want, l.Config.Transcripts.Sources); d != "" {
		t.Errorf("sources (-want +got):\n%s", d)
	}
	env["BRAINBRIDGE_TRANSCRIPTS_SOURCES"] = `["/mine/*.jsonl"]`
	l, err = Load(Input{Env: env.get})
	must(t, err)
	if d := cmp.Diff([]string{"/mine/*.jsonl"}, l.Config.Transcripts.Sources); d != "" {
		t.Errorf("sources that were set (-want +got):\n%s", d)
	}
}

// A list that only leaves files out is added to the defaults.
func TestSourcesThatAreLeftOut(t *testing.T) {
	dir, env := home(t, "[transcripts]\nsources = ['!~/.codex/**', '!agent-*.jsonl', '!**/scratch/*', '!/var/x']\n")
	l, err := Load(Input{Env: env.get})
	must(t, err)
	_, other := home(t, "")
	defaults, err := Load(Input{Env: other.get})
	must(t, err)
	want := append(slices.Clone(defaults.Config.Transcripts.Sources), "!/home/me/.codex/**", "!**/agent-*.jsonl", "!**/scratch/*", "!/var/x")
	if d := cmp.Diff(want, l.Config.Transcripts.Sources); d != "" {
		t.Errorf("sources (-want +got):\n%s", d)
	}
	must(t, os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[transcripts]\nsources = ['/x/*.jsonl', '!/x/y*']\n"), 0o600))
	l, err = Load(Input{Env: env.get})
	must(t, err)
	if d := cmp.Diff([]string{"/x/*.jsonl", "!/x/y*"}, l.Config.Transcripts.Sources); d != "" {
		t.Errorf("sources with one that is read (-want +got):\n%s", d)
	}
}

func TestLoadWithoutAnything(t *testing.T) {
	dir, env := home(t, "")
	l, err := Load(Input{Env: env.get})
	must(t, err)
	want := Config{
		Brain: "default", Store: "sqlite:" + dir + "/data/default/brain.db",
		Neo4j: Neo4j{User: "neo4j", Database: "neo4j"},
		Notes: Notes{
			Dir: dir + "/memory", MaxFile: 8 * 1024 * 1024,
			Include: []string{"**/*.md", "**/*.markdown"}, Exclude: []string{"**/templates/**", "**/node_modules/**"},
			MemoryMD: dir + "/MEMORY.md", Form: "curated", BudgetChars: 15000, BudgetLines: 200,
		},
		Transcripts: Transcripts{
			Sources: []string{
				"/home/me/.claude/projects/**/*.jsonl",
				"/home/me/.codex/{sessions,archived_sessions}/**/*.{json,jsonl,jsonl.zst}",
				"/home/me/.gemini/tmp/*/chats/**/*.{json,jsonl}",
				"/home/me/.openclaw/agents/*/agent/openclaw-agent.sqlite",
				"/home/me/.openclaw/agents/*/sessions/**/*.{jsonl,jsonl.reset.*,jsonl.deleted.*,jsonl.archived.*,jsonl.bak*}",
			},
			Schedule: "0 23 * * *",
		},
		LLM:         LLM{DailyTokens: 200000},
		Consolidate: Consolidate{Nightly: "0 3 * * *"},
		Hooks:       Hooks{Heartbeat: 10},
		Web:         Web{Listen: "127.0.0.1:4747"},
		Log:         Log{Level: "info"},
	}
	want.Journal.Keep = 2160 * time.Hour
	want.Core.File = dir + "/data/default/core-memory.json"
	want.Backup = Backup{Dir: dir + "/data/default/backups", Schedule: "30 3 * * *", Keep: "newest 3, daily 7, weekly 4"}
	want.Health.SilenceDays = 3
	want.Session.Files = []string{"progress.md", "progress-summary.md", "prd.json"}
	if d := cmp.Diff(want, l.Config); d != "" {
		t.Errorf("settings (-want +got):\n%s", d)
	}
	for key, origin := range l.Origin {
		if origin != FromDefault {
			t.Errorf("%s comes from %s", key, origin)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("Load made %v", entries)
	}
}

func TestPlaces(t *testing.T) {
	tests := []struct {
		name  string
		env   environment
		brain string
		want  Paths
	}{
		{"one folder for everything", environment{"BRAINBRIDGE_HOME": "/bb", "HOME": "/home/me", "XDG_DATA_HOME": "/ignored"}, "work", Paths{
			ConfigFile: "/bb/config.toml", Data: "/bb/data/work", State: "/bb/state/work",
			Database: "/bb/data/work/brain.db", Models: "/bb/data/models", Archive: "/bb/data/work/archive", Backups: "/bb/data/work/backups",
			Token: "/bb/state/work/token", Spool: "/bb/state/work/spool", RunLog: "/bb/state/work/consolidation.log", DaemonLog: "/bb/state/work/daemon.log",
			NotesDir: "/bb/brains/work/memory", MemoryMD: "/bb/brains/work/MEMORY.md", CoreFile: "/bb/data/work/core-memory.json",
		}},
		{"the usual folders", environment{"HOME": "/home/me"}, "", Paths{
			ConfigFile: "/home/me/.config/brainbridge/config.toml",
			Data:       "/home/me/.local/share/brainbridge/default", State: "/home/me/.local/state/brainbridge/default",
			Database:  "/home/me/.local/share/brainbridge/default/brain.db",
			Models:    "/home/me/.local/share/brainbridge/models",
			Archive:   "/home/me/.local/share/brainbridge/default/archive",
			Backups:   "/home/me/.local/share/brainbridge/default/backups",
			Token:     "/home/me/.local/state/brainbridge/default/token",
			Spool:     "/home/me/.local/state/brainbridge/default/spool",
			RunLog:    "/home/me/.local/state/brainbridge/default/consolidation.log",
			DaemonLog: "/home/me/.local/state/brainbridge/default/daemon.log",
			NotesDir:  "/home/me/brainbridge/memory",
			MemoryMD:  "/home/me/brainbridge/MEMORY.md", CoreFile: "/home/me/.local/share/brainbridge/default/core-memory.json",
		}},
		{"folders of XDG, a relative one ignored", environment{
			"HOME": "/home/me", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "s",
		}, "x", Paths{
			ConfigFile: "/c/brainbridge/config.toml", Data: "/d/brainbridge/x", State: "/home/me/.local/state/brainbridge/x",
			Database: "/d/brainbridge/x/brain.db", Models: "/d/brainbridge/models", Archive: "/d/brainbridge/x/archive", Backups: "/d/brainbridge/x/backups",
			Token:     "/home/me/.local/state/brainbridge/x/token",
			Spool:     "/home/me/.local/state/brainbridge/x/spool",
			RunLog:    "/home/me/.local/state/brainbridge/x/consolidation.log",
			DaemonLog: "/home/me/.local/state/brainbridge/x/daemon.log",
			NotesDir:  "/home/me/brainbridge/brains/x/memory",
			MemoryMD:  "/home/me/brainbridge/brains/x/MEMORY.md", CoreFile: "/d/brainbridge/x/core-memory.json",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := Load(Input{Env: tt.env.get, Flags: map[string]string{"brain": tt.brain}})
			must(t, err)
			if d := cmp.Diff(tt.want, l.Paths); d != "" {
				t.Errorf("paths (-want +got):\n%s", d)
			}
		})
	}
}

func TestPrecedence(t *testing.T) {
	_, env := home(t, "brain = 'file'\nstore = 'sqlite:/file.db'\n[neo4j]\nuser = 'file'\n[log]\nlevel = 'warn'\n")
	env["BRAINBRIDGE_BRAIN"], env["BRAINBRIDGE_STORE"] = "environment", "sqlite:/env.db"
	env["BRAINBRIDGE_NEO4J_USER"], env["BRAINBRIDGE_LOG_LEVEL"] = "environment", "" // empty: unset
	l, err := Load(Input{Env: env.get, Flags: map[string]string{"brain": "flag", "store": ""}})
	must(t, err)
	got := map[string]Setting{}
	for _, s := range l.Settings() {
		got[s.Key] = s
	}
	for _, want := range []Setting{
		{"brain", "flag", FromFlag},
		{"store", "sqlite:/env.db", FromEnvironment},
		{"neo4j.user", "environment", FromEnvironment},
		{"log.level", "warn", FromFile},
		{"neo4j.database", "neo4j", FromDefault},
		{"notes.max_file", "8MiB", FromDefault},
		{"journal.keep", "90d", FromDefault},
	} {
		if got[want.Key] != want {
			t.Errorf("got %+v, want %+v", got[want.Key], want)
		}
	}
}

// A key that one way of setting forgets would never be noticed otherwise.
func TestEveryKeyCanBeSetInEachWay(t *testing.T) {
	values := map[string]string{
		"brain": "b2", "store": "sqlite:/x.db", "neo4j.user": "u", "neo4j.password_file": "/p", "neo4j.database": "d",
		"notes.dir": "/n", "notes.timezone": "Europe/Berlin", "notes.max_file": "1MiB",
		"consolidate.nightly": "1 2 * * *", "consolidate.forget": "true", "core.file": "/c.json",
		"journal.keep": "7d", "backup.dir": "/b", "backup.schedule": "0 4 * * 1", "backup.keep": "newest 1, weekly 2", "health.silence_days": "5", "log.level": "debug",
		"notes.memory_md": "/m.md", "notes.form": "full", "notes.budget_chars": "9000", "notes.budget_lines": "90",
		"notes.include": `["**/*.txt"]`, "notes.exclude": `["private/**"]`, "notes.projects": `{"clients/acme.2/**" = "Acme", "a/**" = "b"}`,
		"transcripts.sources":  `["/t/**/*.jsonl", "/u/{a,b}.jsonl"]`,
		"transcripts.schedule": "5 22 * * *",
		"llm.base_url":         "http://localhost:11434/v1", "llm.model": "m", "llm.api_key_file": "/k", "llm.daily_tokens": "1000",
		"embedding.base_url": "http://localhost:11434/v1", "embedding.model": "bge-m3", "embedding.api_key_file": "/e",
		"hooks.recall": "true", "hooks.heartbeat": "5", "session.files": `["notes/progress.md"]`,
		"web.listen": "[::1]:4848",
	}
	if len(values) != len(keys(&Config{})) {
		t.Fatalf("this test knows %d keys, the program %d", len(values), len(keys(&Config{})))
	}
	for key, value := range values {
		dir, env := home(t, "")
		must(t, Set(filepath.Join(dir, "config.toml"), key, value))
		fromFile, err := Load(Input{Env: env.get})
		must(t, err)
		_, env = home(t, "")
		env["BRAINBRIDGE_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = value
		fromEnv, err := Load(Input{Env: env.get})
		must(t, err)
		_, env = home(t, "")
		fromFlag, err := Load(Input{Env: env.get, Flags: map[string]string{key: value}})
		must(t, err)
		for want, l := range map[Origin]Loaded{FromFile: fromFile, FromEnvironment: fromEnv, FromFlag: fromFlag} {
			for _, s := range l.Settings() {
				if s.Key == key && (s.Value != value || s.Origin != want) {
					t.Errorf("%s: got %+v, want %s from %s", key, s, value, want)
				}
			}
		}
	}
}

func TestRelativePaths(t *testing.T) {
	dir, env := home(t, "store = 'sqlite:own.db'\n[notes]\ndir = 'vault'\n[core]\nfile = '~/core.json'\n")
	env["BRAINBRIDGE_BACKUP_DIR"] = "old"
	l, err := Load(Input{Env: env.get})
	must(t, err)
	work, err := os.Getwd()
	must(t, err)
	got := []string{l.Config.Store, l.Paths.NotesDir, l.Paths.CoreFile, l.Paths.Backups}
	want := []string{"sqlite:" + dir + "/own.db", dir + "/vault", "/home/me/core.json", work + "/old"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("paths (-want +got):\n%s", d)
	}
	l, err = Load(Input{Env: env.get, Flags: map[string]string{"store": "sqlite:~/x.db"}})
	must(t, err)
	if l.Paths.MemoryMD != dir+"/MEMORY.md" {
		t.Errorf("the curated file is %s, not beside the notes", l.Paths.MemoryMD)
	}
	if l.Config.Store != "sqlite:/home/me/x.db" {
		t.Errorf("store %s", l.Config.Store)
	}
}

func TestAnotherFile(t *testing.T) {
	_, env := home(t, "brain = 'usual'")
	other := filepath.Join(t.TempDir(), "other.toml")
	must(t, os.WriteFile(other, []byte("brain = 'other'"), 0o600))
	l, err := Load(Input{Env: env.get, Flags: map[string]string{"config": other}})
	must(t, err)
	if l.Config.Brain != "other" || l.Paths.ConfigFile != other {
		t.Errorf("brain %s from %s", l.Config.Brain, l.Paths.ConfigFile)
	}
	_, err = Load(Input{Env: env.get, Flags: map[string]string{"config": other + ".none"}})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that was asked for and is not there: %v", err)
	}
}

func TestFileIsFoundUnread(t *testing.T) {
	dir, env := home(t, "not TOML")
	if got, err := File(env.get, ""); got != dir+"/config.toml" || err != nil {
		t.Errorf("the usual file: %s, %v", got, err)
	}
	if got, err := File(environment{"BRAINBRIDGE_HOME": "/none"}.get, ""); got != "/none/config.toml" || err != nil {
		t.Errorf("the usual file that is not there: %s, %v", got, err)
	}
	if got, err := File(environment{"BRAINBRIDGE_HOME": "/none"}.get, dir+"/./config.toml"); got != dir+"/config.toml" || err != nil {
		t.Errorf("the file of the flag: %s, %v", got, err)
	}
	var e *Error
	if got, err := File(env.get, dir+"/other.toml"); !errors.Is(err, os.ErrNotExist) || !errors.As(err, &e) {
		t.Errorf("a file of the flag that is not there: %s, %v", got, err)
	}
}

func TestNoHomeAtAll(t *testing.T) {
	t.Setenv("HOME", "")
	_, err := Load(Input{Env: environment{}.get})
	if err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Errorf("error %v", err)
	}
}

func TestPassword(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		return filepath.Join(dir, name)
	}
	tests := []struct {
		name, env, file, want string
		fails                 bool
	}{
		{"none", "", "", "", false},
		{"environment first", "e", file("a", "f\n"), "e", false},
		{"file", "", file("b", "pass word \n"), "pass word ", false},
		{"file from Windows", "", file("c", "secret\r\n"), "secret", false},
		{"no newline", "", file("d", "secret"), "secret", false},
		{"empty", "", file("e", "\n"), "", true},
		{"two lines", "", file("f", "a\nb\n"), "", true},
		{"not there", "", filepath.Join(dir, "none"), "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Default()
			c.Neo4j.PasswordFile = tt.file
			got, err := Password(c, environment{"BRAINBRIDGE_NEO4J_PASSWORD": tt.env}.get)
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("got %q, %v", got, err)
			}
			var e *Error
			if err != nil && (!errors.As(err, &e) || e.Key != "neo4j.password_file") {
				t.Errorf("the error does not name the key: %v", err)
			}
		})
	}
}

func BenchmarkLoadWithoutFile(b *testing.B) {
	_, env := home(b, "")
	for b.Loop() {
		_, err := Load(Input{Env: env.get})
		must(b, err)
	}
}

func BenchmarkLoadWithFile(b *testing.B) {
	_, env := home(b, "# mine\nbrain = 'work'\n[notes]\ndir = '~/notes'\nmax_file = '16MiB'\n[consolidate]\nevery = '5m'\n[log]\nlevel = 'debug'\n")
	for b.Loop() {
		_, err := Load(Input{Env: env.get})
		must(b, err)
	}
}
