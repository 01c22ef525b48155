package similar

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// lists holds the word lists, each under its heading. Groups of words stand between commas
// and lines. In a group of forms, numbers or units, the first word stands for the others.
//
//go:embed lexicon.txt
var lists string

// trait is a set of the word lists that a term is on, as bits.
type trait uint16

const (
	negation   trait = 1 << iota
	hedge            // limits what is said: almost, if, formerly
	modal            // says whether or when something is so: will, must, was
	light            // says nothing: an article, the present of to be or to have
	dateWord         // a weekday, month or the like
	general          // may be exchanged without a change of topic: big, old, use
	prefix           // may be joined to a word by a hyphen: re-use
	hyphenated       // another word when the hyphen is dropped: re-sign
	compound         // may be written as two words, as in back end
	starter          // is the first of these, or a prefix
)

// headings are the headings of the traits up to hyphenated, in order.
func headings() []string {
	return []string{"negations", "hedges", "modals", "light", "dates", "general", "prefixes", "hyphenated"}
}

// lexicon holds the word lists by term.
type lexicon struct {
	traits    map[string]trait
	forms     map[string]string // base form by irregular form or other spelling
	numbers   map[string]string
	units     map[string]string
	opposites map[[2]string]bool
}

// known returns the lexicon, which is made at first use. That takes some milliseconds.
var known = sync.OnceValue(func() *lexicon {
	l := &lexicon{map[string]trait{}, map[string]string{}, map[string]string{}, map[string]string{}, map[[2]string]bool{}}
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
	return l
})

// add adds a group of a list. Forms come first in the file, since all other lists have base
// forms.
func (l *lexicon) add(heading, group string) {
	fields := strings.Fields(group)
	switch heading {
	case "forms":
		terms := l.terms(group)
		for _, form := range terms {
			l.forms[form] = terms[0]
		}
	case "numbers":
		for _, name := range l.terms(strings.Join(fields[1:], " ")) {
			l.numbers[name] = fields[0]
		}
	case "units":
		for _, name := range append(l.terms(group), fields...) {
			l.units[name] = fields[0]
		}
	case "opposites": // each word left of the bar with each right of it
		left, right, _ := strings.Cut(group, "|")
		for _, a := range l.terms(left) {
			for _, b := range l.terms(right) {
				a, b := l.base(a), l.base(b)
				l.opposites[[2]string{a, b}], l.opposites[[2]string{b, a}] = true, true
			}
		}
	case "compounds":
		for _, word := range fields {
			first, second, _ := strings.Cut(word, "-")
			l.traits[l.terms(first)[0]] |= starter
			l.traits[l.terms(first + second)[0]] |= compound
		}
	default:
		t := trait(1) << slices.Index(headings(), heading)
		for _, term := range l.terms(group) {
			l.traits[l.base(term)] |= t
			if t == prefix {
				l.traits[term] |= starter
			}
		}
	}
}

// terms returns the terms of the words of a group.
func (l *lexicon) terms(group string) (terms []string) {
	for word := range strings.FieldsSeq(group) {
		terms = append(terms, words.Terms(word)...)
	}
	return terms
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
