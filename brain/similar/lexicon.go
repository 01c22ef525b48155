package similar

import (
	"cmp"
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// lists holds the words that need to be known by name, in groups between commas
// and lines. Under "forms", "numbers" and "units" a group begins with the word
// that the others are read as.
//
//go:embed lexicon.txt
var lists string

// stems holds the words of the lists with their terms, a line each; a word that is its
// own term stands alone. It only saves time: a word that is missing is stemmed.
// `go test -run TestStems -update` writes it anew.
//
//go:embed lexicon_stems.txt
var stems string

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
	exception   // says that a rule has an exception
)

// lexicon holds the word lists by term.
type lexicon struct {
	traits    map[string]trait
	forms     map[string]string // base form by irregular form or other spelling
	numbers   map[string]string
	units     map[string]string
	opposites map[[2]string]bool
	compounds map[string]bool // words that may be written as two, as in back end
	starts    map[string]bool // first words of compounds, and prefixes

	stems map[string]string // terms by the words of the lists, while these are read

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

// manyWords is about as many words as the longest lists have.
const manyWords = 1000

// known returns the lexicon, which is made at first use.
var known = sync.OnceValue(func() *lexicon { return newLexicon(stems) })

// newLexicon reads the lists, with the terms of their words as far as stems has them.
func newLexicon(stems string) *lexicon {
	l := &lexicon{
		stems:  make(map[string]string, 4*manyWords),
		traits: make(map[string]trait, manyWords), forms: make(map[string]string, manyWords), opposites: make(map[[2]string]bool, manyWords),
		numbers: map[string]string{}, units: map[string]string{}, polar: map[string]polarity{}, synonyms: map[string]string{}, aspects: map[string]string{}, kinds: map[string]string{}, topics: map[[2]string]bool{}, places: map[string]string{}, values: map[string]value{}, measures: map[string]measure{}, compounds: map[string]bool{}, starts: map[string]bool{},
	}
	for line := range strings.SplitSeq(stems, "\n") {
		word, term, changed := strings.Cut(line, " ")
		if !changed {
			term = word
		}
		l.stems[word] = term
	}
	heading := ""
	for line := range strings.Lines(lists) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			heading = name
			continue
		}
		for group := range strings.SplitSeq(line, ",") {
			l.add(heading, group)
		}
	}
	l.stems = nil
	return l
}

// Load makes the lexicon, which takes some milliseconds and is otherwise done at first
// use. It is safe for concurrent use.
func Load() { known() }

// terms returns the terms of the words of a list.
func (l *lexicon) terms(list string) (terms []string) {
	for word := range strings.FieldsSeq(list) {
		if term, ok := l.stems[word]; ok {
			terms = append(terms, term)
		} else {
			terms = append(terms, words.Terms(word)...)
		}
	}
	return terms
}

// add adds a group of a list. The forms come first, since all other lists hold
// base forms.
func (l *lexicon) add(heading, group string) {
	switch heading {
	case "forms":
		terms := l.terms(group)
		for _, form := range terms {
			l.forms[form] = terms[0]
		}
	case "numbers":
		number, names, _ := strings.Cut(strings.TrimSpace(group), " ")
		for _, name := range l.terms(names) {
			l.numbers[name] = number
		}
	case "units":
		fields := strings.Fields(group)
		for _, name := range append(l.terms(group), fields...) {
			l.units[name] = fields[0]
		}
	case "opposites":
		l.addOpposites(group)
	case "synonyms", "aspects", "kinds", "places", "polar", "values", "measures":
		l.addForClaims(heading, group)
	case "compounds":
		for _, word := range strings.Fields(group) {
			first, second, _ := strings.Cut(word, "-")
			l.starts[l.terms(first)[0]] = true
			l.compounds[l.terms(first + second)[0]] = true
		}
	default:
		t := traitOf(heading)
		if t&(was|past|naming|owner) != 0 {
			for _, word := range strings.Fields(group) {
				l.traits[word] |= t
			}
			return
		}
		for _, term := range l.terms(group) {
			l.traits[l.base(term)] |= t
			if t == prefix {
				l.starts[term] = true
			}
		}
	}
}

// addForClaims adds a group of a list that only claims are read with.
func (l *lexicon) addForClaims(heading, group string) {
	fields := strings.Fields(group)
	switch heading {
	case "synonyms":
		addGroup(l.synonyms, l.terms(group))
	case "aspects":
		addGroup(l.aspects, l.terms(group))
	case "kinds":
		group, topics, _ := strings.Cut(group, ":")
		kind := l.terms(group)
		addGroup(l.kinds, append(kind, strings.Fields(group)...))
		for _, word := range l.terms(topics) {
			word = l.base(word)
			l.topics[[2]string{cmp.Or(l.synonyms[word], word), kind[0]}] = true
		}
	case "places":
		addGroup(l.places, append(fields, l.terms(group)...))
	case "polar":
		yes, no, _ := strings.Cut(group, "|")
		agreeing := l.terms(yes)
		for _, term := range agreeing {
			l.polar[l.base(term)] = polarity{agreeing[0], false}
		}
		for _, term := range l.terms(no) {
			l.polar[l.base(term)] = polarity{agreeing[0], true}
		}
	case "values":
		for _, name := range fields[1:] {
			l.values[name] = value{kind: fields[0], word: fields[1]}
		}
	case "measures":
		factor, _ := strconv.ParseFloat(fields[1], 64)
		for _, name := range append(l.terms(strings.Join(fields[2:], " ")), fields[2:]...) {
			l.measures[name] = measure{fields[0], factor}
		}
	}
}

// addGroup adds the words of a group, for which the first one stands.
func addGroup(to map[string]string, group []string) {
	for _, term := range group {
		if to[term] == "" {
			to[term] = group[0]
		}
	}
}

// traitOf returns the trait of the words under a heading.
func traitOf(heading string) trait {
	names := strings.Fields("negations hedges modals light dates now articles general prefixes hyphenated " +
		"links changes owners asides scopes reasons rejections denials weak questions was be past environments doubts namings several honorifics repeated pronouns numbered additions imperatives abandonings duties exceptions")
	for i, name := range names {
		if name == heading {
			return 1 << i
		}
	}
	panic("similar: unknown list " + heading)
}

// addOpposites adds pairs of opposites: each word left of the bar with each
// right of it.
func (l *lexicon) addOpposites(group string) {
	left, right, _ := strings.Cut(group, "|")
	rights := l.terms(right)
	for _, a := range l.terms(left) {
		for _, b := range rights {
			a, b := l.base(a), l.base(b)
			l.opposites[[2]string{a, b}], l.opposites[[2]string{b, a}] = true, true
		}
	}
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
	if !l.starts[a] {
		return ""
	}
	whole := l.base(words.Terms(a + b)[0])
	prefixed := l.traits[a]&prefix != 0 && l.traits[whole]&hyphenated == 0 && len(b) >= 3 && !words.Stop(b)
	if prefixed || l.compounds[whole] {
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
