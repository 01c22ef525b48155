package storetest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func vectorCases() []testCase {
	return []testCase{
		{"texts wait for a vector until they have one, a refusal or go", vectorsPending},
		{"no transcript and nothing of the past gets a vector", vectorsOfCurrentTexts},
		{"the nearest are those with the largest cosines", vectorsNearest},
		{"the nearest pass the filter and are of the brain", vectorsFiltered},
		{"a text that changes loses its vector, and gets none for what it was", vectorsOfChangedTexts},
		{"another model replaces the first", vectorsOfAnotherModel},
		{"vectors of another dimension are refused", vectorsOfOneDimension},
	}
}

// Unit returns a random vector of unit length.
func Unit(r *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	length := 0.0
	for i := range v {
		x := r.NormFloat64()
		v[i] = float32(x)
		length += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}

// Cosine returns the cosine of two vectors of unit length.
func Cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// axis returns the unit vector along one of 8 dimensions.
func axis(no int) []float32 {
	v := make([]float32, 8)
	v[no] = 1
	return v
}

// unembedded returns the contents of the texts without a vector, in order.
func (b *db) unembedded(model string) []string {
	b.t.Helper()
	ps := view(b, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded(model, 100) })
	n := view(b, func(r brain.Reader) (brain.Vectors, error) { return r.Vectors(model) })
	if n.Without != len(ps) {
		b.t.Errorf("%d texts are counted that have no vector, and there are %d", n.Without, len(ps))
	}
	return sorted(brain.Map(ps, func(p brain.Passage) string { return p.Text.Content })...)
}

// embed gives every text that waits a vector by its content.
func (b *db) embed(model string, vectors map[string][]float32) {
	b.t.Helper()
	ps := view(b, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded(model, 100_000) })
	var es []brain.Embedded
	for _, p := range ps {
		if v, ok := vectors[p.Text.Content]; ok {
			es = append(es, brain.Embedded{Passage: p, Values: v})
		}
	}
	b.update(func(tx brain.Tx) error { return tx.PutVectors(model, es...) })
}

// nearest returns the ids of the texts that are nearest to a vector.
func (b *db) nearest(model string, v []float32, q brain.SearchQuery) ([]string, brain.Nearest) {
	b.t.Helper()
	q.Limit = cmp.Or(q.Limit, 10)
	found := view(b, func(r brain.Reader) (brain.Nearest, error) {
		return r.Nearest(brain.Vector{Model: model, Values: v}, q)
	})
	return hitIDs(found.Hits), found
}

func vectorsOfCurrentTexts(t *testing.T, b *db) {
	s := Talk(Section("d", "t.md", 1, "said"))
	m := Memory("expired", InTier(tiers.Expired))
	b.put(m, Memory("archived", InTier(tiers.ArchivedWorking)))
	b.putSections(s)
	same(t, "texts", []string{"expired"}, b.unembedded("one"))
	b.embed("one", map[string][]float32{"expired": axis(0)})
	m.Tier = tiers.Superseded
	b.putLives(m)
	if ids, _ := b.nearest("one", axis(0), brain.SearchQuery{}); len(ids) > 0 {
		t.Errorf("a superseded memory was found: %v", ids)
	}
	m.Tier = tiers.LongTerm
	b.putLives(m)
	same(t, "a memory that came back", []string{"expired"}, b.unembedded("one"))
}

func vectorsOfAnotherModel(t *testing.T, b *db) {
	b.put(Memory("zebra"), Memory("okapi"))
	b.embed("one", map[string][]float32{"zebra": axis(0), "okapi": axis(1)})
	same(t, "texts for another model", []string{"okapi", "zebra"}, b.unembedded("two"))
	b.embed("two", map[string][]float32{"zebra": {1, 0}})
	same(t, "texts after one", []string{"okapi"}, b.unembedded("two"))
	if ids, _ := b.nearest("two", []float32{1, 0}, brain.SearchQuery{}); len(ids) != 1 {
		t.Errorf("of the new model %v were found", ids)
	}
	b.nearest("one", axis(0), brain.SearchQuery{}) // an old program asks on: it may find nothing, and does not fail
	b.embed("two", map[string][]float32{"okapi": {0, 1}})
	if ids, _ := b.nearest("one", axis(0), brain.SearchQuery{}); len(ids) > 0 {
		t.Errorf("of the old model %v were found", ids)
	}
	same(t, "texts for the first model again", []string{"okapi", "zebra"}, b.unembedded("one"))
	b.embed("one", map[string][]float32{"zebra": axis(0), "okapi": axis(1)})
	if ids, _ := b.nearest("one", axis(0), brain.SearchQuery{}); len(ids) != 2 {
		t.Errorf("of the first model again %v were found", ids)
	}
}

func vectorsOfOneDimension(t *testing.T, b *db) {
	b.put(Memory("zebra"), Memory("okapi"))
	b.embed("one", map[string][]float32{"zebra": axis(0)})
	ps := view(b, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded("one", 10) })
	err := b.Update(t.Context(), func(tx brain.Tx) error {
		return tx.PutVectors("one", brain.Embedded{Passage: ps[0], Values: []float32{1, 0}})
	})
	fails(t, "a vector of another dimension", err, brain.ErrInvalid)
	if ids, _ := b.nearest("one", []float32{1, 0}, brain.SearchQuery{}); len(ids) > 0 {
		t.Errorf("found %v", ids)
	}
}

func vectorsPending(t *testing.T, b *db) {
	m, s := Memory("zebra"), Section("d", "f.md", 1, "okapi")
	b.put(m, Memory("too long"), Memory("gone"))
	b.putSections(s)
	same(t, "before", []string{"gone", "okapi", "too long", "zebra"}, b.unembedded("one"))
	same(t, "the model before", brain.Vectors{}, b.vectors(""))
	ids, _ := b.nearest("one", axis(0), brain.SearchQuery{})
	same(t, "nearest before", 0, len(ids))
	b.embed("one", map[string][]float32{"zebra": axis(0), "too long": nil, "gone": axis(3)})
	same(t, "after a refusal and two vectors", []string{"okapi"}, b.unembedded("one"))
	same(t, "the model", brain.Vectors{Model: "one"}, b.vectors(""))
	b.embed("one", map[string][]float32{"okapi": axis(1)})
	gone, _ := b.nearest("one", axis(3), brain.SearchQuery{Limit: 1})
	b.deleteMemories(gone...)
	n := b.vectors("one")
	same(t, "counts", brain.Vectors{Model: "one", With: 3}, n)
	m.Energy = 3
	b.putLives(m)
	same(t, "after a touch", []string{}, b.unembedded("one"))
	m.Version++
	b.put(m)
	b.putSections(s)
	same(t, "stored again with the same text", []string{}, b.unembedded("one"))
	ids, _ = b.nearest("one", axis(0), brain.SearchQuery{})
	same(t, "nearest", []string{m.ID, s.ID}, ids)
}

func vectorsNearest(t *testing.T, b *db) {
	r := rand.New(rand.NewPCG(1, 2))
	vectors, texts := map[string][]float32{}, map[string]string{}
	var ms []brain.Memory
	var ss []brain.Section
	for i := range 60 {
		text := "text " + strconv.Itoa(i)
		vectors[text] = Unit(r, 8)
		if i%2 == 0 {
			ms = append(ms, Memory(text))
			texts[ms[len(ms)-1].ID] = text
		} else {
			ss = append(ss, Section("d", strconv.Itoa(i), 1, text))
			texts[ss[len(ss)-1].ID] = text
		}
	}
	b.put(ms...)
	b.putSections(ss...)
	b.embed("one", vectors)
	about := func(got, want float64) bool { return math.Abs(got-want) < 1e-5 }
	for range 3 {
		asked := Unit(r, 8)
		var cosines []float64
		for _, v := range vectors {
			cosines = append(cosines, Cosine(asked, v))
		}
		slices.SortFunc(cosines, func(a, b float64) int { return cmp.Compare(b, a) })
		found, near := b.nearest("one", asked, brain.SearchQuery{})
		exact := view(b, func(r brain.Reader) (map[string]float64, error) {
			return r.Cosines(brain.Vector{Model: "one", Values: asked}, append(found, "none")...)
		})
		if len(found) != 10 || len(exact) != 10 {
			t.Fatalf("found %d texts and %d cosines, want 10", len(found), len(exact))
		}
		for i, id := range found {
			if want := Cosine(asked, vectors[texts[id]]); !about(exact[id], want) || !about(near.Hits[i].Score, cosines[i]) {
				t.Errorf("text %d: cosines %f and %f, want %f and %f", i, exact[id], near.Hits[i].Score, want, cosines[i])
			}
		}
		if want := brain.SpreadOf(cosines); !about(near.Spread.Mean, want.Mean) || !about(near.Spread.Deviation, want.Deviation) {
			t.Errorf("spread %v, want %v", near.Spread, want)
		}
	}
}

// vectorsFiltered has nearer texts in another brain, and as near ones that do not pass.
func vectorsFiltered(t *testing.T, b *db) {
	other := b.h.brain(t)
	a := Memory("a", func(m *brain.Memory) { m.Project, m.MemoryType = "atlas", "decision" })
	z, s := Memory("z"), Section("d", "f.md", 1, "s")
	b.put(a, z)
	b.putSections(s)
	other.put(Memories(30, "okapi")...)
	other.embed("one", map[string][]float32{"okapi": axis(1)})
	same(t, "texts without a vector", []string{"a", "s", "z"}, b.unembedded("one"))
	b.embed("one", map[string][]float32{"a": axis(0), "z": axis(0), "s": axis(0)})
	atlas := "atlas"
	for what, c := range map[string]struct {
		q    brain.SearchQuery
		want []string
	}{
		"all":         {brain.SearchQuery{}, []string{a.ID, z.ID, s.ID}},
		"a project":   {brain.SearchQuery{Project: &atlas, NoSections: true}, []string{a.ID}},
		"a type":      {brain.SearchQuery{Types: []string{"decision"}}, []string{a.ID}},
		"no sections": {brain.SearchQuery{NoSections: true}, []string{a.ID, z.ID}},
		"a limit":     {brain.SearchQuery{Limit: 1, Types: []string{"section"}}, []string{s.ID}},
	} {
		for _, v := range [][]float32{axis(0), axis(1)} {
			got, _ := b.nearest("one", v, c.q)
			same(t, what, sorted(c.want...), got) // ties come by id
		}
	}
}

func vectorsOfChangedTexts(t *testing.T, b *db) {
	m, gone, s := Memory("zebra"), Memory("okapi"), Section("d", "f.md", 1, "lynx")
	b.put(m, gone)
	b.putSections(s)
	ps := view(b, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded("one", 10) })
	b.embed("one", map[string][]float32{"zebra": axis(0), "okapi": axis(1), "lynx": axis(0)})
	m.Content, s.Text = "lion", "tiger"
	b.put(m)
	b.putSections(s)
	b.deleteMemories(gone.ID)
	b.update(func(tx brain.Tx) error { // of what the texts were
		return tx.PutVectors("one", brain.Map(ps, func(p brain.Passage) brain.Embedded { return brain.Embedded{Passage: p, Values: axis(0)} })...)
	})
	same(t, "texts without a vector", []string{"lion", "tiger"}, b.unembedded("one"))
	ids, _ := b.nearest("one", axis(0), brain.SearchQuery{})
	same(t, "found by the vectors of earlier texts", 0, len(ids))
	b.embed("one", map[string][]float32{"lion": axis(0)})
	for _, tier := range []tiers.Tier{tiers.Superseded, tiers.Working} { // replaced, and back by an undo
		m.Tier = tier
		b.put(m)
	}
	same(t, "texts without a vector after an undo", []string{"lion", "tiger"}, b.unembedded("one"))
	b.deleteMemories(m.ID)
	b.deleteSections(s.ID)
	same(t, "deleted texts", []string{}, b.unembedded("one"))
}

func (b *db) vectors(model string) brain.Vectors {
	b.t.Helper()
	return view(b, func(r brain.Reader) (brain.Vectors, error) { return r.Vectors(model) })
}
