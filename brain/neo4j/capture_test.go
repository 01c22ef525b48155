package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// A capture is at most 15 statements, with the search for similar memories and with its vector.
func TestACaptureIsAFewStatements(t *testing.T) {
	s := openTest(t, "capture-"+brain.NewID())
	t.Cleanup(func() { _ = s.Update(context.WithoutCancel(t.Context()), removeAll) })
	var ms []brain.Memory
	for i := range 60 {
		ms = append(ms, storetest.Memory(fmt.Sprintf("the staging server %d of region %d listens on port %d", i, i/9, 5000+i)))
	}
	embedded := brain.Map(ms, func(m brain.Memory) brain.Embedded {
		return brain.Embedded{Passage: m.Passage(), Values: []float32{1, 0}}
	})
	for _, write := range []func(brain.Tx) error{
		func(tx brain.Tx) error { return tx.PutMemories(ms...) },
		func(tx brain.Tx) error { return tx.PutVectors("model", embedded...) },
	} {
		if err := s.Update(t.Context(), write); err != nil {
			t.Fatal(err)
		}
	}
	b := services.New(s, services.Options{})
	for _, text := range []string{"the staging server 7 of region 3 is called walrus", "x"} {
		c, err := b.Capture.New(brain.Source{Kind: brain.Learning, Concept: "learned", Learned: text}, brain.Details{})
		if err != nil {
			t.Fatal(err)
		}
		c.LookUp, c.Vector = true, brain.Vector{Model: "model", Values: []float32{1, 0}}
		var ran []string
		s.trace = func(query string) { ran = append(ran, query) }
		done, err := b.Capture.Capture(t.Context(), c)
		s.trace = nil
		if err != nil || len(done.Similar) == 0 {
			t.Errorf("%q is similar to %v, %v", text, done.Similar, err)
		}
		const most = 15
		if len(ran) > most {
			t.Errorf("%d statements, want at most %d:\n%s", len(ran), most, strings.Join(ran, "\n\n"))
		}
		if !slices.ContainsFunc(ran, func(q string) bool { return strings.Contains(q, "setNodeVectorProperty") }) {
			t.Error("the vector is not stored with it")
		}
	}
}
