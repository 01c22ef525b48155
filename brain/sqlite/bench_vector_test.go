package sqlite

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

const benchDimensions = 384

// BenchmarkNearest finds the nearest of texts.
func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{10_000, 50_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b, b.TempDir()+"/brain.db", "default")
			r := rand.New(rand.NewPCG(1, 1))
			for from := 0; from < n; from += 5000 {
				embedMany(b, s, r, from, from+5000)
			}
			for b.Loop() {
				v := brain.Vector{Model: "one", Values: storetest.Unit(r, benchDimensions)}
				err := s.View(b.Context(), func(r brain.Reader) error {
					_, err := r.Nearest(v, brain.SearchQuery{Limit: 50})
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func embedMany(b *testing.B, s *Store, r *rand.Rand, from, to int) {
	b.Helper()
	var ms []brain.Memory
	var es []brain.Embedded
	for i := from; i < to; i++ {
		m := storetest.Memory(fmt.Sprint("text ", i))
		ms = append(ms, m)
		es = append(es, brain.Embedded{Passage: brain.Passage{ID: m.ID, Text: m.Indexed()}, Values: storetest.Unit(r, benchDimensions)})
	}
	err := s.Update(b.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) })
	if err == nil {
		err = s.Update(b.Context(), func(tx brain.Tx) error { return tx.PutVectors("one", es...) })
	}
	if err != nil {
		b.Fatal(err)
	}
}
