package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// Each commit hands over the next number and the memories as they are then; so does the next
// opening, which counts what is in the table.
func TestCommitsAreSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	var opened, committed brain.Seen
	loads := 0
	watch := Watch(brain.Watch{
		Opened: func(s brain.Seen) error { opened = s; return nil },
		Committed: func(s brain.Seen, loaded bool) {
			committed = s
			if loaded {
				loads++
			}
		},
	})
	s, err := Open(t.Context(), path, "x", watch)
	must(t, err)
	first := storetest.Memory("one")
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(first, storetest.Memory("two")) }))
	want := brain.Seen{ID: opened.ID, Format: schemaVersion, Memories: 2, Commits: opened.Commits + 1}
	if committed != want || opened.ID == "" {
		t.Errorf("after a write %+v was seen, want %+v", committed, want)
	}
	failed := errors.New("no")
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return errors.Join(tx.DeleteNodes(first.ID), failed) }); !errors.Is(err, failed) {
		t.Fatal(err)
	}
	if committed != want {
		t.Errorf("a write that failed was seen: %+v", committed)
	}
	must(t, s.Load(t.Context(), func(yield func(brain.Page, error) bool) { yield(brain.Page{Memories: []brain.Memory{first}}, nil) }, nil))
	want.Memories, want.Commits = 1, want.Commits+1
	if committed != want || loads != 1 {
		t.Errorf("after a load %+v was seen in %d loads, want %+v in one", committed, loads, want)
	}
	must(t, s.Close())

	script(t, path, "DELETE FROM memory")
	s, err = Open(t.Context(), path, "x", watch)
	must(t, err)
	want.Memories = 0
	if opened != want {
		t.Errorf("opened as %+v, want %+v", opened, want)
	}
	must(t, s.Close())
}

// Nothing is created in the place of a brain that must be there, and what is left of it stays.
func TestAMissingBrainIsNotCreated(t *testing.T) {
	missing := errors.New("missing")
	for name, left := range map[string]func(t *testing.T, path string){
		"no file":      func(*testing.T, string) {},
		"an empty one": func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o600)) },
		"an empty one with its log": func(t *testing.T, path string) {
			must(t, errors.Join(os.WriteFile(path, nil, 0o600), os.WriteFile(path+"-wal", []byte("log"), 0o600)))
		},
		"a database without tables": func(t *testing.T, path string) { script(t, path, "PRAGMA user_version = 0; VACUUM") },
		"one with another brain":    func(t *testing.T, path string) { must(t, open(t, path, "other").Close()) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "brain.db")
			left(t, path)
			before := files(t, path)
			_, err := Open(t.Context(), path, "x", Requires("x"), Watch(brain.Watch{Missing: missing}))
			if !errors.Is(err, missing) {
				t.Errorf("error is %v", err)
			}
			if after := files(t, path); after != before {
				t.Errorf("the files are %v, want %v", after, before)
			}
		})
	}
}

// files returns the content of a database file and its log, "none" for a missing one.
func files(t *testing.T, path string) (all [2]string) {
	t.Helper()
	for i, part := range []string{"", "-wal"} {
		raw, err := os.ReadFile(path + part)
		if all[i] = string(raw); errors.Is(err, os.ErrNotExist) {
			all[i] = "none"
		}
	}
	return all
}
