package words

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// MaxStandIns is the maximum number of terms that are searched in place of one.
	MaxStandIns = 3
	// RunLength is the length of the runs of letters that two terms are compared by.
	RunLength = 4

	standInShare  = 0.8 // of the likeness is the weight of a stand-in
	leastLikeness = 0.4
	fairLikeness  = 0.5 // of a compound and its parts, and of a typing error, at least
	shortestPart  = 4   // letters of a part of a compound: Waage and Säure are stemmed to four
	shortestRest  = 3   // letters of the other parts
	shortestWhole = 5   // letters of a term that is compared in other ways
)

// StandIn is a term that is searched in place of one that no text has.
type StandIn struct {
	Term   string
	Weight float64 // of a match, below 1
}

// HasStandIns reports whether a term can have stand-ins or be one: it has at least four
// letters, all of them a to z, and is not a stop word.
func HasStandIns(term string) bool {
	return len(term) >= shortestPart && letters(term) && !stopWord(term)
}

// StandIns returns the terms of a vocabulary that are like a term, best first: the correct
// spelling of a typing error, compounds with it and their parts, and words of which the
// Dice coefficient of runs of four letters is at least 0.4.
func StandIns(term string, vocabulary []string) []StandIn {
	var like []StandIn
	for _, other := range vocabulary {
		if l := likeness(term, other); l >= leastLikeness && other != term {
			like = append(like, StandIn{other, standInShare * l})
		}
	}
	slices.SortFunc(like, func(a, b StandIn) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(len(a.Term), len(b.Term)), cmp.Compare(a.Term, b.Term))
	})
	return slices.Compact(like)
}

// likeness returns how like two terms are, at most 1.
func likeness(a, b string) float64 {
	part, whole := partOf(a, b) || partOf(b, a), len(a) >= shortestWhole
	switch {
	case part || whole && oneEdit(a, b):
		return max(fairLikeness, dice(a, b))
	case whole:
		return dice(a, b)
	}
	return 0
}

// dice returns the Dice coefficient of the runs of two terms.
func dice(a, b string) float64 {
	shared := 0
	for i := RunLength; i <= len(b); i++ {
		if strings.Contains(a, b[i-RunLength:i]) {
			shared++
		}
	}
	return 2 * float64(shared) / float64(max(1, len(a)+len(b)-2*(RunLength-1)))
}

// partOf reports whether a compound begins or ends with a word.
func partOf(word, compound string) bool {
	return len(word) >= shortestPart && len(compound)-len(word) >= shortestRest &&
		(strings.HasPrefix(compound, word) || strings.HasSuffix(compound, word))
}

// oneEdit reports whether two terms differ by one letter more, less or other, or by two
// neighbours in the other order.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return a[i:] == b[i+1:]
	case 0:
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return i == len(a) || swapped || a[i+1:] == b[i+1:]
	}
	return false
}
