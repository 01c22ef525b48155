package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// loadBrain reads the settings of a brain.
func loadBrain(t *testing.T, env environment, name string, flags ...string) Loaded {
	t.Helper()
	in := Input{Env: env.get, Flags: map[string]string{"brain": name}}
	for i := 0; i < len(flags); i += 2 {
		in.Flags[flags[i]] = flags[i+1]
	}
	l, err := Load(in)
	must(t, err)
	return l
}

func TestTheStoreOfABrain(t *testing.T) {
	const own = "[brains.milo]\nstore = 'sqlite:/milo.db'\n"
	tests := []struct{ name, toml, variable, flag, milo, usual string }{
		{"nothing is set", "", "", "", "", ""},
		{"the store of the default brain", "store = 'sqlite:/all.db'\n", "", "", "sqlite:/all.db", "sqlite:/all.db"},
		{"a variable", "store = 'sqlite:/all.db'\n", "sqlite:/env.db", "", "sqlite:/env.db", "sqlite:/env.db"},
		{"one of its own", "store = 'sqlite:/all.db'\n" + own, "sqlite:/env.db", "", "sqlite:/milo.db", "sqlite:/env.db"},
		{"a flag", own, "sqlite:/env.db", "sqlite:/flag.db", "sqlite:/flag.db", "sqlite:/flag.db"},
		{"only notes of its own", "[brains.milo]\nnotes = '/n'\n", "", "", "", ""},
		{"that of another brain", "[brains.Milo]\nstore = 'sqlite:/Milo.db'\n", "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, env := home(t, tt.toml)
			env["BRAINBRIDGE_STORE"] = tt.variable
			for name, want := range map[string]string{"milo": tt.milo, DefaultBrain: tt.usual} {
				if want == "" {
					want = "sqlite:" + filepath.Join(dir, "data", name, "brain.db")
				}
				if got := loadBrain(t, env, name, "store", tt.flag).Config.Store; got != want {
					t.Errorf("the store of %s is %s, want %s", name, got, want)
				}
			}
		})
	}
}

// own puts the owner file of a brain into a notes folder.
func own(t *testing.T, dir, name string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, ".brainbridge"), []byte(`{"brain": "`+name+`"}`), 0o600))
}

func TestTheNotesOfABrain(t *testing.T) {
	dir, env := home(t, "core.file = '/core.json'\n[notes]\ndir = 'vault/all'\nmemory_md = 'all.md'\n[brains.milo]\nnotes = 'vault/milo'\n[brains.\"a.b\"]\nmemory_md = '~/b.md'\n")
	elsewhere := t.TempDir()
	own(t, filepath.Join(dir, "vault", "all"), "early")
	env["BRAINBRIDGE_NOTES_DIR"] = elsewhere // of the default brain, since then
	for name, want := range map[string][2]string{
		DefaultBrain: {elsewhere, dir + "/all.md"},
		"milo":       {dir + "/vault/milo", dir + "/vault/MEMORY.md"},
		"a.b":        {dir + "/brains/a.b/memory", "/home/me/b.md"},
		"new":        {dir + "/brains/new/memory", dir + "/brains/new/MEMORY.md"},
		"early":      {dir + "/vault/all", dir + "/all.md"},
	} {
		p := loadBrain(t, env, name).Paths
		if d := cmp.Diff(want, [2]string{p.NotesDir, p.MemoryMD}); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	own(t, elsewhere, "later")
	if l := loadBrain(t, env, "later"); l.Paths.NotesDir != elsewhere || l.Origin["notes.dir"] != FromEnvironment {
		t.Errorf("the notes of a brain that owns the folder of the variable are in %s from %s", l.Paths.NotesDir, l.Origin["notes.dir"])
	}
	if got := loadBrain(t, env, "milo").Paths.CoreFile; got != dir+"/data/milo/core-memory.json" {
		t.Errorf("milo shares %s", got)
	}
}

// Two notes folders side by side would have one MEMORY.md.
func TestMemoryMDBelongsToOneBrain(t *testing.T) {
	dir, env := home(t, "[brains.one]\nnotes = 'one'\n[brains.two]\nnotes = 'x/two'\nmemory_md = 'x/MEMORY.md'\n[brains.three]\nnotes = 'x/three'\n")
	for name, want := range map[string]string{
		"one": dir + "/brains/one/MEMORY.md", "two": dir + "/x/MEMORY.md", "three": dir + "/brains/three/MEMORY.md", DefaultBrain: dir + "/MEMORY.md",
	} {
		if got := loadBrain(t, env, name).Paths.MemoryMD; got != want {
			t.Errorf("%s has %s, want %s", name, got, want)
		}
	}
}

func TestRecordKeepsWhatIsWritten(t *testing.T) {
	const written = "# mine\n[brains.milo]\nnotes = 'vault' # relative\n"
	dir, env := home(t, written)
	must(t, loadBrain(t, env, "milo").Record())
	file := filepath.Join(dir, "config.toml")
	got, err := os.ReadFile(file)
	must(t, err)
	want := written + "store = \"sqlite:" + dir + "/data/milo/brain.db\"\nmemory_md = \"" + dir + "/brains/milo/MEMORY.md\"\n"
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("file (-want +got):\n%s", d)
	}
	must(t, loadBrain(t, env, "milo").Record())
	must(t, loadBrain(t, env, DefaultBrain).Record())
	if again, _ := os.ReadFile(file); string(again) != want {
		t.Errorf("the second time changed %s", again)
	}
	must(t, loadBrain(t, env, DefaultBrain, "store", "sqlite:/x.db", "notes.dir", "/n").Record())
	if l := loadBrain(t, env, DefaultBrain); l.Config.Store != "sqlite:/x.db" || l.Paths.NotesDir != "/n" || l.Origin["notes.memory_md"] != FromDefault {
		t.Errorf("the default brain has %s and %s", l.Config.Store, l.Paths.NotesDir)
	}
	if l := loadBrain(t, env, "milo"); l.Config.Store != "sqlite:"+dir+"/data/milo/brain.db" || l.Paths.NotesDir != dir+"/vault" {
		t.Errorf("milo has %s and %s", l.Config.Store, l.Paths.NotesDir)
	}
}

func TestWrongTablesOfBrains(t *testing.T) {
	for toml, want := range map[string]string{
		"[brains]\nmilo = 1\n":                       ":2: brains.milo: is a table of keys",
		"brains = 1\n":                               ":1: brains: is a table of keys",
		"[brains.milo]\nstroe = 'sqlite:x'\n":        ":2: brains.milo.stroe: unknown key",
		"[brains.milo.more]\nstore = 'x'\n":          ":1: brains.milo.more: unknown key",
		"[[brains.milo]]\nstore = 'sqlite:x'\n":      ":1: brains.milo: is written as a list of tables",
		"[brains.milo]\nnotes = 3\n":                 ":2: brains.milo.notes: 3 is not a text",
		"[brains.'a.b']\nstore = 'x'\n":              ":2: brains.a.b.store: \"x\" is not a store URI",
		"[brains.'../up']\nstore = 'sqlite:x'\n":     `:1: brains.\.\./up: "../up" cannot name a brain`,
		"[brains.default]\nstore = 'sqlite:x'\n":     ":1: brains.default: the default brain has no table",
		"[brains]\nmilo.store = 'neo4j://a:pw@h'\n":  ":2: brains.milo.store: the URI has a user name or a password",
		"brains = { milo = { store = 'sqlite:x' } }": ":1: brains: is a table of keys",
	} {
		dir, env := home(t, toml)
		_, err := Load(Input{Env: env.get})
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), dir+"/config.toml"+want) || e.Hint == "" || strings.Contains(err.Error(), "pw") {
			t.Errorf("%q: %v", toml, err)
		}
	}
}

func TestNewBrainsHavePlainNames(t *testing.T) {
	for name, ok := range map[string]bool{"milo": true, "my-work-2": true, "Milo": false, "a.b": false, "a_b": false} {
		if err := CheckNewBrain(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
