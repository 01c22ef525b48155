package sqlite

import (
	"cmp"
	"math/bits"
	"slices"
)

// candidate is a doc with the sum of the weights of the terms that it is known
// to hold.
type candidate struct {
	doc    int64
	weight float64
}

// best merges lists of docs and returns the n docs with the heaviest terms,
// of equals the newest. all is false when some had to be left out.
func best(lists []posting, weights []float64, n int) (docs []int64, all bool) {
	found := merge(lists, weights)
	all = len(found) <= n
	if !all {
		slices.SortFunc(found, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.doc, a.doc))
		})
		found = found[:n]
		slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(b.doc, a.doc) })
	}
	docs = make([]int64, len(found))
	for i, c := range found {
		docs[i] = c.doc
	}
	return docs, all
}

// merge joins lists, each with the highest doc first, into one.
func merge(lists []posting, weights []float64) []candidate {
	total := 0
	for _, l := range lists {
		total += len(l.docs)
	}
	out := make([]candidate, 0, total)
	heads := make([]int, len(lists))
	for {
		top := int64(-1)
		for i, l := range lists {
			if heads[i] < len(l.docs) {
				top = max(top, l.docs[heads[i]])
			}
		}
		if top < 0 {
			return out
		}
		var mask uint64
		for i, l := range lists {
			if heads[i] < len(l.docs) && l.docs[heads[i]] == top {
				mask |= l.mask
				heads[i]++
			}
		}
		out = append(out, candidate{top, sum(weights, mask)})
	}
}

func sum(weights []float64, mask uint64) (s float64) {
	for ; mask != 0; mask &= mask - 1 {
		s += weights[bits.TrailingZeros64(mask)]
	}
	return s
}
