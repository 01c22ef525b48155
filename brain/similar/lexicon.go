package similar

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// index holds what is known of words by name, a line each under the list that it belongs
// to: a term, a tab, and what the list says of it. `go test -run TestLexicon -update` makes it
// from the groups of words in lexicon.txt.
//
//go:embed lexicon_index.txt
var index string

// trait is a set of the word lists that a term is on, as bits.
type trait uint64

const (
	negation   trait = 1 << iota
	hedge            // limits what is said: almost, if, formerly
	modal            // says whether or when something is so: will, must, was
	light            // says nothing: an article, the present of to be or to have
	dateWord         // a weekday, month or the like
	nowWord          // says that something is so now
	article          // a German article; English ones are light
	general          // may be exchanged without a change of topic: big, old, use
	prefix           // may be joined to a word by a hyphen: re-use
	hyphenated       // another word when the hyphen is dropped: re-sign
	compound         // may be written as two words, as in back end
	starter          // is the first of these, or a prefix

	// The others are for claims only, which read a clause from left to right.
	link        // says that something is so; the value follows: is, use, run
	change      // says that something has become so: move, switch
	owner       // says who is responsible: own, belong
	aside       // says nothing about subject or value: decide, please
	scope       // a preposition that the subject follows: for, of
	reason      // ends what is claimed: because, since
	rejection   // precedes what does not hold: instead of
	denial      // says that something is not so: no, never
	weak        // tells subjects apart hardly ever: size, reachable
	question    // begins a question: which, is
	was         // is a form of to be in the past, as written
	toBe        // is a form of to be
	past        // is a verb in the past, as written
	environment // is part of the subject wherever it stands: staging
	doubt       // says that something may be so: perhaps
	naming      // precedes a name, as written: called
	several     // precedes one of several things: depend
	honorific   // precedes the name of a person: Mrs
	repeated    // precedes how often something happens: every
	pronoun     // may begin another clause: it
	numbered    // is told apart by the number behind it: issue
	addition    // says that something else is so as well: also
	imperative  // is a verb at the beginning of an instruction: retry
	abandoning  // precedes what no longer holds: drop
	duty        // is done by one person or team: approve
)

// lexicon holds the word lists by term.
type lexicon struct {
	traits    map[string]trait
	forms     map[string]string // base form by irregular form or other spelling
	numbers   map[string]string
	units     map[string]string
	opposites map[[2]string]bool

	// For claims only.
	synonyms map[string]string  // first of its group, by word
	kinds    map[string]string  // likewise: things of which one is used for a purpose
	topics   map[[2]string]bool // words that things of a kind are spoken of with, with the first of the kind
	aspects  map[string]string  // likewise: what of a thing is spoken of
	places   map[string]string  // likewise: the prepositions that a value follows
	polar    map[string]polarity
	values   map[string]value
	measures map[string]measure
}

// known returns the lexicon, which is made at first use.
var known = sync.OnceValue(func() *lexicon { return readLexicon(index) })

// Load makes the lexicon, which takes a millisecond and is otherwise done at first use. It
// is safe for concurrent use.
func Load() { known() }

// readLexicon reads an index. The number behind the name of a list is how many words it has.
func readLexicon(index string) *lexicon {
	l := &lexicon{}
	var add func(term, says string)
	for line := range strings.SplitSeq(strings.TrimSuffix(index, "\n"), "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			name, size, _ := strings.Cut(heading, " ")
			n, _ := strconv.Atoi(size)
			add = l.list(name, n)
			continue
		}
		term, says, _ := strings.Cut(line, "\t")
		add(term, says)
	}
	return l
}

// list makes a list for n words, and returns what adds one to it.
func (l *lexicon) list(name string, n int) (add func(term, says string)) {
	switch name {
	case "traits":
		return listed(&l.traits, n, func(says string) trait {
			bits, _ := strconv.ParseUint(says, 16, 64)
			return trait(bits)
		})
	case "opposites":
		return paired(&l.opposites, n)
	case "topics":
		return paired(&l.topics, n)
	case "polar":
		return listed(&l.polar, n, func(says string) polarity {
			word, no := strings.CutPrefix(says, "no ")
			return polarity{word, no}
		})
	case "values":
		return listed(&l.values, n, func(says string) value {
			kind, word, _ := strings.Cut(says, " ")
			return value{kind, word}
		})
	case "measures":
		return listed(&l.measures, n, func(says string) measure {
			kind, factor, _ := strings.Cut(says, " ")
			f, _ := strconv.ParseFloat(factor, 64)
			return measure{kind, f}
		})
	}
	return listed(l.named()[name], n, func(says string) string { return says })
}

// named returns the lists that give another word for each word.
func (l *lexicon) named() map[string]*map[string]string {
	return map[string]*map[string]string{
		"forms": &l.forms, "numbers": &l.numbers, "units": &l.units, "synonyms": &l.synonyms,
		"kinds": &l.kinds, "aspects": &l.aspects, "places": &l.places,
	}
}

// listed makes a list, and returns what adds a term to it.
func listed[T any](list *map[string]T, n int, read func(says string) T) func(term, says string) {
	*list = make(map[string]T, n)
	return func(term, says string) { (*list)[term] = read(says) }
}

// paired makes a list of pairs, and returns what adds one to it.
func paired(list *map[[2]string]bool, n int) func(a, b string) {
	*list = make(map[[2]string]bool, n)
	return func(a, b string) { (*list)[[2]string{a, b}] = true }
}

// joined returns terms with those joined that can be written as one word: back
// end, e-mail, re-use. It may change terms.
func joined(terms []string) []string {
	l := known()
	out := terms[:0]
	for i := 0; i < len(terms); i++ {
		term := terms[i]
		if i+1 < len(terms) {
			if whole := l.join(term, terms[i+1]); whole != "" {
				term = whole
				i++
			}
		}
		out = append(out, term)
	}
	return out
}

// join returns the term of two that can be written as one word, "" if they
// cannot.
func (l *lexicon) join(a, b string) string {
	first := l.traits[a]
	if first&starter == 0 {
		return ""
	}
	whole := l.base(words.Terms(a + b)[0])
	prefixed := first&prefix != 0 && l.traits[whole]&hyphenated == 0 && len(b) >= 3 && !words.Stop(b)
	if prefixed || l.traits[whole]&compound != 0 {
		return whole
	}
	return ""
}

// base returns the base form of a term where a stemmer does not find it: kept
// is keep, colour is color.
func base(term string) string { return known().base(term) }

func (l *lexicon) base(term string) string {
	if form, ok := l.forms[term]; ok {
		return form
	}
	return term
}

// lexeme is a base form, with the lists that it is on.
type lexeme struct {
	word  string
	lists trait
}

func lexemeOf(word string) lexeme { return lexeme{word, known().traits[word]} }

func (l lexeme) is(lists trait) bool { return l.lists&lists != 0 }

// has reports whether a base form is on one of the lists.
func has(term string, t trait) bool { return known().traits[term]&t != 0 }

// opposed reports whether a word of one text is the opposite of one of the
// other.
func opposed(a, b []string) bool {
	opposites := known().opposites
	for _, x := range a {
		for _, y := range b {
			if opposites[[2]string{x, y}] || negates(x, y) || negates(y, x) {
				return true
			}
		}
	}
	return false
}

// negates reports whether x is y with a prefix that turns it around: unsafe,
// disconnect, asynchronous.
func negates(x, y string) bool {
	x, y = strings.TrimSuffix(x, "e"), strings.TrimSuffix(y, "e") // the stem of unsafe is unsaf
	if len(y) < 3 || len(x) <= len(y) || !strings.HasSuffix(x, y) {
		return false
	}
	switch x[:len(x)-len(y)] {
	case "un", "in", "im", "ir", "il", "dis", "non", "anti", "de", "mis", "a":
		return true
	}
	return false
}
