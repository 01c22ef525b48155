package sqlite

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// A survey adds up what was stored before there were sums as if it were new.
func TestSurveyOfEarlierFiles(t *testing.T) {
	s := earlier(t, 3)
	must(t, s.View(t.Context(), func(r brain.Reader) error {
		got, err := r.Survey(storetest.Hours(36), storetest.Start)
		if got.Dated != 3 || math.Abs(got.Days-4.5) > 1e-4 {
			t.Errorf("%d memories of %v days together, want 3 of 4.5", got.Dated, got.Days)
		}
		return err
	}))
}

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
	script(t, path, `ALTER TABLE brain DROP COLUMN token; DROP TABLE census;
		DROP INDEX memory_idle; DROP INDEX memory_young_type; DROP INDEX memory_judged; DROP INDEX memory_forgettable; DROP INDEX memory_idle_early; PRAGMA user_version = 3`)
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

// Entities of files from before their names counted letter for letter are found
// by them; of two of a name the elder is.
func TestEntitiesOfEarlierFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "b")
	alone, elder, younger := storetest.FormerEntities()
	must(t, s.Update(t.Context(), func(x brain.Tx) error { return x.PutMemories(slices.Concat(alone, elder, younger)...) }))
	must(t, s.Close())
	script(t, path, "PRAGMA user_version = 7")
	for range 2 { // the second time there is nothing left to do
		s = open(t, path, "b")
		storetest.CheckFormerEntities(t, s)
		must(t, s.Close())
	}
}
