package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestOpenMakesAPrivateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "folder #1?%20", "brain.db")
	s := open(t, path, "mine")
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("x")) }))
	empty := path + ".empty"
	must(t, create(empty))
	for name, want := range map[string]os.FileMode{path: 0o600, path + "-wal": 0o600, empty: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
	if got := s.Info(); got.URI != "sqlite:"+path || got.Kind != "sqlite" || got.Brain != "mine" {
		t.Errorf("Info is %+v", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	foreign := `CREATE TABLE accounts (id INTEGER)`
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		says    string
	}{
		{"text", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, bytes.Repeat([]byte("# not a database\n"), 500), 0o600))
		}, "is not a SQLite database"},
		{"a database of another program", func(t *testing.T, path string) { script(t, path, foreign) }, "of another program"},
		{"another application id", func(t *testing.T, path string) { script(t, path, `PRAGMA application_id = 7`) }, "of another program"},
		{"an earlier format", func(t *testing.T, path string) {
			must(t, open(t, path, "x").Close())
			script(t, path, `PRAGMA user_version = 3`)
		}, "unknown format (3,"},
		{"a folder", func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }, "cannot be opened"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "brain.db")
			c.prepare(t, path)
			before, _ := os.ReadFile(path)
			_, err := Open(t.Context(), path, "x")
			var told *brain.Error
			if !errors.As(err, &told) || told.Hint == "" || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Fatalf("error is %v", err)
			}
			if !errors.Is(err, brain.ErrRefused) {
				t.Errorf("%v is not ErrRefused", err)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

// An open file lives on without its name: what is written there is lost.
func TestAFileThatWasReplacedIsNotWrittenTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "x")
	put := func(name string) error {
		return s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory(name)) })
	}
	must(t, put("before"))
	must(t, s.Replaced())
	must(t, os.Remove(path))
	for step, err := range map[string]error{
		"a write": put("after"),
		"a read":  s.View(t.Context(), func(brain.Reader) error { return nil }),
		"a look":  s.Replaced(),
	} {
		if !errors.Is(err, brain.ErrUnavailable) || !strings.Contains(err.Error(), "was removed or replaced") {
			t.Errorf("%s without the file: %v", step, err)
		}
	}
	must(t, open(t, path, "x").Close())
	if err := put("elsewhere"); !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("a write beside another file: %v", err)
	}
	// Its place is taken while a write is under way.
	s, at := open(t, path, "x"), path+".moved"
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		return errors.Join(tx.PutMemories(storetest.Memory("meanwhile")), os.Rename(path, at))
	})
	if !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("a write whose file is moved: %v", err)
	}
	must(t, s.Close())
}

func script(t *testing.T, path, sql string) {
	t.Helper()
	c, err := connect(t.Context(), path, 8000)
	must(t, err)
	_, err = c.c.ExecContext(t.Context(), sql)
	must(t, errors.Join(err, c.close()))
}

// TestProcessesCreateTheFileAtOnce starts processes of this test binary that all
// open a file which is not there, and write.
func TestProcessesCreateTheFileAtOnce(t *testing.T) {
	const env = "SQLITE_TEST_FILE"
	if path := os.Getenv(env); path != "" {
		s, err := Open(t.Context(), path, "shared")
		must(t, err)
		must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("from a process")) }))
		must(t, s.Close())
		return
	}
	const processes = 8
	path := filepath.Join(t.TempDir(), "new", "brain.db")
	failed := make(chan error, processes)
	for range processes {
		go func() {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestProcessesCreateTheFileAtOnce$")
			cmd.Env = append(os.Environ(), env+"="+path)
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			failed <- err
		}()
	}
	for range processes {
		must(t, <-failed)
	}
	s := open(t, path, "shared")
	if hits := find(t, s, "process"); len(hits) != processes {
		t.Errorf("%d of %d memories are there", len(hits), processes)
	}
}

func find(t *testing.T, s *Store, query string) (ids []string) {
	t.Helper()
	must(t, s.View(t.Context(), func(r brain.Reader) error {
		hits, err := r.Search(brain.SearchQuery{Words: words.Parse(query), Limit: 1000})
		ids = nil
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		return err
	}))
	return ids
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "x")
	limit := func(pages int) {
		c, err := s.pool.take(t.Context(), s.pool.writers)
		must(t, err)
		defer s.pool.give(c, s.pool.writers)
		var now int
		must(t, c.c.QueryRowContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Scan(&now))
	}
	put := func(m brain.Memory) error {
		return s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(m) })
	}
	kept, lost := storetest.Memory("kept"), storetest.Memory("lost "+strings.Repeat("words and more words ", 9000))
	must(t, put(kept))
	limit(1) // SQLite makes that the present size
	err := put(lost)
	if !errors.Is(err, brain.ErrUnavailable) || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("error is %v", err)
	}
	limit(1 << 30)
	if hits := find(t, s, "lost"); len(hits) != 0 {
		t.Error("half of a failed write is there")
	}
	must(t, put(lost))
	if hits := find(t, s, "lost"); len(hits) != 1 {
		t.Error("nothing can be written after the disk has space again")
	}
}

func TestFailedWriteFailsAll(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	entity := func(name string) brain.Memory {
		m := storetest.Memory(name)
		m.EntityKey = "taken"
		return m
	}
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		must(t, tx.PutMemories(entity("first")))
		_ = tx.PutMemories(entity("second")) // not looked at
		return nil
	})
	if !errors.Is(err, brain.ErrConflict) {
		t.Errorf("error is %v, want ErrConflict", err)
	}
	if hits := find(t, s, "first"); len(hits) != 0 {
		t.Error("a part of a failed Update was stored")
	}
}

func TestEntityKeyMovesWithinOneWrite(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	old, next := storetest.Memory("old"), storetest.Memory("next")
	old.EntityKey = "the key"
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(old) }))
	old.EntityKey, next.EntityKey = "", "the key"
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(next, old) }))
}

func TestErrorsAreSorted(t *testing.T) {
	for code, want := range map[int]error{
		sqlite3.SQLITE_BUSY: brain.ErrHeld, sqlite3.SQLITE_BUSY_SNAPSHOT: brain.ErrHeld, sqlite3.SQLITE_LOCKED: brain.ErrHeld,
		sqlite3.SQLITE_FULL: brain.ErrUnavailable, sqlite3.SQLITE_IOERR_FSYNC: brain.ErrUnavailable,
		sqlite3.SQLITE_READONLY: brain.ErrReadOnly, sqlite3.SQLITE_CORRUPT_VTAB: brain.ErrRefused,
		sqlite3.SQLITE_CONSTRAINT_UNIQUE: brain.ErrConflict, sqlite3.SQLITE_CONSTRAINT_NOTNULL: nil, 0: nil,
	} {
		if _, _, got := meaning(code); !errors.Is(got, want) {
			t.Errorf("code %d is %v, want %v", code, got, want)
		}
	}
}

func TestReadsAndWritesInTurnShareOneConnection(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	for range 10 {
		find(t, s, "anything")
		must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("x")) }))
	}
	if n := len(s.pool.idle); n != 1 {
		t.Errorf("ten reads and writes in turn use %d connections", n)
	}
}

func TestFrugalKeepsOneConnection(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "x", Frugal())
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	look := func(inside func() error) error {
		return s.View(t.Context(), func(r brain.Reader) error {
			_, err := r.Memories("x")
			return errors.Join(err, inside())
		})
	}
	for range 3 { // two reads at once
		must(t, look(func() error { return look(func() error { return nil }) }))
	}
	if n := len(s.pool.idle); n != 1 {
		t.Errorf("%d connections are kept", n)
	}
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("still works")) }))
	if hits := find(t, s, "works"); len(hits) != 1 {
		t.Error("nothing is found after that")
	}
}

func TestCancelEndsALongRead(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	ctx, cancel := context.WithCancel(t.Context())
	err := s.View(ctx, func(r brain.Reader) error {
		x := r.(*tx)
		stop := context.AfterFunc(ctx, func() {})
		defer stop()
		go cancel()
		var n int
		return x.fail(x.c.one(ctx, `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)
			SELECT count(*) FROM c`, nil, &n)) // without end
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("still works")) }))
	if hits := find(t, s, "works"); len(hits) != 1 {
		t.Error("the store does not read after an interrupted read")
	}
}

func TestPromotionCostsNoFullText(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "x")
	m := storetest.Memory("the text of a chain")
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(m) }))
	written := func() (rows [3]int) { // of the index; the newest number of a doc; what FTS5 has stored
		one(t, s, `SELECT (SELECT count(*) FROM words), (SELECT max(doc) FROM doc), (SELECT sum(length(block)) FROM words_data)`, &rows[0], &rows[1], &rows[2])
		return rows
	}
	before := written()
	for range 3 {
		was := m
		was.ID, was.Tier = storetest.NewID(), tiers.ArchivedWorking
		must(t, s.Update(t.Context(), func(tx brain.Tx) error { return errors.Join(tx.PutLives(m), tx.PutMemories(was)) }))
	}
	if hits := find(t, s, "chain"); len(hits) != 1 || hits[0] != m.ID {
		t.Errorf("hits are %v, want %s", hits, m.ID)
	}
	if after := written(); after != before {
		t.Errorf("the index had %v, after promotions it has %v", before, after)
	}
}
