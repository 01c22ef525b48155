package extract

import (
	"slices"
	"strings"
)

// A phrase is a sequence of words to find in a sentence:
//
//	a|b    one of several words       Name   a capitalized word that may be a name
//	a|b?   may be missing             N      a word with a digit
//	!a|b   must not come next         Code   an identifier, a path or a passage in backticks
//	*      any word                   ^      the beginning of the sentence
//	...    up to five words           $      its end
//	                                  Doing  a word that ends in -ing
//
// All but "..." can be alternatives of each other. Contractions are two words: we 've,
// do n't. A comma, a semicolon and a colon count as words.
type phrase []element

type element struct {
	words    map[string]bool
	bits     uint64 // of the words, see [bitOf]
	special  special
	marks    bool // some of the words are punctuation
	optional bool
	not      bool
}

// bitOf returns a bit by which most words are told apart without a look into a map.
func bitOf(word string) uint64 {
	return 1 << ((int(word[0])*5 + int(word[len(word)-1])*3 + len(word)*11) % 64)
}

type special uint8

// In the order of specialOf.
const (
	anyWord special = 1 << iota
	gap
	capital
	number
	code
	doing
	beginning
	end
)

// specialOf returns what a word of a phrase stands for, 0 for itself.
func specialOf(word string) special {
	if i := slices.Index([]string{"*", "...", "Name", "N", "Code", "Doing", "^", "$"}, word); i >= 0 {
		return 1 << i
	}
	return 0
}

// maxGap is the maximum number of words that "..." matches.
const maxGap = 5

// parsePhrase reads a phrase, each element with parse. It returns none if no word is required.
func parsePhrase(text string, parse func(field string) element) phrase {
	p := make(phrase, 0, 1+strings.Count(text, " "))
	required := false
	for field := range strings.FieldsSeq(text) {
		e := parse(field)
		required = required || !e.optional && !e.not && e.special&^(number|code|capital|doing) == 0 && (len(e.words) > 0 || e.special != 0)
		p = append(p, e)
	}
	if !required {
		return nil
	}
	return p
}

func parseElement(field string) element {
	e := element{words: make(map[string]bool, 1+strings.Count(field, "|"))}
	if len(field) > 1 {
		field, e.optional = strings.CutSuffix(field, "?")
		field, e.not = strings.CutPrefix(field, "!")
	}
	for word := range strings.SplitSeq(field, "|") {
		if one := specialOf(word); one != 0 {
			e.special |= one
		} else if word != "" {
			word = foldWord(word)
			e.words[word] = true
			e.bits |= bitOf(word)
			e.marks = e.marks || len(word) == 1 && !startsWord(word)
		}
	}
	return e
}

// match reports whether the phrase begins at tokens[at], and returns the index of the
// token after its end. start is the first token that is not a filler.
func (p phrase) match(tokens []token, at, start int) (int, bool) {
	for i := range p {
		e, rest := &p[i], p[i+1:]
		if e.special&gap != 0 {
			return rest.matchAfterGap(tokens, at, start)
		}
		n, taken := e.take(tokens, at, start)
		switch {
		case e.optional:
			if end, ok := rest.match(tokens, at+n, start); taken && ok {
				return end, true
			}
		case taken == e.not:
			return 0, false
		case !e.not:
			at += n
		}
	}
	return at, true
}

func (p phrase) matchAfterGap(tokens []token, at, start int) (int, bool) {
	for skip := 0; skip <= maxGap && at+skip <= len(tokens); skip++ {
		if end, ok := p.match(tokens, at+skip, start); ok {
			return end, true
		}
	}
	return 0, false
}

// take reports whether the element is at tokens[at], and how many tokens it takes: 0 or 1.
func (e *element) take(tokens []token, at, start int) (n int, ok bool) {
	if e.special&beginning != 0 && at == start || e.special&end != 0 && at == len(tokens) {
		return 0, true
	}
	if at >= len(tokens) {
		return 0, false
	}
	t := tokens[at]
	if e.special&anyWord != 0 || e.special&number != 0 && t.digit || e.special&code != 0 && t.code ||
		e.special&capital != 0 && t.name || e.special&doing != 0 && len(t.word) > 5 && strings.HasSuffix(t.word, "ing") ||
		e.bits&t.bit != 0 && e.words[t.word] {
		return 1, true
	}
	return 0, t.before != 0 && e.marks && e.words[string([]byte{t.before})]
}

// lexicon finds phrases in sentences. Most are looked up by the first word that is not "*".
type lexicon struct {
	byWord map[string][]entry // or by the mark before a word, Name, N or Code
	first  []entry            // others that begin at the beginning of a sentence
	others []entry
}

// entry is the part of a phrase that is not looked up, and what it belongs to.
type entry struct {
	phrase phrase
	bits   uint64 // the token that the part begins with has one of them
	owner  int
	after  int8 // tokens from the one looked up to the part
	before int8 // tokens of the phrase before the one looked up
	first  bool // the phrase begins at the beginning of a sentence
}

// anyBits are the bits of a phrase that may begin with any token, or with none.
const anyBits = ^uint64(0)

// firstBits returns the bits of the words that the phrase may begin with.
func (p phrase) firstBits() uint64 {
	switch {
	case len(p) == 0 || p[0].special != 0 || p[0].not || p[0].marks:
		return anyBits
	case p[0].optional:
		return p[0].bits | p[1:].firstBits()
	}
	return p[0].bits
}

func (l *lexicon) add(p phrase, owner int) {
	e := entry{first: len(p) > 1 && p[0].special == beginning, owner: owner}
	if e.first {
		p = p[1:]
	}
	all := p
	for len(p) > 1 && p[0].special == anyWord && !p[0].optional && !p[0].not {
		p = p[1:]
		e.before++
	}
	head := p[0]
	if head.optional || head.not || head.special&^(capital|number|code) != 0 {
		e.phrase, e.bits, e.before = all, all.firstBits(), 0
		if e.first {
			l.first = append(l.first, e)
		} else {
			l.others = append(l.others, e)
		}
		return
	}
	e.phrase, e.bits, e.after = p[1:], p[1:].firstBits(), 1
	for _, special := range []string{"Name", "N", "Code"} {
		if head.special&specialOf(special) != 0 {
			l.byWord[special] = append(l.byWord[special], e)
		}
	}
	for w := range head.words {
		one := e
		if len(w) == 1 && !startsWord(w) {
			one.phrase, one.bits, one.after = p, anyBits, 0
		}
		l.byWord[w] = append(l.byWord[w], one)
	}
}

// match reports whether the phrase of the entry, which was looked up by tokens[at], is in a
// sentence, outside of quotation marks.
func (e *entry) match(tokens []token, at, start int) bool {
	begin, next := at-int(e.before), at+int(e.after)
	switch {
	case e.first && begin != start, begin < 0, tokens[begin].quoted:
		return false
	case e.bits != anyBits && (next == len(tokens) || e.bits&tokens[next].bit == 0):
		return false
	}
	_, ok := e.phrase.match(tokens, next, start)
	return ok
}

// find sets found of each owner of which a phrase is in a sentence. start is the first token
// that is not a filler.
func (l *lexicon) find(tokens []token, start int, found []bool) {
	for at := range tokens {
		try := func(entries []entry) {
			for i := range entries {
				e := &entries[i]
				found[e.owner] = found[e.owner] || e.match(tokens, at, start)
			}
		}
		t := &tokens[at]
		try(l.byWord[t.word])
		if t.before != 0 {
			try(l.byWord[string(t.before)])
		}
		if t.name {
			try(l.byWord["Name"])
		}
		if t.digit {
			try(l.byWord["N"])
		}
		if t.code {
			try(l.byWord["Code"])
		}
		if at == start {
			try(l.first)
		}
		try(l.others)
	}
}
