package similar

import (
	"slices"

	"github.com/zeebo/xxh3"
)

// gramRunes is the length of the character n-grams.
const gramRunes = 5

// hash returns 32 bits of a hash: half the memory of a whole one, and two of the
// few hundred members of a text's sets collide once in some ten thousand texts.
func hash(s string) uint32 { return uint32(xxh3.HashString(s)) }

// hashTerms returns the set of terms as sorted hashes.
func hashTerms(terms []string) []uint32 {
	set := make([]uint32, len(terms))
	for i, term := range terms {
		set[i] = hash(base(term))
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// hashGrams returns the set of runs of gramRunes characters as sorted hashes.
// A shorter text is one run.
func hashGrams(text string) []uint32 {
	if text == "" {
		return nil
	}
	starts := make([]int, 0, len(text)+1)
	for i := range text {
		starts = append(starts, i)
	}
	starts = append(starts, len(text))
	set := make([]uint32, 0, len(starts))
	for i := 0; i+gramRunes < len(starts); i++ {
		set = append(set, hash(text[starts[i]:starts[i+gramRunes]]))
	}
	if len(set) == 0 {
		set = append(set, hash(text))
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// jaccard returns the size of the intersection of two sorted sets over that of
// their union, 0 if both are empty.
func jaccard(a, b []uint32) float64 {
	shared := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		if x == y {
			shared++
		}
		// Both steps without a branch that the processor would mispredict.
		i += step(x <= y)
		j += step(y <= x)
	}
	union := len(a) + len(b) - shared
	if union == 0 {
		return 0
	}
	return float64(shared) / float64(union)
}

func step(forward bool) int {
	if forward {
		return 1
	}
	return 0
}
