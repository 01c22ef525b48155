package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// Brains of files from before there were marks get what tells theirs apart.
func TestMarksOfEarlierFiles(t *testing.T) {
	first, second := earlier(t, 3), earlier(t, 1)
	_, mark := textsAfter(t, first, "")
	if n, _ := textsAfter(t, first, mark); n != 0 {
		t.Errorf("%d texts behind the last", n)
	}
	if n, _ := textsAfter(t, second, mark); n != 1 {
		t.Errorf("the mark of another file hides %d of 1 text", 1-n)
	}
}

// earlier opens a file with n memories that format 3 wrote.
func earlier(t *testing.T, n int) *Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "b")
	must(t, s.Update(t.Context(), func(x brain.Tx) error { return x.PutMemories(storetest.Memories(n, "text")...) }))
	must(t, s.Close())
	script(t, path, `ALTER TABLE brain DROP COLUMN token; PRAGMA user_version = 3`)
	return open(t, path, "b")
}

func textsAfter(t *testing.T, s *Store, mark string) (n int, next string) {
	t.Helper()
	must(t, s.View(t.Context(), func(r brain.Reader) error {
		ms, m, err := r.Written(mark, false, 99)
		n, next = len(ms), m
		return err
	}))
	return n, next
}
