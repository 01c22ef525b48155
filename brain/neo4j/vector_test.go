package neo4j

import (
	"context"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// Brains share the indexes over vectors. The texts of a small one are found though more texts of
// another one are nearer than the index is asked for.
func TestASmallBrainBesideALargeOne(t *testing.T) {
	put := func(ms []brain.Memory, v []float32) *Store {
		s := openTest(t, "beside-"+brain.NewID())
		t.Cleanup(func() { _ = s.Update(context.WithoutCancel(t.Context()), removeAll) })
		es := brain.Map(ms, func(m brain.Memory) brain.Embedded { return brain.Embedded{Passage: m.Passage(), Values: v} })
		for _, write := range []func(brain.Tx) error{
			func(tx brain.Tx) error { return tx.PutMemories(ms...) },
			func(tx brain.Tx) error { return tx.PutVectors("model", es...) },
		} {
			if err := s.Update(t.Context(), write); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	put(storetest.Memories(2*mostFetched, "okapi"), []float32{1, 0, 0, 0, 0})
	zebra := storetest.Memory("zebra")
	s := put([]brain.Memory{zebra}, []float32{0, 1, 0, 0, 0})
	statements := 0
	s.trace = func(string) { statements++ }
	err := s.View(t.Context(), func(r brain.Reader) error {
		near, err := r.Nearest(brain.Vector{Model: "model", Values: []float32{1, 0, 0, 0, 0}}, brain.SearchQuery{Limit: 50})
		if err == nil && (len(near.Hits) != 1 || near.Hits[0].ID != zebra.ID) {
			t.Errorf("found %v, want the zebra", near.Hits)
		}
		return err
	})
	if s.trace = nil; err != nil {
		t.Fatal(err)
	}
	if most := 3; statements > most {
		t.Errorf("%d statements, want at most %d", statements, most)
	}
}
