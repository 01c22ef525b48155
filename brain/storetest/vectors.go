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
		{"texts wait for a vector until they have one", vectorsPending},
		{"no transcript and nothing of the past gets a vector", vectorsOfCurrentTexts},
		{"the nearest are those with the largest cosines", vectorsNearest},
		{"the nearest pass the filter", vectorsFiltered},
		{"a text that changes loses its vector", vectorsOfChangedTexts},
		{"a text that changed meanwhile gets no vector", vectorsOfStaleTexts},
		{"another model replaces the first", vectorsOfAnotherModel},
		{"vectors of another dimension are refused", vectorsOfOneDimension},
		{"brains have their own vectors", vectorsApart},
		{"a text that the model refuses waits no more", vectorsRefused},
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

func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

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
	n := view(b, func(r brain.Reader) (brain.VectorCounts, error) { return r.VectorCounts(model) })
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

func vectorsPending(t *testing.T, h harness) {
	b := h.brain(t)
	m, s := Memory("zebra"), Section("d", "f.md", 1, "okapi")
	b.put(m)
	b.putSections(s)
	same(t, "before", []string{"okapi", "zebra"}, b.unembedded("one"))
	if ids, _ := b.nearest("one", axis(0), brain.SearchQuery{}); len(ids) > 0 {
		t.Errorf("without vectors %v were found", ids)
	}
	b.embed("one", map[string][]float32{"zebra": axis(0)})
	same(t, "after one", []string{"okapi"}, b.unembedded("one"))
	b.embed("one", map[string][]float32{"okapi": axis(1)})
	same(t, "after both", []string{}, b.unembedded("one"))
	n := view(b, func(r brain.Reader) (brain.VectorCounts, error) { return r.VectorCounts("one") })
	same(t, "counts", brain.VectorCounts{With: 2}, n)
	m.Energy = 3
	b.putLives(m)
	same(t, "after a touch", []string{}, b.unembedded("one"))
}

func vectorsOfCurrentTexts(t *testing.T, h harness) {
	b := h.brain(t)
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

func vectorsNearest(t *testing.T, h harness) {
	b := h.brain(t)
	r := random()
	vectors := map[string][]float32{}
	ids := map[string]string{}
	for i := range 60 {
		text := "text " + strconv.Itoa(i)
		vectors[text] = Unit(r, 8)
		if i%2 == 0 {
			m := Memory(text)
			b.put(m)
			ids[m.ID] = text
		} else {
			s := Section("d", strconv.Itoa(i), 1, text)
			b.putSections(s)
			ids[s.ID] = text
		}
	}
	b.embed("one", vectors)
	for range 5 {
		asked := Unit(r, 8)
		var cosines []float64
		for _, v := range vectors {
			cosines = append(cosines, Cosine(asked, v))
		}
		slices.SortFunc(cosines, func(a, b float64) int { return cmp.Compare(b, a) })
		found, near := b.nearest("one", asked, brain.SearchQuery{})
		if len(found) != 10 {
			t.Fatalf("found %d texts", len(found))
		}
		exact := view(b, func(r brain.Reader) (map[string]float64, error) {
			return r.Cosines(brain.Vector{Model: "one", Values: asked}, append(found, "none")...)
		})
		for i, id := range found {
			if want := Cosine(asked, vectors[ids[id]]); math.Abs(exact[id]-want) > 1e-5 || math.Abs(near.Hits[i].Score-cosines[i]) > 1e-5 {
				t.Errorf("text %d: cosines %f and %f, want %f", i, exact[id], near.Hits[i].Score, want)
			}
		}
		want := brain.SpreadOf(cosines)
		if math.Abs(near.Spread.Mean-want.Mean) > 1e-5 || math.Abs(near.Spread.Deviation-want.Deviation) > 1e-5 || len(exact) != 10 {
			t.Errorf("spread %v, want %v; %d cosines", near.Spread, want, len(exact))
		}
	}
}

func vectorsFiltered(t *testing.T, h harness) {
	b := h.brain(t)
	a := Memory("a", func(m *brain.Memory) { m.Project, m.MemoryType = "atlas", "decision" })
	z := Memory("z")
	s := Section("d", "f.md", 1, "s")
	b.put(a, z)
	b.putSections(s)
	b.embed("one", map[string][]float32{"a": axis(0), "z": axis(0), "s": axis(0)})
	project := "atlas"
	for what, c := range map[string]struct {
		q    brain.SearchQuery
		want []string
	}{
		"a project":   {brain.SearchQuery{Project: &project, NoSections: true}, []string{a.ID}},
		"a type":      {brain.SearchQuery{Types: []string{"decision"}}, []string{a.ID}},
		"no sections": {brain.SearchQuery{NoSections: true}, []string{a.ID, z.ID}},
		"a limit":     {brain.SearchQuery{Limit: 1, Types: []string{"section"}}, []string{s.ID}},
	} {
		got, _ := b.nearest("one", axis(0), c.q)
		slices.Sort(got)
		slices.Sort(c.want)
		same(t, what, c.want, got)
	}
}

func vectorsOfChangedTexts(t *testing.T, h harness) {
	b := h.brain(t)
	m, s := Memory("zebra"), Section("d", "f.md", 1, "okapi")
	b.put(m)
	b.putSections(s)
	b.embed("one", map[string][]float32{"zebra": axis(0), "okapi": axis(0)})
	m.Content, s.Text = "lion", "tiger"
	b.put(m)
	b.putSections(s)
	same(t, "changed texts", []string{"lion", "tiger"}, b.unembedded("one"))
	if ids, _ := b.nearest("one", axis(0), brain.SearchQuery{}); len(ids) > 0 {
		t.Errorf("the vectors of earlier texts found %v", ids)
	}
	b.deleteMemories(m.ID)
	b.deleteSections(s.ID)
	same(t, "deleted texts", []string{}, b.unembedded("one"))
}

func vectorsOfStaleTexts(t *testing.T, h harness) {
	b := h.brain(t)
	m, gone := Memory("zebra"), Memory("okapi")
	b.put(m, gone)
	ps := view(b, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded("one", 10) })
	m.Content = "lion"
	b.put(m)
	b.deleteMemories(gone.ID)
	b.update(func(tx brain.Tx) error {
		return tx.PutVectors("one", brain.Embedded{Passage: ps[0], Values: axis(0)}, brain.Embedded{Passage: ps[1], Values: axis(1)})
	})
	same(t, "texts without a vector", []string{"lion"}, b.unembedded("one"))
}

func vectorsOfAnotherModel(t *testing.T, h harness) {
	b := h.brain(t)
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

func vectorsOfOneDimension(t *testing.T, h harness) {
	b := h.brain(t)
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

func vectorsApart(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	m := Memory("zebra")
	b.put(m)
	for range 30 {
		other.put(Memory("okapi"))
	}
	other.embed("one", map[string][]float32{"okapi": axis(0)})
	same(t, "texts without a vector", []string{"zebra"}, b.unembedded("one"))
	b.embed("one", map[string][]float32{"zebra": axis(1)})
	ids, _ := b.nearest("one", axis(0), brain.SearchQuery{})
	same(t, "nearest", []string{m.ID}, ids)
}

func vectorsRefused(t *testing.T, h harness) {
	b := h.brain(t)
	m, long := Memory("zebra"), Memory("okapi")
	b.put(m, long)
	if name := view(b, brain.Reader.VectorModel); name != "" {
		t.Errorf("without vectors there is the model %q", name)
	}
	b.embed("one", map[string][]float32{"zebra": axis(0), "okapi": nil})
	same(t, "texts that wait", []string{}, b.unembedded("one"))
	ids, _ := b.nearest("one", axis(0), brain.SearchQuery{})
	same(t, "nearest", []string{m.ID}, ids)
	if name := view(b, brain.Reader.VectorModel); name != "one" {
		t.Errorf("the model is %q", name)
	}
}
