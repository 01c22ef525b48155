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
	type block struct {
		group string
		marks xxh3.Uint128
	}
	blocks := map[block][]int{}
	for i, t := range x.distinct {
		b := block{t.group, t.marks}
		blocks[b] = append(blocks[b], i)
	}
	s := alikeSearch{x, make([]int, len(x.distinct)), make([]int, len(x.distinct)), nil}
	for _, places := range blocks {
		for kind := range len(Sketch{}.sets) {
			if err := s.run(ctx, places, kind); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(s.found, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return slices.Compact(s.found), nil
}

// alikeSearch looks for alike texts among those that may be.
type alikeSearch struct {
	*Index
	pairs  []int // of each text with earlier ones
	shared []int // rare members that each text shares with the present one
	found  []Pair
}

// run adds the pairs of which the sets of one kind are alike. With a Jaccard index of least,
// two sets share least of the members of each. So they share k of the rarest n - least·n + k
// members of each (prefix filtering), and only texts that do are compared in full.
func (s *alikeSearch) run(ctx context.Context, places []int, kind int) error {
	counts := s.counts(places, kind)
	holders := map[uint32][]int{} // earlier texts with a rare member
	for _, b := range places {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		set := s.distinct[b].sets[kind]
		var met []int
		for _, member := range rarest(set, len(set)-s.toShare(set)+sharedRare(s.toShare(set)), counts) {
			earlier := holders[member]
			for _, a := range earlier[max(0, len(earlier)-maxHolders):] {
				if s.shared[a]++; s.shared[a] == 1 {
					met = append(met, a)
				}
			}
			holders[member] = append(earlier, b)
		}
		for _, a := range met {
			other := s.distinct[a].sets[kind]
			few := sharedRare(min(s.toShare(set), s.toShare(other)))
			if s.shared[a] >= few && s.pairs[b] < neighbours && jaccard(set, other) >= s.least {
				s.pairs[b]++
				s.found = append(s.found, Pair{s.distinct[a].numbers[0], s.distinct[b].numbers[0]})
			}
			s.shared[a] = 0
		}
	}
	return nil
}

// counts returns in how many of the texts each member of the sets of a kind is.
func (x *Index) counts(places []int, kind int) map[uint32]uint64 {
	counts := map[uint32]uint64{}
	for _, i := range places {
		for _, member := range x.distinct[i].sets[kind] {
			counts[member]++
		}
	}
	return counts
}

// toShare returns how many members a set shares with another one of which it is alike.
func (x *Index) toShare(set []uint32) int { return int(math.Ceil(x.least*float64(len(set)) - 1e-9)) }

// sharedRare returns k for sets that share n members.
func sharedRare(n int) int { return (n + 3) / 4 }

// rarest returns the n rarest members of a set.
func rarest(set []uint32, n int, counts map[uint32]uint64) []uint32 {
	ranked := make([]uint64, len(set)) // by count, then by member
	for i, member := range set {
		ranked[i] = counts[member]<<32 | uint64(member)
	}
	slices.Sort(ranked)
	members := make([]uint32, n)
	for i := range members {
		members[i] = uint32(ranked[i])
	}
	return members
}
