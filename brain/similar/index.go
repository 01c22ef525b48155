package similar

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
)

// Index finds, among many texts, the pairs that may be alike, without comparing
// each with each: MinHash with bands (locality-sensitive hashing). It keeps
// sketches in memory, some 240 bytes a text, and no text. It is not safe for
// concurrent use.
type Index struct {
	pages  [][]Sketch
	groups []uint32 // by number
	names  map[string]uint32
	terms  family
	grams  family
}

// Pair are the numbers of two texts, the lower one first.
type Pair struct{ A, B int }

// family is one of the two sets of a sketch, and how it is looked through.
type family struct {
	from, rows int // bytes of a sketch
	width      int // rows of a band
	enough     int // rows that have to agree
}

const (
	// found is the share of pairs at the threshold that a family has to find.
	found = 0.992
	// spread is by how many standard deviations the estimate of a pair at the
	// threshold may be too low: one of 4,000 is lower.
	spread = 3.5
	// neighbours is with how many texts of a band each is compared, so that very
	// many texts made from one template cost no more than any others.
	neighbours = 50
	sketchPage = 1024
)

// NewIndex returns an empty index that finds at least 99 of 100 pairs of a
// similarity from least on, and few below 0.2 less. Of more than 50 texts that
// are nearly the same, each is paired with some 50 of them.
func NewIndex(least float64) *Index {
	return &Index{
		names: make(map[string]uint32),
		terms: newFamily(0, termRows, least),
		grams: newFamily(termRows, gramRows, least),
	}
}

// newFamily makes the bands as wide as they can be to find enough: the wider,
// the fewer pairs are looked at for nothing.
func newFamily(from, rows int, least float64) family {
	f := family{from: from, rows: rows, width: 1}
	for width := 2; width <= 16; width++ {
		bands := float64(rows / width)
		if 1-math.Pow(1-math.Pow(least, float64(width)), bands) >= found {
			f.width = width
		}
	}
	n := float64(rows)
	f.enough = int(least*n - spread*math.Sqrt(n*least*(1-least)))
	return f
}

// Add adds a text and returns its number: 0, 1, 2, …. Texts of different groups
// are never paired.
func (x *Index) Add(group string, s Sketch) int {
	g, ok := x.names[group]
	if !ok {
		g = uint32(len(x.names))
		x.names[group] = g
	}
	n := len(x.groups)
	if n%sketchPage == 0 {
		x.pages = append(x.pages, make([]Sketch, 0, sketchPage))
	}
	last := len(x.pages) - 1
	x.pages[last] = append(x.pages[last], s)
	x.groups = append(x.groups, g)
	return n
}

// Len is how many texts there are.
func (x *Index) Len() int { return len(x.groups) }

func (x *Index) at(n int) *Sketch { return &x.pages[n/sketchPage][n%sketchPage] }

// Same returns the numbers of texts that are the same once normalised, those of
// one group together, ascending; the groups in the order of their first number.
func (x *Index) Same() [][]int {
	order := make([]int, x.Len())
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(x.at(a).same, x.at(b).same), cmp.Compare(x.groups[a], x.groups[b]), cmp.Compare(a, b))
	})
	var all [][]int
	for from, to := 0, 0; from < len(order); from = to {
		first := order[from]
		for to = from + 1; to < len(order) && x.at(order[to]).same == x.at(first).same && x.groups[order[to]] == x.groups[first]; {
			to++
		}
		if to-from > 1 {
			all = append(all, slices.Clone(order[from:to]))
		}
	}
	slices.SortFunc(all, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return all
}

// Alike returns the pairs that may be alike, in order. Of texts that are the
// same, see Same, the first stands for all. It works on two goroutines, which
// have ended when it returns.
func (x *Index) Alike(ctx context.Context) ([]Pair, error) {
	numbers := x.distinct()
	var halves [2]search
	for i, b := range append(x.terms.bands(), x.grams.bands()...) {
		h := &halves[i%len(halves)]
		h.bands = append(h.bands, b)
	}
	var work sync.WaitGroup
	for i := range halves {
		work.Go(func() { halves[i].run(ctx, x, numbers) })
	}
	work.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return x.closest(slices.Concat(halves[0].found, halves[1].found)), nil
}

// search is the looking through some of the bands.
type search struct {
	bands []band
	found []match
	of    []uint8 // how many pairs each text is in
}

func (s *search) run(ctx context.Context, x *Index, numbers []int) {
	s.of = make([]uint8, x.Len())
	for i, b := range s.bands {
		if ctx.Err() != nil {
			return
		}
		s.band(x, numbers, b, s.bands[:i])
	}
}

// distinct are the numbers of texts that are the first of their kind.
func (x *Index) distinct() []int {
	again := make(map[int]bool)
	for _, same := range x.Same() {
		for _, n := range same[1:] {
			again[n] = true
		}
	}
	numbers := make([]int, 0, x.Len()-len(again))
	for n := range x.Len() {
		if !again[n] {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// match is a pair that may be alike.
type match struct {
	a, b   uint32
	agrees float32 // share of the rows of the set that agrees more
}

// closest returns the pairs in order, without those that are not among the
// neighbours most alike of either text.
func (x *Index) closest(found []match) []Pair {
	slices.SortFunc(found, func(p, q match) int {
		return cmp.Or(cmp.Compare(q.agrees, p.agrees), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	found = slices.Compact(found)
	of := make([]uint32, x.Len())
	var all []Pair
	for _, m := range found {
		if of[m.a] >= neighbours && of[m.b] >= neighbours {
			continue
		}
		of[m.a]++
		of[m.b]++
		all = append(all, Pair{int(m.a), int(m.b)})
	}
	slices.SortFunc(all, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return all
}

// band is a place in the sketches: so many bytes from there on.
type band struct{ from, width int }

func (f family) bands() []band {
	all := make([]band, f.rows/f.width)
	for i := range all {
		all[i] = band{f.from + i*f.width, f.width}
	}
	return all
}

// key is the hash of a sketch's bytes in the band.
func (b band) key(s *Sketch, group uint32) uint32 {
	key := uint64(group)
	for i := b.from; i < b.from+b.width; i++ {
		key = (key ^ s.rows[i/8]>>(i%8*8)&0xff) * 0x100000001b3 // FNV-1a
	}
	return uint32(key ^ key>>32)
}

// band finds the pairs of one group that agree in the band and as a whole, and
// in no band before.
func (s *search) band(x *Index, numbers []int, b band, before []band) {
	list := make([]uint64, len(numbers)) // the key, then the number
	for i, n := range numbers {
		list[i] = uint64(b.key(x.at(n), x.groups[n]))<<32 | uint64(n)
	}
	slices.Sort(list)
	for i, e := range list {
		for _, other := range list[i+1 : min(len(list), i+1+neighbours)] {
			if other>>32 != e>>32 {
				break
			}
			s.pair(x, uint32(e), uint32(other), before)
		}
	}
}

// pair takes a pair, unless both texts have enough of them.
func (s *search) pair(x *Index, a, b uint32, before []band) {
	if s.of[a] >= neighbours && s.of[b] >= neighbours {
		return
	}
	m, near := x.near(a, b)
	if !near || slices.ContainsFunc(before, func(o band) bool {
		return o.key(x.at(int(a)), 0) == o.key(x.at(int(b)), 0)
	}) {
		return
	}
	s.of[a], s.of[b] = min(s.of[a], neighbours)+1, min(s.of[b], neighbours)+1
	s.found = append(s.found, m)
}

// near looks whether two sketches agree in as many rows as those of texts do
// that are alike.
func (x *Index) near(a, b uint32) (match, bool) {
	if x.groups[a] != x.groups[b] {
		return match{}, false
	}
	s, z := x.at(int(a)), x.at(int(b))
	terms := agreeing(s.rows[:termBlocks], z.rows[:termBlocks])
	grams := agreeing(s.rows[termBlocks:], z.rows[termBlocks:])
	agrees := max(float32(terms)/termRows, float32(grams)/gramRows)
	return match{a, b, agrees}, terms >= x.terms.enough || grams >= x.grams.enough
}
