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
	initials uint32 // a bit for the first letter of each, which rules most others out
	special  special
	marks    bool // some of the words are punctuation
	optional bool
	not      bool
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

// parsePhrase reads a phrase. It returns none if no word is required.
func parsePhrase(text string) phrase {
	var p phrase
	required := false
	for field := range strings.FieldsSeq(text) {
		e := parseElement(field)
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
			word = spelled(word)
			e.words[word] = true
			e.initials |= 1 << (word[0] % 32)
			e.marks = e.marks || len(word) == 1 && !wordByte(word)
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
		e.initials&(1<<(t.word[0]%32)) != 0 && e.words[t.word] {
		return 1, true
	}
	return 0, t.before != 0 && e.marks && e.words[string([]byte{t.before})]
}

// lexicon finds phrases in sentences. Those that begin with a word are looked up by it.
type lexicon struct {
	byWord map[string][]entry
	first  []entry // those that begin with something else at the beginning of a sentence
	names  []entry // those that begin with a name
	others []entry
}

// entry is a phrase, or what follows its first word, and what it belongs to.
type entry struct {
	phrase phrase
	after  int // words before the phrase
	owner  int
	first  bool // begins at the beginning of a sentence
}

func (l *lexicon) add(p phrase, owner int) {
	first := len(p) > 1 && p[0].special == beginning
	if first {
		p = p[1:]
	}
	head, all, rest := p[0], entry{p, 0, owner, first}, entry{p[1:], 1, owner, first}
	switch {
	case head.special == capital && len(head.words) == 0:
		l.names = append(l.names, rest)
	case head.special == 0 && !head.optional && !head.not && !head.marks:
		for w := range head.words {
			l.byWord[w] = append(l.byWord[w], rest)
		}
	case first:
		l.first = append(l.first, all)
	default:
		l.others = append(l.others, all)
	}
}

// find sets found of each owner to the index of the token at which a phrase of it begins
// first, outside of quotation marks. It leaves those that are not negative as they are.
func (l *lexicon) find(tokens []token, start int, found []int) {
	for at, t := range tokens {
		if t.quoted {
			continue
		}
		try := func(entries []entry) {
			for _, e := range entries {
				if found[e.owner] >= 0 || e.first && at != start {
					continue
				}
				if _, ok := e.phrase.match(tokens, at+e.after, start); ok {
					found[e.owner] = at
				}
			}
		}
		if at == start {
			try(l.first)
		}
		try(l.byWord[t.word])
		if t.name {
			try(l.names)
		}
		try(l.others)
	}
}
