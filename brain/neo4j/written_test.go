package neo4j

import (
	"encoding/json"
	"maps"
	"slices"
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
		`{"end":"1763771234567","at":"1763771234568.a1|id","given":{"1763771234568.a1":3,"1763771234569.b":12}}`: {
			End: "1763771234567", At: "1763771234568.a1|id",
			Given: map[string]int{"1763771234568.a1": 3, "1763771234569.b": 12},
		},
	} {
		rendered, err := json.Marshal(m)
		if err != nil || string(rendered) != want {
			t.Errorf("%+v is written as %q, %v; want %q", m, rendered, err, want)
		}
		if got := parseMark(want); got.End != m.End || got.At != m.At || !maps.Equal(got.Given, m.Given) {
			t.Errorf("%q reads as %+v, want %+v", want, got, m)
		}
	}
	for _, foreign := range []string{"", "x", "9", "1763771234567"} {
		if got := parseMark(foreign); got.End != "" || got.At != "" || len(got.Given) > 0 {
			t.Errorf("%q is taken for a mark: %+v", foreign, got)
		}
	}
}

// A memory is not given twice if its transaction wrote nothing after the mark.
func TestOnlyWhatChangedIsGivenAgain(t *testing.T) {
	s := openTest(t, fresh(t))
	many, few := storetest.Memories(30, "many"), storetest.Memories(3, "few")
	store(t, s, many)
	store(t, s, few)
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
			for _, m := range ms {
				ids = append(ids, m.ID)
			}
			more = len(ms) == 7
		}
		return ids
	}
	expect := func(what string, got []string, want ...brain.Memory) {
		t.Helper()
		var ids []string
		for _, m := range want {
			ids = append(ids, m.ID)
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(ids))) {
			t.Errorf("%s: %d were given, want %d", what, len(got), len(want))
		}
	}
	expect("at first", next(), append(slices.Clone(many), few...)...)
	expect("nothing is new", next())
	fresh := storetest.Memory("new")
	store(t, s, []brain.Memory{fresh})
	expect("one is new", next(), fresh)
	few[1].Content = "in other words"
	store(t, s, few[1:2])
	expect("one is stored anew", next(), few...)
	expect("nothing is new again", next())
	cypher(t, s, "MATCH (n:Memory {brain: $brain, id: $id}) SET n.written = left(n.written, 13) + '.open'", map[string]any{"id": many[0].ID})
	expect("one was committed late", next(), many...)
}

func store(t *testing.T, s *Store, ms []brain.Memory) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
}
