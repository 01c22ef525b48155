package neo4j

import (
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// What was stored before the schema knew the order stands before what comes
// later, tests apart.
func TestWrittenOfEarlierNodes(t *testing.T) {
	s := openTest(t, fresh(t))
	early, test := storetest.Memories(3, "early"), storetest.Memory("an early test", storetest.Test)
	store(t, s, append(early, test))
	cypher(t, s, "MATCH (n:Memory {brain: $brain}) REMOVE n.written", nil)
	late := storetest.Memory("late")
	store(t, s, []brain.Memory{late})
	if err := s.define(t.Context(), fillWritten()); err != nil {
		t.Fatal(err)
	}
	got := contentsInOrder(t, s, false)
	if want := []string{"early", "early", "early", "late"}; !slices.Equal(got, want) {
		t.Errorf("texts in order: %q, want %q", got, want)
	}
	if got := contentsInOrder(t, s, true); !slices.Equal(got, []string{"an early test"}) {
		t.Errorf("tests in order: %q", got)
	}
}

func contentsInOrder(t *testing.T, s *Store, tests bool) (all []string) {
	t.Helper()
	err := s.View(t.Context(), func(r brain.Reader) error {
		all = nil
		mark := ""
		for {
			ms, next, err := r.Written(mark, tests, 2)
			for _, m := range ms {
				all = append(all, m.Content)
			}
			if err != nil || len(ms) < 2 {
				return err
			}
			mark = next
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Marks are kept in checkpoints: what they say must stay readable.
func TestMarksAreReadAsTheyWereWritten(t *testing.T) {
	for _, prefix := range []string{"", testWritten} {
		for _, m := range []mark{
			{},
			{end: "1763771234567"},
			{end: "1763771234567", at: prefix + "1763771234568|id/with|anything~"},
		} {
			rendered := prefix + m.end + m.behind()
			if got := parseMark(rendered, prefix); got != m {
				t.Errorf("%q reads as %+v, want %+v", rendered, got, m)
			}
		}
	}
	if got := parseMark("1763771234567", testWritten); got != (mark{}) {
		t.Errorf("a mark of real memories is taken for one of tests: %+v", got)
	}
}
