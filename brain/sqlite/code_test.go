package sqlite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

const codedDimensions = 96

// embedAll gives memories with these numbers random vectors, around a mean that is not zero.
func embedAll(t *testing.T, s *Store, r *rand.Rand, from, to int) map[string][]float32 {
	t.Helper()
	var es []brain.Embedded
	vectors := map[string][]float32{}
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		for i := from; i < to; i++ {
			m := storetest.Memory(fmt.Sprint("text ", i), func(m *brain.Memory) { m.ID = fmt.Sprintf("m%05d", i) })
			if err := tx.PutMemories(m); err != nil {
				return err
			}
			v := storetest.Unit(r, codedDimensions)
			v[0] += 0.5
			es = append(es, brain.Embedded{Passage: brain.Passage{ID: m.ID, Text: m.Indexed()}, Values: v})
			vectors[m.ID] = v
		}
		return nil
	})
	if err == nil {
		err = s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutVectors("one", es...) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// With many vectors a search compares their codes first. It still finds nearly all of the
// nearest, also those that were stored after the codes were made, and in another process.
func TestCodesFindTheNearest(t *testing.T) {
	path := t.TempDir() + "/brain.db"
	s := open(t, path, "default")
	s.exact = 100
	r := rand.New(rand.NewPCG(3, 4))
	vectors := embedAll(t, s, r, 0, 300)
	check := func(s *Store, what string) {
		found := 0
		for range 20 {
			v := storetest.Unit(r, codedDimensions)
			var near brain.Nearest
			err := s.View(t.Context(), func(r brain.Reader) (err error) {
				near, err = r.Nearest(brain.Vector{Model: "one", Values: v}, brain.SearchQuery{Limit: 10})
				return err
			})
			if err != nil || len(near.Hits) != 10 || near.Spread.Deviation < 0.05 || near.Spread.Deviation > 0.2 {
				t.Fatalf("%s: %d hits, deviation %f, %v", what, len(near.Hits), near.Spread.Deviation, err)
			}
			all := make([]float64, 0, len(vectors))
			for _, w := range vectors {
				all = append(all, storetest.Cosine(v, w))
			}
			slices.Sort(all)
			tenth := all[len(all)-10]
			for _, h := range near.Hits {
				if storetest.Cosine(v, vectors[h.ID]) >= tenth-1e-6 {
					found++
				}
			}
		}
		if found < 150 { // these have no structure, which is the hardest case
			t.Errorf("%s: %d of the 200 nearest were found", what, found)
		}
	}
	check(s, "made at once")
	other := open(t, path, "default")
	check(other, "in another process")
	for _, to := range []int{700, 5000, 5400} { // added, made again for nine times as many, added
		for id, v := range embedAll(t, s, r, len(vectors), to) {
			vectors[id] = v
		}
		check(s, fmt.Sprintf("of %d", to))
		check(other, fmt.Sprintf("of %d, in the other process", to))
	}
	var gone []string
	for id := range vectors {
		if len(vectors) > 50 {
			gone = append(gone, id)
			delete(vectors, id)
		}
	}
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.DeleteNodes(gone...) }); err != nil {
		t.Fatal(err)
	}
	check(s, "after most are deleted")
}

func TestCodesOfAnEmptyPlaceAreNotFound(t *testing.T) {
	b := codeBlock{no: 3, bits: make([]byte, 8<<blockBits)}
	b.bits[7*8] = 0b1011
	if docs := nearestCodes([]codeBlock{b}, make([]byte, 8), 10, nil); !slices.Equal(docs, []int64{3<<blockBits | 7}) {
		t.Errorf("found %v", docs)
	}
}

// A filter chooses the texts before their codes are compared: no more vectors are read for a type
// that few texts have, and the nearest of it are found however many others are nearer.
func TestCodesOfAFilterAreThoseThatPass(t *testing.T) {
	s := open(t, t.TempDir()+"/brain.db", "default")
	s.exact = 100
	r := rand.New(rand.NewPCG(5, 6))
	embedAll(t, s, r, 0, 3000)
	v, rare := storetest.Unit(r, codedDimensions), map[string]bool{}
	var ms []brain.Memory
	var es []brain.Embedded
	for i := range 20 {
		m := storetest.Memory(fmt.Sprint("rare ", i), func(m *brain.Memory) { m.MemoryType = "preference" })
		away := brain.Map(v, func(x float32) float32 { return -x })
		ms, rare[m.ID] = append(ms, m), true
		es = append(es, brain.Embedded{Passage: m.Passage(), Values: away})
	}
	for _, write := range []func(brain.Tx) error{
		func(tx brain.Tx) error { return tx.PutMemories(ms...) },
		func(tx brain.Tx) error { return tx.PutVectors("one", es...) },
	} {
		if err := s.Update(t.Context(), write); err != nil {
			t.Fatal(err)
		}
	}
	err := s.View(t.Context(), func(reader brain.Reader) error {
		q := brain.SearchQuery{Types: []string{"preference"}, Limit: 10}
		near, err := reader.Nearest(brain.Vector{Model: "one", Values: v}, q)
		for _, h := range near.Hits {
			if !rare[h.ID] {
				t.Errorf("found %v, which does not pass", h)
			}
		}
		if len(near.Hits) != 10 {
			t.Errorf("found %d, want 10", len(near.Hits))
		}
		x, ok := reader.(*tx)
		if !ok {
			t.Fatalf("the reader is a %T", reader)
		}
		passing, passErr := x.passing(q)
		if len(passing) != 20 {
			t.Errorf("%d texts pass, want 20", len(passing))
		}
		return errors.Join(err, passErr)
	})
	if err != nil {
		t.Fatal(err)
	}
}
