package similar

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/words"
)

// gramRunes is the length of the character n-grams.
const gramRunes = 5

// hash returns 32 bits of a hash. Two of the few hundred members of a text's sets
// collide in one of some ten thousand texts.
func hash(s string) uint32 { return uint32(xxh3.HashString(s)) }

// set returns the hashes sorted, without repetitions. It changes them.
func set(hashes []uint32) []uint32 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// hashTerms returns the hashes of the words of a text, in order.
func hashTerms(text string) []uint32 {
	terms := joined(words.Terms(text))
	hashes := make([]uint32, len(terms))
	for i, term := range terms {
		hashes[i] = hash(base(term))
	}
	return hashes
}

// hashGrams returns the hashes of the character n-grams of a text, in order. A
// shorter text is one n-gram.
func hashGrams(text string) []uint32 {
	if text == "" {
		return nil
	}
	starts := make([]int, 0, len(text)+1)
	for i := range text {
		starts = append(starts, i)
	}
	starts = append(starts, len(text))
	hashes := make([]uint32, 0, len(starts))
	for i := 0; i+gramRunes < len(starts); i++ {
		hashes = append(hashes, hash(text[starts[i]:starts[i+gramRunes]]))
	}
	if len(hashes) == 0 {
		hashes = append(hashes, hash(text))
	}
	return hashes
}

// jaccard returns the size of the intersection of two sorted sets over that of
// their union, 0 if both are empty.
func jaccard(a, b []uint32) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	shared := overlap(a, b)
	return float64(shared) / float64(len(a)+len(b)-shared)
}

// overlap returns how many members two sorted sets share.
func overlap(a, b []uint32) (shared int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			a, b, shared = a[1:], b[1:], shared+1
		}
	}
	return shared
}
