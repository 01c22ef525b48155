package sqlite

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

const benchDimensions = 384

// BenchmarkCodes compares a code with those of a million texts.
func BenchmarkCodes(b *testing.B) {
	const blocks = 1_000_000 >> blockBits
	r := rand.New(rand.NewPCG(1, 1))
	c := codesRead{blocks: make([]codeBlock, blocks)}
	for i := range c.blocks {
		c.blocks[i] = codeBlock{no: int64(i), bits: make([]byte, codeSize(benchDimensions)<<blockBits)}
		for at := 0; at < len(c.blocks[i].bits); at += 8 {
			binary.LittleEndian.PutUint64(c.blocks[i].bits[at:], r.Uint64())
		}
	}
	code := encodeCode(make([]float32, benchDimensions), storetest.Unit(r, benchDimensions))
	for b.Loop() {
		c.nearest(code, rescored)
	}
}

// BenchmarkNearest finds the nearest of texts by all vectors, and by codes.
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
