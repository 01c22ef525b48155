package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFileErrors(t *testing.T) {
	tests := []struct {
		name, toml string
		line       string // "" for none
		key, says  string
		hint       string
	}{
		{"typing error", "brain = 'a'\n\n[notes]\ndri = '/x'\n", "4", "notes.dri", "unknown key", "config show lists all keys"},
		{"wrong case", "Brain = 'a'", "1", "Brain", "unknown key", "config show lists all keys"},
		{"forgotten table", "max_file = 3", "1", "max_file", "unknown key", "config show lists all keys"},
		{"wrong table", "[memory]\ndir = 'x'", "1", "memory", "unknown key", "config show"},
		{"a key of a feature that is not there", "[mail]\nlisten = '127.0.0.1:1'", "1", "mail", "unknown key", ""},
		{"a key that was taken away", "[notes]\npatterns = []", "2", "notes.patterns", "no longer a setting", "Decision:, Lesson: or Fact:"},
		{"dotted", "notes.folder = 'x'", "1", "notes.folder", "unknown key", ""},
		{"in braces", "notes = { dir = 'x' }", "1", "notes", "table of keys", "write [notes]"},
		{"quoted with a dot", "'notes.dir' = 'x'", "1", `notes\.dir`, "unknown key", "config show lists all keys"},
		{"lifecycle", "[lifecycle.lambda]\nworking = 0.5", "1", "lifecycle.lambda", "in the store", "config set"},
		{"a table as a value", "notes = 3", "1", "notes", "table of keys", "[notes]"},
		{"a value as a table", "[store]\npath = 'x'", "1", "store", "unknown key", ""},
		{"list of tables", "[[notes]]\ndir = 'x'", "1", "notes", "list of tables", "write [notes]"},
		{"not TOML", "brain = 'a'\nthis is not it\n", "2", "", "not valid TOML", ""},
		{"twice", "brain = 'a'\nbrain = 'b'\n", "2", "brain", "set twice, first on line 1", ""},
		{"table twice", "[notes]\ndir = 'x'\n[notes]\nform = 'full'\n", "", "", "not valid TOML", ""},
		{"number for a text", "brain = 3", "1", "brain", "3 is not a text", "quotes"},
		{"list for a text", "brain = ['a']", "1", "brain", "not a text", ""},
		{"braces for a text", "[notes]\ndir = { a = 1 }", "2", "notes.dir", "not a text", ""},
		{"an address of another machine", "web.listen = '192.168.0.1:80'", "1", "web.listen", "is not on localhost", "127.0.0.1"},
		{"an address of every machine", "web.listen = ':4747'", "1", "web.listen", "is not on localhost", "SSH"},
		{"an address without a port", "web.listen = '127.0.0.1'", "1", "web.listen", "is not an address", "off"},
		{"a place of a feature that is not there", "session.file = '/m.json'", "1", "session.file", "unknown key", ""},
		{"a file elsewhere", "session.files = ['../progress.md']", "1", "session.files", "session's folder", "progress.md"},
		{"form", "notes.form = 'short'", "1", "notes.form", "not a form", "curated or full"},
		{"no budget", "[notes]\nbudget_chars = 0", "2", "notes.budget_chars", "too small", "at least 1"},
		{"a broken number", "[notes]\nbudget_lines = 1.5", "2", "notes.budget_lines", "1.5 is not a whole number", "digits"},
		{"text for a list", "transcripts.sources = 3", "1", "transcripts.sources", "3 is not a list", `["a", "b"]`},
		{"number in a list", "transcripts.sources = ['/a', 3]", "1", "transcripts.sources", "3 is not a text", ""},
		{"broken glob", "transcripts.sources = ['/a/[b']", "1", "transcripts.sources", "not a pattern of paths", "jsonl"},
		{"switch", "hooks.recall = 'maybe'", "1", "hooks.recall", "neither true nor false", ""},
		{"an address without a scheme", "llm.base_url = 'localhost:11434'", "1", "llm.base_url", "not the address", "http://"},
		{"an address with a password", "embedding.base_url = 'http://me:key@localhost/v1'", "1", "embedding.base_url", "not the address", "embedding.api_key_file"},
		{"no longer a setting", "[llm]\ndaily_cost = 1.5", "2", "llm.daily_cost", "is no longer a setting", "llm.daily_tokens"},
		{"no longer a table", "[attention]\nrelated = []", "1", "attention", "is no longer a table", "docs/attention.md"},
		{"list of tables that do not exist", "[[plugins]]\nname = 'x'", "1", "plugins", "unknown key", ""},
		{"the first of several", "[a]\nb = 1\n[log]\nlevl = 'info'", "1", "a", "unknown key", ""},
		{"an unknown key above a wrong value", "[notes]\nmax_file = -1\ndri = 'x'", "3", "notes.dri", "unknown key", ""},
		{"switch for a text", "brain = true", "1", "brain", "true is not a text", "quotes"},
		{"bare number as duration", "[journal]\nkeep = 10", "2", "journal.keep", "cannot read 10 as a duration", "10m"},
		{"negative duration", "[journal]\nkeep = '-10m'", "2", "journal.keep", `cannot read "-10m" as a duration`, "10m"},
		{"no journal", "[journal]\nkeep = '0d'", "2", "journal.keep", "too short", ""},
		{"size without sense", "[notes]\nmax_file = 'large'", "2", "notes.max_file", `"large" is not a size`, "8MiB"},
		{"size with a fraction of TOML", "[notes]\nmax_file = 1.5", "2", "notes.max_file", "1.5 is not a size", ""},
		{"negative size", "[notes]\nmax_file = -1", "2", "notes.max_file", "-1 is not a size", "8MiB"},
		{"endless size", "[notes]\nmax_file = '99999999999999999999GiB'", "2", "notes.max_file", "not a size", ""},
		{"zone", "[notes]\ntimezone = 'Mars/Olympus'", "2", "notes.timezone", "not a known time zone", "Europe/Berlin"},
		{"schedule", "[consolidate]\nnightly = 'at night'", "2", "consolidate.nightly", "not a schedule", "crontab"},
		{"schedule with seconds", "[consolidate]\nnightly = '0 0 3 * * *'", "2", "consolidate.nightly", "not a schedule", ""},
		{"level", "[log]\nlevel = 'loud'", "2", "log.level", "not a level", "debug"},
		{"brain that is a path", "brain = '../other'", "1", "brain", "cannot name a brain", ""},
		{"control character", "brain = \"a\\u0007\"", "1", "brain", "control character", ""},
		{"empty user", "[neo4j]\nuser = ''", "2", "neo4j.user", "is empty", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, env := home(t, tt.toml)
			_, err := Load(Input{Env: env.get})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want one of a key", err)
			}
			if where := strings.TrimSuffix(filepath.Join(dir, "config.toml")+":"+tt.line, ":"); !strings.HasPrefix(e.Where, where) {
				t.Errorf("place %q, want %q", e.Where, where)
			}
			if e.Key != tt.key || !strings.Contains(e.Text, tt.says) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("got key %q, text %q, hint %q", e.Key, e.Text, e.Hint)
			}
			if !strings.Contains(err.Error(), tt.key) || strings.Contains(err.Error(), "\n") {
				t.Errorf("message %q", err)
			}
		})
	}
}

func TestErrorNamesEnvironmentAndFlag(t *testing.T) {
	_, env := home(t, "")
	env["BRAINBRIDGE_NOTES_MAX_FILE"] = "big"
	_, err := Load(Input{Env: env.get})
	if err == nil || !strings.HasPrefix(err.Error(), "environment variable BRAINBRIDGE_NOTES_MAX_FILE: notes.max_file: ") {
		t.Errorf("error %v", err)
	}
	_, env = home(t, "")
	_, err = Load(Input{Env: env.get, Flags: map[string]string{"brain": "a/b"}})
	if err == nil || !strings.HasPrefix(err.Error(), "flag --brain: brain: ") {
		t.Errorf("error %v", err)
	}
}

func TestFileThatIsNone(t *testing.T) {
	dir, env := home(t, "")
	must(t, os.Mkdir(filepath.Join(dir, "config.toml"), 0o700))
	if _, err := Load(Input{Env: env.get}); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a folder in its place: %v", err)
	}
	_, env = home(t, strings.Repeat("#\n", maxFile))
	if _, err := Load(Input{Env: env.get}); err == nil || !strings.Contains(err.Error(), "over 1 MiB") {
		t.Errorf("a huge file: %v", err)
	}
}

func TestBrainNames(t *testing.T) {
	for _, good := range []string{"default", "a", "A1", "my.brain-2_x", "0", strings.Repeat("x", 64)} {
		if err := checkBrain(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", ".", "..", ".hidden", "-x", "_x", "a/b", `a\b`, "a b", "ä", "a\n", strings.Repeat("x", 65)} {
		if err := checkBrain(bad); err == nil {
			t.Errorf("%q is allowed", bad)
		}
	}
}

func TestParseStore(t *testing.T) {
	good := map[string]Store{
		"sqlite:/a/b.db":              {Kind: KindSQLite, Path: "/a/b.db"},
		"sqlite:b.db":                 {Kind: KindSQLite, Path: "b.db"},
		"sqlite:~/b.db":               {Kind: KindSQLite, Path: "~/b.db"},
		"sqlite:///a/b.db":            {Kind: KindSQLite, Path: "/a/b.db"},
		"neo4j://localhost:7687":      {Kind: KindNeo4j, URI: "neo4j://localhost:7687"},
		"neo4j+s://x.databases.io":    {Kind: KindNeo4j, URI: "neo4j+s://x.databases.io"},
		"neo4j+ssc://h":               {Kind: KindNeo4j, URI: "neo4j+ssc://h"},
		"bolt://127.0.0.1:7687":       {Kind: KindNeo4j, URI: "bolt://127.0.0.1:7687"},
		"bolt+s://[::1]:7687":         {Kind: KindNeo4j, URI: "bolt+s://[::1]:7687"},
		"bolt+ssc://h:1":              {Kind: KindNeo4j, URI: "bolt+ssc://h:1"},
		"neo4j://h?policy=eu-central": {Kind: KindNeo4j, URI: "neo4j://h?policy=eu-central"},
	}
	for uri, want := range good {
		if got, err := ParseStore(uri); got != want || err != nil {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
	}
	bad := []string{
		"", "brain.db", "/a/brain.db", "sqlite:", "sqlite::memory:", "sqlite:dir/", "sqlite://a.db", "sqlite:a?mode=ro",
		"neo4j:", "neo4j://", "neo4j:host", "bolt+x://h", "neo4j+://h", "http://h", "postgres://h/db", "neo4j://h/movies", "neo4j://h:port",
		"neo4j://neo4j:hunter2@h", "neo4j://hunter2@h", "bolt://a:hunter2%zz@h", "http://a:hunter2@h", "a@hunter2:b",
	}
	for _, uri := range bad {
		got, err := ParseStore(uri)
		var e *Error
		if !errors.As(err, &e) || e.Key != "store" || e.Hint == "" {
			t.Errorf("%q: %+v, %v, want an error of store with a hint", uri, got, err)
			continue
		}
		if strings.Contains(e.Error()+e.Hint, "hunter2") {
			t.Errorf("%q: the error shows the password: %v", uri, e)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]Size{
		"8MiB": 8 << 20, "8 MiB": 8 << 20, "1.5KiB": 1536, "500kB": 500_000, "1GB": 1e9, "123": 123, "123 B": 123,
	} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("%s = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1MiB", "+1", "1e3", "Inf", "NaN", "0x10", "1..5", "1 2", "8 mib?"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q = %v", text, got)
		}
	}
}

// What `config show` prints can be written into the file again.
func TestValuesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Size(rapid.Int64Range(0, 1<<40).Draw(t, "size"))
		if got, err := parseSize(s.String()); err != nil || got != s {
			t.Fatalf("%s reads back as %v, %v", s, got, err)
		}
	})
}
