package similar

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// wordLists holds the words that the guard knows: a heading a list, see
// lexicon.txt.
//
//go:embed lexicon.txt
var wordLists string

// lexicon holds the word lists, stemmed as the texts are.
type lexicon struct {
	negations map[string]bool
	hedges    map[string]bool // words that limit what is said: almost, if, formerly
	dates     map[string]bool
	numbers   map[string]string
	opposites map[[2]string]bool
	qualities map[string]bool
}

// allWords returns the lexicon, made at the first use.
var allWords = sync.OnceValue(func() *lexicon {
	l := &lexicon{
		negations: make(map[string]bool), hedges: make(map[string]bool), dates: make(map[string]bool),
		numbers: make(map[string]string), opposites: make(map[[2]string]bool),
		qualities: make(map[string]bool),
	}
	list := ""
	for line := range strings.Lines(wordLists) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			list = name
		} else if line != "" {
			l.take(list, line)
		}
	}
	return l
})

// take takes a line of a list.
func (l *lexicon) take(list, line string) {
	switch list {
	case "negations":
		for _, term := range words.Terms(line) {
			l.negations[term] = true
		}
	case "hedges":
		for _, term := range words.Terms(line) {
			l.hedges[base(term)] = true
		}
	case "dates":
		for _, term := range words.Terms(line) {
			l.dates[term] = true
		}
	case "numbers":
		number, names, _ := strings.Cut(line, " ")
		for _, term := range words.Terms(names) {
			l.numbers[term] = number
		}
	case "qualities":
		for _, term := range words.Terms(line) {
			l.qualities[base(term)] = true
		}
	case "opposites":
		l.oppose(line)
	}
}

// oppose takes pairs of opposites: each word left of the bar and each right of
// it.
func (l *lexicon) oppose(line string) {
	left, right, _ := strings.Cut(line, "|")
	for _, a := range words.Terms(left) {
		for _, b := range words.Terms(right) {
			a, b := base(a), base(b)
			l.opposites[[2]string{a, b}] = true
			l.opposites[[2]string{b, a}] = true
		}
	}
}

// opposed reports whether a word of one text is the opposite of one of the
// other.
func opposed(a, b []string) bool {
	l := allWords()
	for _, x := range a {
		for _, y := range b {
			if l.opposites[[2]string{x, y}] || negates(x, y) || negates(y, x) {
				return true
			}
		}
	}
	return false
}

// negates holds for a word that is another with a prefix that turns it around:
// unsafe, disconnect, asynchronous.
func negates(x, y string) bool {
	x, y = strings.TrimSuffix(x, "e"), strings.TrimSuffix(y, "e") // unsaf is un and safe
	if len(y) < 3 || len(x) <= len(y) || !strings.HasSuffix(x, y) {
		return false
	}
	switch x[:len(x)-len(y)] {
	case "un", "in", "im", "ir", "il", "dis", "non", "anti", "de", "mis", "a":
		return true
	}
	return false
}

// sameWord returns the word that stands for a function word of the same weight,
// and "" for a light one, which says nothing: an article, a present form of to
// be or to have. Prepositions, conjunctions, modal verbs and the past count.
func sameWord(term string) string {
	switch term = base(term); term {
	case "a", "an", "the", "this", "that", "these", "those", "is", "be", "been", "being", "does", "doing", "has", "having",
		"so", "very", "just", "also", "too", "please", "there", "here", "then", "of",
		"it", "its", "itself", "their", "themselves":
		return ""
	case "me", "my", "mine", "myself":
		return "i"
	case "us", "our", "ours", "ourselves":
		return "we"
	case "your", "yours", "yourself", "yourselves":
		return "you"
	case "him", "his", "himself":
		return "he"
	case "her", "hers", "herself":
		return "she"
	case "them", "theirs":
		return "they"
	}
	return term
}

// modal holds for verbs that say whether, or when, something holds: a text that
// has one more says something else.
func modal(term string) bool {
	switch term {
	case "was", "did", "had", "will", "would", "must", "shall", "should", "may", "might", "could", "can", "former":
		return true
	}
	return false
}

// auxiliary holds for verbs that follow the subject of a sentence.
func auxiliary(word string) bool {
	switch word {
	case "is", "was", "has", "had", "will", "would", "can", "could", "must", "may", "should", "did", "does", "said",
		"wrote", "owned", "joined", "left", "took", "made", "and":
		return true
	}
	return false
}
