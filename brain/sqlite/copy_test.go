package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/storetest"
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

// A large file is read from a copy in the temporary folder, which Close removes.
func TestALargeCopy(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("in the log")) }))
	large := filepath.Join(t.TempDir(), "brain.db")
	must(t, errors.Join(copyFile(large, s.path), copyFile(large+"-wal", s.path+"-wal"), os.Truncate(large, mostInMemory+1)))
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	copied := copyOf(t, large)
	if want, got := contents(t, s), contents(t, copied); !slices.Equal(got, want) || copied.pool.image != nil {
		t.Errorf("the copy has %v, not %v", got, want)
	}
	err := copied.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("new")) })
	if !errors.Is(err, brain.ErrReadOnly) || !copied.Copied() {
		t.Errorf("a write to the copy is %v", err)
	}
	must(t, copied.Close())
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func copyOf(t *testing.T, path string) *Store {
	t.Helper()
	s := &Store{path: path, name: "x", pool: newPool(path), leases: lease.NewKeeper(nil)}
	must(t, s.openCopy(t.Context(), "a test"))
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func FuzzWithLog(f *testing.F) {
	f.Add([]byte("SQLite format 3\x00"), []byte("\x37\x7f\x06\x82"))
	f.Fuzz(func(_ *testing.T, file, log []byte) { _ = withLog(file, log) })
}
