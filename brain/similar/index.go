package similar

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
)

// Index finds, among many texts, the pairs that may be alike without comparing
// each with each: MinHash with bands (locality-sensitive hashing). Texts that
// differ in a number, a negation or another mark that [Guard] compares are no pair,
// because nothing merges them. It keeps a sketch of some 240 bytes of each text in
// memory. It is not safe for concurrent use.
type Index struct {
	all    []Sketch // by text number
	groups []uint32 // by text number
	names  map[string]uint32
	terms  family
	grams  family
}

// Pair holds the numbers of two texts, the lower one first.
type Pair struct{ A, B int }

// family is the part of a sketch that is made from one of the two sets of a text,
// and how it is searched.
type family struct {
	from, rows int // bytes of a sketch
	width      int // rows of a band
	enough     int // rows that have to agree
}

const (
	// recallOfBands is the share of pairs at the threshold that a family finds.
	recallOfBands = 0.992
	// deviations is by how many standard deviations the estimate of a pair at the
	// threshold may be too low; one in 4,000 is lower.
	deviations = 3.5
	// neighbours is how many texts of a band each text is compared with, so that
	// many texts made from one template cost no more than others.
	neighbours = 24
)

// NewIndex returns an empty index that finds at least 99 of 100 pairs of a
// similarity of least or more, and few of 0.2 less. Of more than 24 texts that
// are nearly the same, each is paired with some 24.
func NewIndex(least float64) *Index {
	return &Index{
		names: make(map[string]uint32),
		terms: newFamily(0, termRows, least),
		grams: newFamily(termRows, gramRows, least),
	}
}

// newFamily makes the bands as wide as they can be to find enough. The wider they
// are, the fewer pairs are compared in vain.
func newFamily(from, rows int, least float64) family {
	f := family{from: from, rows: rows, width: 1}
	for width := 2; width <= 16; width++ {
		if 1-math.Pow(1-math.Pow(least, float64(width)), float64(rows/width)) >= recallOfBands {
			f.width = width
		}
	}
	n := float64(rows)
	f.enough = int(least*n - deviations*math.Sqrt(n*least*(1-least)))
	return f
}

// Add adds a text and returns its number: 0, 1, 2, … Texts of different groups
// are never paired.
func (x *Index) Add(group string, s Sketch) int {
	g, ok := x.names[group]
	if !ok {
		g = uint32(len(x.names))
		x.names[group] = g
	}
	x.all, x.groups = append(x.all, s), append(x.groups, g)
	return x.Len() - 1
}

// Len returns the number of texts.
func (x *Index) Len() int { return len(x.groups) }

// Same returns the numbers of texts of one group that are the same once
// normalised, ascending, in the order of their first number.
func (x *Index) Same() [][]int {
	order := make([]int, x.Len())
	for n := range order {
		order[n] = n
	}
	compare := func(a, b int) int {
		return cmp.Or(cmp.Compare(x.all[a].same, x.all[b].same), cmp.Compare(x.groups[a], x.groups[b]))
	}
	slices.SortStableFunc(order, compare)
	var all [][]int
	for len(order) > 0 {
		n := 1
		for n < len(order) && compare(order[0], order[n]) == 0 {
			n++
		}
		if n > 1 {
			all = append(all, slices.Clone(order[:n]))
		}
		order = order[n:]
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// Alike returns the pairs that may be alike, in order. Of texts that are the
// same, see Same, only the first is compared. It works on two goroutines, which
// have ended when it returns.
func (x *Index) Alike(ctx context.Context) ([]Pair, error) {
	numbers := x.distinct()
	var halves [2]search
	for i, b := range append(x.terms.bands(), x.grams.bands()...) {
		half := &halves[i%len(halves)]
		half.bands = append(half.bands, b)
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

// distinct returns the numbers of texts without repetitions of an earlier text.
func (x *Index) distinct() []uint32 {
	repeated := make(map[int]bool)
	for _, same := range x.Same() {
		for _, n := range same[1:] {
			repeated[n] = true
		}
	}
	var numbers []uint32
	for n := range x.Len() {
		if !repeated[n] {
			numbers = append(numbers, uint32(n))
		}
	}
	return numbers
}

// match is a pair that may be alike.
type match struct {
	a, b   uint32
	agrees float32 // share of rows that agree, in the family where that is more
}

// closest returns the pairs in order, without those that are among the closest
// neighbours of neither text.
func (x *Index) closest(found []match) []Pair {
	slices.SortFunc(found, func(p, q match) int {
		return cmp.Or(cmp.Compare(q.agrees, p.agrees), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	pairs := make([]uint32, x.Len()) // by text
	var all []Pair
	for _, m := range slices.Compact(found) {
		if pairs[m.a] >= neighbours && pairs[m.b] >= neighbours {
			continue
		}
		pairs[m.a]++
		pairs[m.b]++
		all = append(all, Pair{int(m.a), int(m.b)})
	}
	slices.SortFunc(all, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return all
}

// band is a range of bytes of the sketches.
type band struct{ from, width int }

func (f family) bands() []band {
	all := make([]band, f.rows/f.width)
	for i := range all {
		all[i] = band{f.from + i*f.width, f.width}
	}
	return all
}

// key returns the hash of a sketch's bytes in the band.
func (b band) key(s *Sketch, group uint32) uint32 {
	key := uint64(group) ^ s.marks
	for i := b.from; i < b.from+b.width; i++ {
		key = (key ^ s.rows[i/8]>>(i%8*8)&0xff) * 0x100000001b3 // FNV-1a
	}
	return uint32(key ^ key>>32)
}

// search looks for pairs in some of the bands.
type search struct {
	bands []band
	found []match
	pairs []uint8 // how many pairs each text is in, at most neighbours+1
}

func (s *search) run(ctx context.Context, x *Index, numbers []uint32) {
	s.pairs = make([]uint8, x.Len())
	for i, b := range s.bands {
		if ctx.Err() != nil {
			return
		}
		s.searchBand(x, numbers, b, s.bands[:i])
	}
}

// searchBand finds the pairs of one group that agree in a band and as a whole,
// and in no earlier band.
func (s *search) searchBand(x *Index, numbers []uint32, b band, earlier []band) {
	list := make([]uint64, len(numbers)) // the key, then the number
	for i, n := range numbers {
		list[i] = uint64(b.key(&x.all[n], x.groups[n]))<<32 | uint64(n)
	}
	slices.Sort(list)
	for i, e := range list {
		for _, other := range list[i+1 : min(len(list), i+1+neighbours)] {
			if other>>32 != e>>32 {
				break
			}
			s.addPair(x, uint32(e), uint32(other), earlier)
		}
	}
}

// addPair adds a pair if its sketches agree, unless both texts have enough pairs.
func (s *search) addPair(x *Index, a, b uint32, earlier []band) {
	if s.pairs[a] >= neighbours && s.pairs[b] >= neighbours {
		return
	}
	m, ok := x.match(a, b)
	if !ok || slices.ContainsFunc(earlier, func(e band) bool { return e.key(&x.all[a], 0) == e.key(&x.all[b], 0) }) {
		return
	}
	s.pairs[a], s.pairs[b] = min(s.pairs[a], neighbours)+1, min(s.pairs[b], neighbours)+1
	s.found = append(s.found, m)
}

// match reports whether two sketches of one group and the same marks agree in as many rows as those
// of alike texts do.
func (x *Index) match(a, b uint32) (match, bool) {
	s, z := &x.all[a], &x.all[b]
	if x.groups[a] != x.groups[b] || s.marks != z.marks {
		return match{}, false
	}
	terms := agreeing(s.rows[:termBlocks], z.rows[:termBlocks])
	grams := agreeing(s.rows[termBlocks:], z.rows[termBlocks:])
	agrees := max(float32(terms)/termRows, float32(grams)/gramRows)
	return match{a, b, agrees}, terms >= x.terms.enough || grams >= x.grams.enough
}
