package sqlite

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// best merges lists and returns the n docs with the heaviest terms, highest number
// first; of equals, the newest. Docs with a weight below least are left out. all is
// false if n left out others.
func best(lists []posting, weights []float64, least float64, n int) (docs []int64, all bool) {
	groups := merge(lists)
	masks := slices.SortedFunc(maps.Keys(groups), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(sum(weights, b), sum(weights, a)), cmp.Compare(a, b))
	})
	all = true
	for _, m := range masks {
		if sum(weights, m) < least {
			break
		}
		room := n - len(docs)
		all = all && len(groups[m]) <= room
		docs = append(docs, groups[m][:min(room, len(groups[m]))]...)
	}
	slices.SortFunc(docs, func(a, b int64) int { return cmp.Compare(b, a) })
	return docs, all
}

// merge joins lists, each with the highest doc first, and groups the docs by their
// masks.
func merge(lists []posting) map[uint64][]int64 {
	groups := map[uint64][]int64{}
	heads := make([]int, len(lists))
	for {
		top := int64(-1)
		for i, l := range lists {
			if heads[i] < len(l.docs) {
				top = max(top, l.docs[heads[i]])
			}
		}
		if top < 0 {
			return groups
		}
		var mask uint64
		for i, l := range lists {
			if heads[i] < len(l.docs) && l.docs[heads[i]] == top {
				mask |= l.mask
				heads[i]++
			}
		}
		groups[mask] = append(groups[mask], top)
	}
}

// sum adds the weights of the bits of a mask.
func sum(weights []float64, mask uint64) (s float64) {
	for ; mask != 0; mask &= mask - 1 {
		s += weights[bits.TrailingZeros64(mask)]
	}
	return s
}
