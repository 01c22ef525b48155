package similar_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/similar"
)

// writer makes texts whose words are as frequent as in English (Zipf), so that
// unrelated texts share frequent words.
type writer struct {
	rand *rand.Rand
	zipf *rand.Zipf
}

func newWriter(seed uint64) *writer {
	r := rand.New(rand.NewPCG(seed, 1))
	return &writer{r, rand.NewZipf(r, 1.05, 2.7, 30_000)}
}

func (w *writer) word() string { return spelled(w.zipf.Uint64()) }

// spelled returns a word for a number. It has five letters and more, so that most
// words share no 5-gram.
func spelled(n uint64) string {
	const letters = "bcdfghjklmnpqrstvwxz"
	var b strings.Builder
	for n = n*7919 + 100_003; n > 0; n /= 20 {
		b.WriteByte(letters[n%20])
		b.WriteByte("aeiou"[n%5])
	}
	return b.String()
}

func (w *writer) text(words int) []string {
	text := make([]string, words)
	for i := range text {
		text[i] = w.word()
	}
	return text
}

// like returns a text with some words replaced.
func (w *writer) like(text []string, replaced int) []string {
	out := slices.Clone(text)
	for _, i := range w.rand.Perm(len(out))[:replaced] {
		out[i] = spelled(40_000 + w.rand.Uint64N(1_000_000))
	}
	return out
}

// misspelt returns a text with another letter in some words, so that its 5-grams
// stay alike but not its words.
func (w *writer) misspelt(text []string, wrong int) []string {
	out := slices.Clone(text)
	for _, i := range w.rand.Perm(len(out))[:wrong] {
		out[i] = "y" + out[i][1:]
	}
	return out
}

// Of pairs at or above the threshold 99 of 100 are found, whatever makes them
// alike. Few pairs far below the threshold are.
func TestIndexFindsAlikeTexts(t *testing.T) {
	for _, least := range []float64{0.5, 0.6, 0.7, 0.85, 0.95} {
		above, found, below, looked := 0, 0, 0, 0
		for seed := range uint64(6) {
			w := newWriter(seed)
			x := similar.NewIndex(least)
			var texts []similar.Text
			add := func(words []string) {
				texts = append(texts, similar.Prepare(strings.Join(words, " ")))
				x.Add("", similar.SketchOf("", strings.Join(words, " ")))
			}
			for range 60 {
				base := w.text(5 + w.rand.IntN(60))
				add(base)
				add(w.like(base, w.rand.IntN(1+len(base)*4/10)))
				add(w.misspelt(base, w.rand.IntN(1+len(base)/2)))
			}
			pairs, err := x.Alike(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			first := distinct(x, len(texts))
			for i, a := range first {
				for _, b := range first[i+1:] {
					_, has := slices.BinarySearchFunc(pairs, similar.Pair{A: a, B: b}, comparePairs)
					switch s := texts[a].Similarity(texts[b]); {
					case s >= least:
						above++
						found += one(has)
					case s < least-0.2:
						below++
						looked += one(has)
					}
				}
			}
		}
		t.Logf("from %.2f on: %d of %d pairs found; of %d pairs more than 0.2 below, %d looked at", least, found, above, below, looked)
		if found*100 < above*99 {
			t.Errorf("from %.2f on: %d of %d pairs found, want 99 %%", least, found, above)
		}
		if looked*1000 > below {
			t.Errorf("from %.2f on: %d of %d pairs looked at that are far below, want one in 1,000", least, looked, below)
		}
	}
}

// distinct returns the numbers of the texts in an index that repeat no earlier one.
func distinct(x *similar.Index, texts int) []int {
	var first []int
	for n := range texts {
		if !slices.ContainsFunc(x.Same(), func(same []int) bool { return slices.Contains(same[1:], n) }) {
			first = append(first, n)
		}
	}
	return first
}

func comparePairs(a, b similar.Pair) int {
	return slices.Compare([]int{a.A, a.B}, []int{b.A, b.B})
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func TestIndexKeepsGroupsApart(t *testing.T) {
	x := similar.NewIndex(0.7)
	for _, group := range []string{"shop\x00note", "shop\x00decision", "blog\x00note"} {
		for _, text := range []string{"the queue is drained at night", "The queue is drained at night!", "the queues are drained at night"} {
			x.Add(group, similar.SketchOf("", text))
		}
	}
	pairs, err := x.Alike(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []similar.Pair{{A: 0, B: 2}, {A: 3, B: 5}, {A: 6, B: 8}}; !slices.Equal(pairs, want) {
		t.Errorf("pairs %v, want %v", pairs, want)
	}
	if got, want := fmt.Sprint(x.Same()), "[[0 1] [3 4] [6 7]]"; got != want {
		t.Errorf("the same texts: %s, want %s", got, want)
	}
}

// Many texts of one template cost no more than other texts, and each is still in a
// pair.
func TestIndexBoundsTexts(t *testing.T) {
	const n = 3000
	x := similar.NewIndex(0.7)
	for i := range n {
		letters := strings.Map(func(digit rune) rune { return digit + 'a' - '0' }, fmt.Sprint(i+10_000))
		x.Add("", similar.SketchOf("", fmt.Sprintf("The nightly build of the branch %s passed all of its tests", letters)))
		x.Add("numbered", similar.SketchOf("", fmt.Sprintf("The nightly build %d of the main branch passed all of its tests", i)))
	}
	pairs, err := x.Alike(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	paired := make([]bool, 2*n)
	for _, p := range pairs {
		paired[p.A], paired[p.B] = true, true
	}
	for i, is := range paired {
		if numbered := i%2 == 1; is == numbered {
			t.Fatalf("text %d, of which only the number differs %v: it is in a pair %v", i, numbered, is)
		}
	}
	if len(pairs) > n*24 {
		t.Errorf("%d pairs of %d texts", len(pairs), n)
	}
	t.Logf("%d pairs of %d texts of one template", len(pairs), n)
}

func TestIndexLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := sentences().Draw(t, "a"), sentences().Draw(t, "b")
		x, y := similar.Prepare(a), similar.Prepare(b)
		index := similar.NewIndex(0.7)
		index.Add("", similar.SketchOf("", a))
		index.Add("", similar.SketchOf("", b))
		same := x.Normalised() == y.Normalised()
		if same != (len(index.Same()) == 1) {
			t.Fatalf("%q and %q: the same %v, the index says %v", a, b, same, index.Same())
		}
		pairs, err := index.Alike(context.Background())
		if err != nil || same && len(pairs) > 0 {
			t.Fatalf("%q and %q: pairs %v, %v", a, b, pairs, err)
		}
		if !same && x.Similarity(y) == 1 && similar.Guard(x, y) == 0 && len(pairs) == 0 {
			t.Fatalf("%q and %q are alike and no pair", a, b)
		}
	})
}

func BenchmarkSketch(b *testing.B) {
	text, _ := benchPair()
	for b.Loop() {
		similar.SketchOf("", text.Normalised())
	}
}

func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		w := newWriter(7)
		sketches := make([]similar.Sketch, n)
		for i := range sketches {
			sketches[i] = similar.SketchOf("", strings.Join(w.text(45), " "))
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				x := similar.NewIndex(0.7)
				for i, s := range sketches {
					x.Add([]string{"a", "b", "c", "d", "e", "f"}[i%6], s)
				}
				if _, err := x.Alike(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
