package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

func TestSetChangesOneLine(t *testing.T) {
	const commented = "# my settings\nbrain = 'work'   # the usual one\n\n# about notes\n[notes]\n\tdir=\"~/n\"# here\n\n[log]\nlevel = \"info\"\n"
	tests := []struct{ name, before, key, value, after string }{
		{"new file", "", "notes.dir", "~/vault", "[notes]\ndir = \"~/vault\"\n"},
		{"new file, top", "", "brain", "b", "brain = \"b\"\n"},
		{"replace, comment stays", commented, "brain", "home", strings.Replace(commented, "'work'", `"home"`, 1)},
		{"replace in a table", commented, "notes.dir", "/x", strings.Replace(commented, `"~/n"`, `"/x"`, 1)},
		{"add to a table", commented, "notes.max_file", "1MiB", strings.Replace(commented, "# here\n", "# here\nmax_file = \"1MiB\"\n", 1)},
		{"add to the last table", strings.TrimSuffix(commented, "level = \"info\"\n"), "log.level", "warn", strings.Replace(commented, `"info"`, `"warn"`, 1)},
		{"add a table", commented, "journal.keep", "5d", commented + "\n[journal]\nkeep = \"5d\"\n"},
		{"add at the top", commented, "store", "sqlite:/a", strings.Replace(commented, "one\n", "one\nstore = \"sqlite:/a\"\n", 1)},
		{"top with tables only", "# head\n\n# notes\n[notes]\n", "brain", "b", "brain = \"b\"\n\n# head\n\n# notes\n[notes]\n"},
		{"empty table", "[notes] # empty\n[log]\n", "notes.dir", "/x", "[notes] # empty\ndir = \"/x\"\n[log]\n"},
		{"no newline at the end", "[neo4j]\nuser = 'info'", "neo4j.database", "d", "[neo4j]\nuser = 'info'\ndatabase = \"d\"\n"},
		{"only a comment, no newline", "# mine", "brain", "b", "# mine\nbrain = \"b\"\n"},
		{"lines of Windows", "brain = 'a'\r\n[log]\r\n", "log.level", "warn", "brain = 'a'\r\n[log]\r\nlevel = \"warn\"\r\n"},
		{"dotted keys", "notes.dir = '/x' # d\nbrain = 'b'\n", "notes.timezone", "UTC", "notes.dir = '/x' # d\nnotes.timezone = \"UTC\"\nbrain = 'b'\n"},
		{"a number", "[notes]\nmax_file = 4096 # four\n", "notes.max_file", "8192", "[notes]\nmax_file = 8192 # four\n"},
		{"a switch is mended", "[log]\nlevel = true # so\n", "log.level", "info", "[log]\nlevel = \"info\" # so\n"},
		{"a date is mended", "[log]\nlevel = 1979-05-27\n", "log.level", "info", "[log]\nlevel = \"info\"\n"},
		{"a fraction is mended", "[notes]\nmax_file = 1.5\n", "notes.max_file", "2048", "[notes]\nmax_file = 2048\n"},
		{"beside a key that does not exist", "[notes]\ndri = '/x' # a\n[log]\n", "notes.dir", "/x", "[notes]\ndri = '/x' # a\ndir = \"/x\"\n[log]\n"},
		{"below one at the top", "nonsense = 1\n[log]\n", "brain", "b", "nonsense = 1\nbrain = \"b\"\n[log]\n"},
		{"below a list at the top", "nonsense = [\n 1,\n]\n# c\n[log]\n", "brain", "b", "nonsense = [\n 1,\n]\nbrain = \"b\"\n# c\n[log]\n"},
		{"dotted, one that does not exist", "notes.dri = '/x'\n", "notes.dir", "/x", "notes.dri = '/x'\nnotes.dir = \"/x\"\n"},
		{"below tables that do not exist", "[web]\nlisten = '1'\n[[plugins]]\nname = 'x'\n[[plugins]]\n", "log.level", "warn", "[web]\nlisten = '1'\n[[plugins]]\nname = 'x'\n[[plugins]]\n\n[log]\nlevel = \"warn\"\n"},
		{"a table in a table", "[notes.web]\ndir = 'x'\n", "notes.dir", "/x", "[notes.web]\ndir = 'x'\n\n[notes]\ndir = \"/x\"\n"},
		{"wrong case", "Brain = 'a'\n", "brain", "a", "Brain = 'a'\nbrain = \"a\"\n"},
		{"several lines", "brain = '''\na'''\n[log]\n", "brain", "b", "brain = \"b\"\n[log]\n"},
		{"quotes and backslashes", "", "notes.dir", `/a "b"\c<d>`, "[notes]\ndir = \"/a \\\"b\\\"\\\\c<d>\"\n"},
		{"a list in its place", "brain = [ # c\n ['a'], {}, # ]\n] # d\n", "brain", "b", "brain = \"b\" # d\n"},
		{"a list in place of another", "[session]\nfiles = [ 'a' ] # mine\n", "session.files", "[\"b\"]", "[session]\nfiles = [\"b\"] # mine\n"},
		{"a wrong value is mended", "[log]\nlevel = 'loud'\n", "log.level", "info", "[log]\nlevel = \"info\"\n"},
		{"a wrong value elsewhere", "brain = '..'\n[log]\n", "log.level", "info", "brain = '..'\n[log]\nlevel = \"info\"\n"},
		{"the same again", "brain = \"b\"\n", "brain", "b", "brain = \"b\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.toml")
			if tt.before != "" {
				must(t, os.WriteFile(file, []byte(tt.before), 0o640))
			}
			must(t, Set(file, tt.key, tt.value))
			got, err := os.ReadFile(file)
			must(t, err)
			if d := cmp.Diff(tt.after, string(got)); d != "" {
				t.Errorf("file (-want +got):\n%s", d)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	tests := []struct{ name, before, key, value, says string }{
		{"unknown key", "", "notes.dri", "x", "unknown key"},
		{"lifecycle", "", "lifecycle.lambda.working", "0.5", "in the store"},
		{"wrong value", "", "log.level", "loud", "log.level"},
		{"wrong type", "", "journal.keep", "perhaps", "journal.keep"},
		{"a key of a feature that is not there", "", "mail.listen", "127.0.0.1:80", "unknown key"},
		{"path for a brain", "", "brain", "../x", "brain"},
		{"password in the store", "", "store", "neo4j://a:hunter2@h", "store"},
		{"newline", "", "notes.dir", "/a\nbrain = 'x'", "control character"},
		{"list of tables", "[[notes]]\ndir = '/x'\n", "brain", "b", "list of tables"},
		{"an unknown key twice", "nonsense = 1\nnonsense = 2\n", "brain", "b", "not valid TOML"},
		{"a table that is a value", "notes = 3\n", "notes.dir", "/x", "edited safely"},
		{"a value that is a table", "[brain]\nx = 1\n", "brain", "b", "edited safely"},
		{"file that is not TOML", "brain = \n", "brain", "b", "not valid TOML"},
		{"in braces", "notes = { dir = '/y' }\n", "notes.dir", "/x", "edited safely"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.toml")
			must(t, os.WriteFile(file, []byte(tt.before), 0o600))
			err := Set(file, tt.key, tt.value)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Error(), tt.says) {
				t.Errorf("error %v, want %q", err, tt.says)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error shows a password: %v", err)
			}
			if got, _ := os.ReadFile(file); string(got) != tt.before {
				t.Errorf("the file changed: %q", got)
			}
		})
	}
}

func TestSetKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "dotfiles.toml"), filepath.Join(dir, "config.toml")
	must(t, os.WriteFile(target, nil, 0o640))
	must(t, os.Chmod(target, 0o640))
	must(t, os.Symlink(target, link))
	must(t, Set(link, "brain", "b"))
	info, err := os.Lstat(link)
	must(t, err)
	if info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
	info, err = os.Stat(target)
	must(t, err)
	if info.Mode().Perm() != 0o640 || info.Size() == 0 {
		t.Errorf("mode %v, %d bytes", info.Mode(), info.Size())
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestSetMakesAPrivateFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "folder", "config.toml")
	must(t, Set(file, "brain", "b"))
	info, err := os.Stat(file)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// Whatever was set before, what is set is read, and the rest stays.
func TestSetIsRead(t *testing.T) {
	values := map[string][]string{
		"neo4j.user": {"a", "b"}, "notes.dir": {"/x", "/y"}, "notes.max_file": {"2048", "1MiB"},
		"consolidate.nightly": {"@daily", "1 2 * * *"}, "journal.keep": {"5h", "1d"}, "log.level": {"warn", "debug"},
	}
	all := []string{"neo4j.user", "notes.dir", "notes.max_file", "consolidate.nightly", "journal.keep", "log.level"}
	rapid.Check(t, func(rt *rapid.T) {
		start := rapid.SampledFrom([]string{"", "# c\n", "notes.dir = '/d'\n", "[log]\n# c\n\n[notes]"}).Draw(rt, "start")
		dir, env := home(t, start)
		want := map[string]string{}
		for range rapid.IntRange(1, 12).Draw(rt, "n") {
			key := rapid.SampledFrom(all).Draw(rt, "key")
			want[key] = rapid.SampledFrom(values[key]).Draw(rt, "value")
			must(t, Set(filepath.Join(dir, "config.toml"), key, want[key]))
		}
		l, err := Load(Input{Env: env.get})
		must(t, err)
		for _, s := range l.Settings() {
			shown := strings.Replace(want[s.Key], "2048", "2KiB", 1)
			if shown != "" && (s.Value != shown || s.Origin != FromFile) {
				rt.Fatalf("%+v, want %s", s, want[s.Key])
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "config.toml"))
		must(t, err)
		if strings.Count(string(text), "# c") != strings.Count(start, "# c") {
			rt.Fatalf("a comment is lost: %q", text)
		}
	})
}

// mendsOnly sets a key in a file that cannot be loaded. All that was there is
// there in the same order afterwards.
func mendsOnly(t *testing.T, file string, before []byte) {
	t.Helper()
	err := Set(file, "notes.timezone", "UTC")
	after, readErr := os.ReadFile(file)
	must(t, readErr)
	if err != nil {
		if !bytes.Equal(before, after) {
			t.Fatalf("a change that failed (%v) left %q", err, after)
		}
		return
	}
	for _, d := range []*[]byte{&before, &after} {
		var all map[string]any
		must(t, toml.Unmarshal(*d, &all))
		if notes, ok := all["notes"].(map[string]any); ok {
			delete(notes, "timezone")
			if len(notes) == 0 {
				delete(all, "notes")
			}
		}
		*d = fmt.Append(nil, all) // maps print in the order of their keys
	}
	if !bytes.Equal(before, after) {
		t.Fatalf("was %s, is %s", before, after)
	}
}

// A file is either refused with an error of a key or a line, or its settings
// are valid; and an edit of it changes nothing but its key.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{
		"", "# c\nbrain = 'a'\n[notes]\nmax_file = '8MiB'\n", "notes = { dir = \"/x\", max_file = 3000 }", "[notes]\r\ndir='''\r\na'''\r\n",
		"[journal]\nkeep = '90d'", "notes.\"dir\" = 'x'", "a = 1", "[[notes]]", "brain = [", "\xef\xbb\xbfbrain='a'", "[consolidate]\nforget = true\nevery='1h'",
		"[brains.milo]\nstore = 'sqlite:x'\n[brains.'A.b']\nnotes='~/n'", "[web]\nlisten = [1]\n[[x]]\n[log.x]\nlevel = 1", "log = { lvl = {} }",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "config.toml")
		must(t, os.WriteFile(file, data, 0o600))
		env := environment{"BRAINBRIDGE_HOME": dir}
		before, err := Load(Input{Env: env.get})
		var e *Error
		if err != nil {
			if !errors.As(err, &e) || !strings.HasPrefix(e.Where, file) {
				t.Fatalf("the error names no place: %v", err)
			}
			mendsOnly(t, file, data)
			return
		}
		if err := Set(file, "log.level", "warn"); err != nil {
			return
		}
		after, err := Load(Input{Env: env.get})
		must(t, err)
		before.Config.Log.Level = "warn"
		if d := cmp.Diff(before.Config, after.Config); d != "" {
			t.Errorf("Set changed more (-want +got):\n%s", d)
		}
	})
}
