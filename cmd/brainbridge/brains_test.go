package main

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/integration/app"
)

// A brain that is made in another store moved every other brain there, while the daemon went
// on with the store that it had opened.
func TestInitOfAnotherBrainMovesNoOther(t *testing.T) {
	stores := map[string]func(t *testing.T, name string) string{
		"sqlite": func(t *testing.T, _ string) string { return "sqlite:" + filepath.Join(t.TempDir(), "other.db") },
		"neo4j": func(t *testing.T, name string) string {
			uri := neo4jtest.Server(t)
			t.Cleanup(func() { dropBrains(t, uri, name) })
			return uri
		},
	}
	for kind, store := range stores {
		t.Run(kind, func(t *testing.T) {
			home, name := t.TempDir(), "milo-"+brain.NewID()
			uri := store(t, name)
			succeed(t, home, "learn", "topic", "of the default brain")
			stop, _ := serving(t, home)
			before := statusOf(t, home, "default")
			succeed(t, home, "--brain", name, "init", "--store", uri)
			stopOther, _ := serving(t, home, "--brain", name)
			after, other := statusOf(t, home, "default"), statusOf(t, home, name)
			own := "sqlite:" + filepath.Join(home, "data", "default", "brain.db")
			if before.Store != own || after.Store != own || after.Total != 1 || !reflect.DeepEqual(after.Daemon, before.Daemon) || after.Daemon.Store != own || !after.Watching {
				t.Errorf("the default brain was %+v with %+v, is %+v with %+v", before, before.Daemon, after, after.Daemon)
			}
			notes := filepath.Join(home, "brains", name, "memory")
			if other.Store != uri || other.Total != 0 || other.Daemon == nil || other.Daemon.Store != uri || other.Daemon.NotesDir != notes || !other.Watching {
				t.Errorf("the other brain is %+v with %+v", other, other.Daemon)
			}
			stopOther()
			stop()
		})
	}
}

// A daemon takes changed settings over, but neither those of another brain nor another brain.
func TestDaemonTakesSettingsOver(t *testing.T) {
	home := t.TempDir()
	again, stop, _ := servingAgain(t, home)
	succeed(t, home, "--brain", "milo", "init")
	succeed(t, home, "config", "set", "brain", "milo")
	moved := "sqlite:" + filepath.Join(home, "moved.db")
	succeed(t, home, "--brain", "default", "init", "--store", moved, "--notes", filepath.Join(home, "vault"))
	if said := again(); !strings.Contains(said, "The settings have changed") || !strings.Contains(said, moved) || !strings.Contains(said, "brain default") {
		t.Errorf("the daemon said %s", said)
	}
	s := statusOf(t, home, "default")
	if s.Daemon == nil || s.Daemon.Store != moved || s.Daemon.NotesDir != filepath.Join(home, "vault") || s.Store != moved || !s.Watching {
		t.Errorf("status %+v, daemon %+v", s, s.Daemon)
	}
	stop()
}

// Settings that only the daemon was started with are not those of a command.
func TestStatusSaysThatTheDaemonUsesAnotherStore(t *testing.T) {
	home := t.TempDir()
	uri := "sqlite:" + filepath.Join(home, "of-the-daemon.db")
	stop, _ := serving(t, home, "--store", uri)
	s := statusOf(t, home, "default")
	if s.Daemon == nil || s.Daemon.Store != uri || s.Store == uri || s.Watching {
		t.Errorf("status %+v, daemon %+v", s, s.Daemon)
	}
	for _, command := range []string{"status", "health"} {
		if said := succeed(t, home, command); !strings.Contains(said, "the daemon uses the store "+uri+", not "+s.Store) || !strings.Contains(said, "`brainbridge serve`") {
			t.Errorf("%s prints %s", command, said)
		}
	}
	if said := succeed(t, home, "--store", uri, "status"); strings.Contains(said, "the daemon uses") {
		t.Errorf("with its store status prints %s", said)
	}
	stop()
}

// A brain of an earlier version keeps a name that no new brain may have.
func TestBrainsOfEarlierNames(t *testing.T) {
	home, name := t.TempDir(), "Up.Per_x"
	file := filepath.Join(home, "data", name, "brain.db")
	store, err := sqlite.Open(t.Context(), file, name)
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	succeed(t, home, "--brain", name, "learn", "topic", "text")
	succeed(t, home, "--brain", name, "init")
	succeed(t, home, "config", "set", "brains."+name+".memory_md", filepath.Join(home, "up.md"))
	if s := statusOf(t, home, name); s.Store != "sqlite:"+file || s.Total != 1 {
		t.Errorf("status %+v", s)
	}
	shown := succeed(t, home, "--json", "config", "show")
	for _, want := range []string{`"brains.Up.Per_x.store","value":"sqlite:` + file, `"brains.Up.Per_x.memory_md","value":"` + home + `/up.md"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("config show has no %s: %s", want, shown)
		}
	}
	if out, err := program(t, home, "--brain", "up.per_x", "status").CombinedOutput(); codeOf(t, err) != app.ExitNotFound || !strings.Contains(string(out), "there are: Up.Per_x, default\n") {
		t.Errorf("another spelling: %v, %s", err, out)
	}
	if out, err := program(t, home, "--brain", "New.One", "init").CombinedOutput(); codeOf(t, err) != app.ExitUsage {
		t.Errorf("a new brain of such a name: %v, %s", err, out)
	}
}
