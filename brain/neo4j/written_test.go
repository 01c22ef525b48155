package neo4j

import (
	"encoding/json"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// Marks are kept in checkpoints: what they say must stay readable.
func TestMarksAreReadAsTheyWereWritten(t *testing.T) {
	for want, m := range map[string]mark{
		`{"end":"1763771234567"}`: {End: "1763771234567"},
		`{"end":"1763771234567","at":"1763771234568.b|id/with|any+thing~"}`: {
			End: "1763771234567", At: "1763771234568.b|id/with|any+thing~",
		},
	} {
		rendered, err := json.Marshal(m)
		if err != nil || string(rendered) != want {
			t.Errorf("%+v is written as %q, %v; want %q", m, rendered, err, want)
		}
		if got := parseMark(want); got.End != m.End || got.At != m.At {
			t.Errorf("%q reads as %+v, want %+v", want, got, m)
		}
	}
	for _, foreign := range []string{"", "x", "9", "1763771234567"} {
		if got := parseMark(foreign); got.End != "" || got.At != "" {
			t.Errorf("%q is taken for a mark: %+v", foreign, got)
		}
	}
}

// Another transaction may have begun before a reading that ended, and be committed after it.
func TestATextThatWasCommittedLateIsRead(t *testing.T) {
	s := openTest(t, fresh(t))
	many := storetest.Memories(30, "many")
	store(t, s, many)
	mark := ""
	next := func() (ids []string) {
		t.Helper()
		for more := true; more; {
			var ms []brain.Memory
			err := s.View(t.Context(), func(r brain.Reader) (err error) {
				ms, mark, err = r.Written(mark, 7)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, brain.IDs(ms)...)
			more = len(ms) == 7
		}
		return ids
	}
	if got := next(); len(got) != len(many) {
		t.Errorf("%d were read at first, want %d", len(got), len(many))
	}
	if got := next(); len(got) > 0 {
		t.Errorf("%d were read again, although none is new", len(got))
	}
	const ago = "MATCH (n:Memory {brain: $brain}) SET n.written = toString(toInteger(left(n.written, 13)) - $ago) + '.open'"
	cypher(t, s, ago, map[string]any{"ago": 3 * 60_000})
	if got := next(); len(got) > 0 {
		t.Errorf("%d of three minutes ago were read again", len(got))
	}
	cypher(t, s, ago, map[string]any{"ago": -2 * 60_000})
	if got := next(); len(got) != len(many) {
		t.Errorf("%d of a minute ago were read, want %d", len(got), len(many))
	}
}

func store(t *testing.T, s *Store, ms []brain.Memory) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
}
