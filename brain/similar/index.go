package similar

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// Sketch is what an [Index] keeps of a text: about five bytes for each of its characters.
type Sketch struct {
	same  xxh3.Uint128 // hash of the normalised text
	marks xxh3.Uint128 // hash of the marks that [Guard] compares
	sets  [2][]uint32  // hashes of the words and of the 5-grams, sorted, each once
}

// SketchOf returns the sketch of a named text.
func SketchOf(name, content string) Sketch {
	text := joinName(name, content)
	normalised := Normalise(text)
	var marks strings.Builder
	for _, kind := range read(text).marks {
		marks.WriteString(strings.Join(kind, "\x01") + "\x00")
	}
	return Sketch{
		same:  xxh3.HashString128(normalised),
		marks: xxh3.HashString128(marks.String()),
		sets:  [2][]uint32{set(hashTerms(text)), set(hashGrams(normalised))},
	}
}

// Index finds, among many texts, the pairs that are alike without comparing each with each.
// Texts that differ in a number, a negation or another mark that [Guard] compares are no pair,
// because nothing merges them. It is not safe for concurrent use.
type Index struct {
	least    float64
	n        int // texts
	distinct []numbered
	same     map[sameKey]int // place in distinct
}

// numbered is a text with the numbers of all texts that are the same.
type numbered struct {
	Sketch
	group   string
	numbers []int
}

type sameKey struct {
	group string
	text  xxh3.Uint128
}

// Pair holds the numbers of two texts, the lower one first.
type Pair struct{ A, B int }

const (
	// neighbours is of how many pairs with earlier texts a text is part, and maxHolders with
	// how many holders of one member it is compared, so that many texts made from one
	// template cost no more than others.
	neighbours = 24
	maxHolders = 1000
)

// NewIndex returns an empty index of pairs whose similarity is least or more. Of more than 24
// texts that are nearly the same, each is paired with some 24.
func NewIndex(least float64) *Index {
	return &Index{least: least, same: map[sameKey]int{}}
}

// Add adds a text and returns its number: 0, 1, 2, … Texts of different groups
// are never paired.
func (x *Index) Add(group string, s Sketch) int {
	key := sameKey{group, s.same}
	at, known := x.same[key]
	if !known {
		at = len(x.distinct)
		x.same[key] = at
		x.distinct = append(x.distinct, numbered{Sketch: s, group: group})
	}
	x.distinct[at].numbers = append(x.distinct[at].numbers, x.n)
	x.n++
	return x.n - 1
}

// Len returns the number of texts.
func (x *Index) Len() int { return x.n }

// Same returns the numbers of texts of one group that are the same once
// normalised, ascending, in the order of their first number.
func (x *Index) Same() (all [][]int) {
	for _, t := range x.distinct {
		if len(t.numbers) > 1 {
			all = append(all, t.numbers)
		}
	}
	return all
}

// Alike returns the pairs that are alike, in order. Of texts that are the same, see Same, only
// the first is compared.
func (x *Index) Alike(ctx context.Context) (all []Pair, err error) {
	pairs := make([]int, len(x.distinct)) // with earlier texts
	for kind := range len(Sketch{}.sets) {
		if all, err = x.alikeIn(ctx, kind, pairs, all); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return slices.Compact(all), nil
}

// alikeIn adds the pairs of which the sets of one kind are alike. With a Jaccard index of least,
// two sets share least of the members of each. So they share k of the rarest n - least·n + k
// members of each (prefix filtering), and only texts that do are compared in full.
func (x *Index) alikeIn(ctx context.Context, kind int, pairs []int, all []Pair) ([]Pair, error) {
	type key struct {
		group  string
		marks  xxh3.Uint128
		member uint32
	}
	holders := map[key][]int{} // earlier texts with a rare member
	counts, shared := x.counts(kind), make([]int, len(x.distinct))
	for b, t := range x.distinct {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		set := t.sets[kind]
		var met []int
		for _, member := range rarest(set, len(set)-x.shared(set)+sharedRare(x.shared(set)), counts) {
			k := key{t.group, t.marks, member}
			earlier := holders[k]
			for _, a := range earlier[max(0, len(earlier)-maxHolders):] {
				if shared[a]++; shared[a] == 1 {
					met = append(met, a)
				}
			}
			holders[k] = append(earlier, b)
		}
		for _, a := range met {
			other := x.distinct[a].sets[kind]
			if shared[a] >= sharedRare(min(x.shared(set), x.shared(other))) && pairs[b] < neighbours && jaccard(set, other) >= x.least {
				pairs[b]++
				all = append(all, Pair{x.distinct[a].numbers[0], t.numbers[0]})
			}
			shared[a] = 0
		}
	}
	return all, nil
}

// counts returns in how many texts each member of the sets of a kind is.
func (x *Index) counts(kind int) map[uint32]int {
	counts := map[uint32]int{}
	for _, t := range x.distinct {
		for _, member := range t.sets[kind] {
			counts[member]++
		}
	}
	return counts
}

// shared returns how many members a set shares with another one of which it is alike.
func (x *Index) shared(set []uint32) int { return int(math.Ceil(x.least*float64(len(set)) - 1e-9)) }

// sharedRare returns k for sets that share n members.
func sharedRare(n int) int { return (n + 3) / 4 }

// rarest returns the n rarest members of a set.
func rarest(set []uint32, n int, counts map[uint32]int) []uint32 {
	set = slices.SortedFunc(slices.Values(set), func(a, b uint32) int { return cmp.Or(cmp.Compare(counts[a], counts[b]), cmp.Compare(a, b)) })
	return set[:n]
}
