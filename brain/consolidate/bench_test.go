package consolidate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// BenchmarkPromote promotes a thousand memories, journal and relations included.
func BenchmarkPromote(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := testlab.OpenStore(b)
		fill(b, s, 1000)
		b.StartTimer()
		rep, err := run(s, testlab.Start().Add(time.Minute))
		if err != nil || len(rep.Promoted) != 1000 {
			b.Fatalf("promoted %d, %v", len(rep.Promoted), err)
		}
	}
}

func fill(b *testing.B, s brain.Store, n int) {
	b.Helper()
	br := testlab.At(s, testlab.Start())
	for i := range n {
		c, err := br.Capture.New(brain.Source{Kind: brain.Crystallization, Trigger: fmt.Sprintf("thing %d", i), Insight: "seeded with some forty words of text that a person could have written into a note"}, brain.Details{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := br.Capture.Capture(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}
