package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

func TestCommitsAreCountedPerBrain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	a, b := open(t, path, "a"), open(t, path, "b")
	for _, s := range []*Store{a, b, a} {
		must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("x")) }))
	}
	failed := errors.New("no")
	if err := a.Update(t.Context(), func(brain.Tx) error { return failed }); !errors.Is(err, failed) {
		t.Fatal(err)
	}
	for s, want := range map[*Store]int64{a: 2, b: 1} {
		c, err := connect(t.Context(), path, 2000)
		must(t, err)
		now, err := s.seen(t.Context(), c, false)
		must(t, errors.Join(err, c.close()))
		if now.Commits != want {
			t.Errorf("%d commits of %s, want %d", now.Commits, s.name, want)
		}
	}
}

// A file of a newer program is read and stays as it is.
func TestNewerFormatIsReadOnly(t *testing.T) {
	for name, c := range map[string]struct{ script, install string }{
		"recorded":     {`INSERT INTO migration VALUES (21, 'v9.1.0', 0)`, "install brainbridge v9.1.0"},
		"not recorded": {`DROP TABLE migration; ALTER TABLE brain DROP COLUMN commits`, "install the newest brainbridge"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "brain.db")
			s := open(t, path, "x")
			must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("legible")) }))
			script(t, path, c.script+`; PRAGMA user_version = 21`)
			write := func(s *Store) error {
				return s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("more")) })
			}
			// This process has opened the file before.
			if err := write(s); !errors.Is(err, brain.ErrReadOnly) || !strings.Contains(err.Error(), "restart this session") || s.Writable() == nil {
				t.Errorf("a write after the upgrade: %v", err)
			}
			must(t, s.Close())
			before, err := os.ReadFile(path)
			must(t, err)
			s = open(t, path, "x")
			if err := write(s); !errors.Is(err, brain.ErrReadOnly) || !strings.Contains(err.Error(), c.install) {
				t.Errorf("a write to a newer format: %v", err)
			}
			if hits := find(t, s, "legible"); len(hits) != 1 {
				t.Errorf("found %v", hits)
			}
			must(t, open(t, path, "another").Close())
			must(t, s.Close())
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
}

// A newer format may lack what this program reads.
func TestNewerFormatThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	must(t, open(t, path, "x").Close())
	script(t, path, `ALTER TABLE record RENAME COLUMN body TO content; INSERT INTO migration VALUES (21, 'v9.1.0', 0); PRAGMA user_version = 21`)
	err := open(t, path, "x").View(t.Context(), func(r brain.Reader) error {
		_, err := r.Records(brain.RunRecord, "a")
		return err
	})
	if !errors.Is(err, brain.ErrRefused) || !strings.Contains(err.Error(), "install brainbridge v9.1.0") {
		t.Errorf("error is %v", err)
	}
}

// A text that a file of the format before has is known after the migration.
func TestMigrationKeysTheTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "x")
	m, test := storetest.Memory("said before"), storetest.Memory("said before")
	test.ID = brain.TestPrefix + test.ID
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(m, test) }))
	must(t, s.Close())
	script(t, path, `DROP INDEX memory_text; ALTER TABLE memory DROP COLUMN text_key; DROP TABLE migration;
		ALTER TABLE brain DROP COLUMN commits; PRAGMA user_version = 19`)
	s = open(t, path, "x")
	must(t, s.Migrate(t.Context(), nil))
	must(t, s.Close())
	s = open(t, path, "x")
	must(t, s.View(t.Context(), func(r brain.Reader) error {
		found, err := r.MemoriesByText(m.TextKey())
		if len(found) != 1 || found[0].ID != m.ID {
			t.Errorf("found %v", brain.IDs(found))
		}
		return err
	}))
}
