package words

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// MaxStandIns is the maximum number of terms that are searched instead of one.
	MaxStandIns = 3
	// RunLength is the length of the runs of letters that two terms are compared by.
	RunLength = 4

	standInShare  = 0.8 // of the likeness is the weight of a stand-in
	leastLikeness = 0.4
	fairLikeness  = 0.5 // of a compound and its parts, and of a typing error, at least
	shortestPart  = 4   // letters of a part of a compound: Waage and Säure are stemmed to four
	shortestRest  = 3   // letters of the other parts
	shortestWhole = 5   // letters of a term that is compared in other ways, and of a mistyped word
	longestTyped  = 16  // letters of a mistyped word; the runs of a longer one survive an error
)

// StandIn is a term that is searched instead of one that no text has.
type StandIn struct {
	Term   string
	Weight float64 // of a match, below 1
}

// IsStandIn reports whether a term can be a stand-in: it has only the letters a to z and is
// not a stop word.
func IsStandIn(term string) bool { return letters(term) && !stopWord(term) }

// StandIns returns the terms of a vocabulary that are like a folded word, best first: the
// correct spelling of a typing error, compounds with it and their parts, and words of which
// the Dice coefficient of runs of four letters is at least 0.4.
func StandIns(word string, vocabulary []string) []StandIn {
	term, respelled := Index(word), Respelled(word)
	var like []StandIn
	for _, other := range vocabulary {
		l := likeness(term, other)
		if respelled[other] {
			l = max(l, fairLikeness)
		}
		if l >= leastLikeness && other != term {
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
	switch {
	case partOf(a, b) || partOf(b, a):
		return max(fairLikeness, dice(a, b))
	case len(a) >= shortestWhole:
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

// Respelled returns the terms of a folded word with one letter added, missing or different,
// or with two neighbours swapped; none if the word is too short or too long. A typing error
// in the word itself may change its whole term: staing has the term sta.
func Respelled(word string) map[string]bool {
	terms := map[string]bool{}
	if len(word) < shortestWhole || len(word) > longestTyped {
		return terms
	}
	add := func(parts ...string) {
		if term := termOf(strings.Join(parts, "")); !stopWord(term) {
			terms[term] = true
		}
	}
	for i := range len(word) + 1 {
		before, after := word[:i], word[i:]
		for c := 'a'; c <= 'z'; c++ {
			add(before, string(c), after)
			if after != "" {
				add(before, string(c), after[1:])
			}
		}
		if after != "" {
			add(before, after[1:])
		}
		if len(after) > 1 {
			add(before, after[1:2], after[:1], after[2:])
		}
	}
	return terms
}
