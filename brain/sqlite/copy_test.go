package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

func contents(t *testing.T, s *Store) (all []string) {
	t.Helper()
	must(t, s.Dump(t.Context(), func(p brain.Page) error {
		for _, m := range p.Memories {
			all = append(all, m.ID+m.Content)
		}
		return nil
	}))
	slices.Sort(all)
	return all
}

// A copy has all that is committed, whether it is in the database or in its log, and no part of a
// transaction whose end is missing.
func TestACopyHasWhatIsCommitted(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	for round := range 6 {
		must(t, s.Update(t.Context(), func(tx brain.Tx) error {
			for i := range 40 * round {
				if err := tx.PutMemories(storetest.Memory(fmt.Sprint("memory ", round, i))); err != nil {
					return err
				}
			}
			return nil
		}))
		copied := copyOf(t, s.path)
		if want, got := contents(t, s), contents(t, copied); !slices.Equal(got, want) {
			t.Fatalf("round %d: the copy has %d memories, not %d", round, len(got), len(want))
		}
		if round == 3 {
			script(t, s.path, "PRAGMA wal_checkpoint(TRUNCATE)")
		}
		err := copied.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("new")) })
		if !errors.Is(err, brain.ErrReadOnly) {
			t.Errorf("a write to the copy is %v", err)
		}
		must(t, copied.Check(t.Context()))
	}
	file, err := os.ReadFile(s.path)
	must(t, err)
	log, err := os.ReadFile(s.path + "-wal")
	must(t, err)
	before := contents(t, s)
	for cut := len(log); cut > 0; cut -= len(log) / 9 {
		torn := slices.Clone(log)[:cut-1]
		path := filepath.Join(t.TempDir(), "brain.db")
		must(t, os.WriteFile(path, file, 0o600))
		must(t, os.WriteFile(path+"-wal", torn, 0o600))
		got := contents(t, copyOf(t, path))
		must(t, os.WriteFile(path+"-wal", torn, 0o600))
		if want := contents(t, open(t, path, "x")); !slices.Equal(got, want) || len(want) > len(before) {
			t.Errorf("cut at %d the copy has %d memories, SQLite reads %d", cut, len(got), len(want))
		}
	}
}

// A copy is gone from the temporary folder as soon as it is open, and as many can read it at once as
// the store allows. Without a temporary folder it is made elsewhere.
func TestACopyLeavesNothingBehind(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	put(t, s, storetest.Memory("in the log"))
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	copied := copyOf(t, s.path)
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	var nested func(depth int) error
	nested = func(depth int) error {
		return copied.View(t.Context(), func(r brain.Reader) error {
			if found, err := r.Matching(10, ""); err != nil || len(found) != 1 {
				return fmt.Errorf("found %v: %w", found, err)
			}
			if depth == maxReaders {
				return nil
			}
			return nested(depth + 1)
		})
	}
	must(t, nested(1))
	must(t, nested(1))
	must(t, os.Remove(temporary))
	if _, err := os.Stat("/dev/shm"); err == nil {
		copyOf(t, s.path)
	}
}

// A copy is used as long as the file is as it was and cannot be written.
func TestAnOutdatedCopy(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "brain.db")
	s := open(t, path, "x")
	put(t, s, storetest.Memory("one"))
	must(t, s.Close())
	reopen := func() *Store {
		s, err := Open(t.Context(), path, "x")
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	}
	must(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { must(t, os.Chmod(dir, 0o700)) })
	copied := reopen()
	if !copied.Copied() || copied.CopyOutdated(t.Context()) {
		t.Errorf("a copy: %v, outdated: %v", copied.Copied(), copied.CopyOutdated(t.Context()))
	}
	must(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0)))
	if !copied.CopyOutdated(t.Context()) {
		t.Error("the file has changed")
	}
	copied = reopen()
	must(t, os.Chmod(dir, 0o700))
	if !copied.CopyOutdated(t.Context()) {
		t.Error("the file can be written")
	}
	if reopen().CopyOutdated(t.Context()) {
		t.Error("the store is no copy")
	}
}

func copyOf(t *testing.T, path string) *Store {
	t.Helper()
	s := &Store{path: path, name: "x", pool: newPool(path), leases: lease.NewKeeper(nil)}
	must(t, s.openCopy(t.Context(), "a test"))
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}
