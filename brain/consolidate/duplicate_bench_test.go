package consolidate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// BenchmarkAll compares all of 20,000 memories, of which one in a hundred is
// nearly the same as another, in a dry run.
func BenchmarkAll(b *testing.B) {
	s := testlab.OpenStore(b)
	random := rand.New(rand.NewPCG(1, 2))
	fillTexts(b, s, random, 20_000)
	for b.Loop() {
		if rep := deduped(b, s, consolidate.DuplicateOptions{Alike: similar.Defaults().Alike}, dry); rep.Merged == 0 {
			b.Fatalf("%+v", rep.Figures)
		}
	}
}

// BenchmarkTenNew looks for ten new memories among 20,000.
func BenchmarkTenNew(b *testing.B) {
	s := testlab.OpenStore(b)
	random := rand.New(rand.NewPCG(1, 2))
	fillTexts(b, s, random, 20_000)
	deduped(b, s, consolidate.DuplicateOptions{})
	deduped(b, s, consolidate.DuplicateOptions{}) // what the first run kept is new to the second
	for b.Loop() {
		b.StopTimer()
		fillTexts(b, s, random, 10)
		b.StartTimer()
		if rep := deduped(b, s, consolidate.DuplicateOptions{}, func(r *consolidate.Request) { r.ByPerson = false }); rep.Analysed < 10 {
			b.Fatalf("%+v", rep.Figures)
		}
	}
}

// fillTexts stores n memories of some thirty words; one in a hundred has one word
// more than the one before.
func fillTexts(b *testing.B, s brain.Store, random *rand.Rand, n int) {
	b.Helper()
	var ms []brain.Memory
	last := ""
	for i := range n {
		text := last + " again"
		if i%100 != 1 {
			words := make([]string, 30)
			for k := range words {
				words[k] = fmt.Sprintf("w%c%c%c", 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(8))
			}
			text = strings.Join(words, " ")
		}
		last = text
		m := storetest.Memory(text)
		m.Name = text[:40]
		m.NameKey, m.ContentHash = brain.NameKey(m.Name), brain.Hash(m.Name, m.Content)
		if ms = append(ms, m); len(ms) == 1000 || i == n-1 {
			if err := s.Update(b.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
				b.Fatal(err)
			}
			ms = nil
		}
	}
}
