package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// clause reads a clause from left to right.
type clause struct {
	Claim
	tokens   []token
	none     token // before the first and after the last
	next     item  // what is known of the next word: its role and what precedes it
	linkAt   int   // token of the first link or change, -1 before it
	toBe     bool  // the last link is a form of to be
	replaced bool  // what follows the verb is the old value
	past     bool  // was or were was read
	event    bool  // something is told that happened
	doubt    bool
	ended    bool
	final    bool // no other clause of the sentence counts
}

// readClaim returns what the first clause of a sentence says that says something, and how
// many tokens were read; nil if none does.
func readClaim(all []token) (found *Claim, used int) {
	tokens := all
	for more := true; more && len(tokens) > 0; {
		r := clause{tokens: tokens, linkAt: -1}
		r.states = slices.Contains([]string{"we", "wir"}, tokens[0].folded)
		at := 0
		for at < len(tokens) && !r.ended {
			at += r.read(at)
		}
		tokens = tokens[min(at, len(tokens)):]
		r.finish()
		if r.doubt {
			return nil, 0
		}
		happened := r.past && !r.moved || r.event && r.linkAt < 0
		if !happened && (len(r.items) > 1 || r.has(valueRole)) {
			said := r.Claim // a copy, so that the tokens can be freed
			return &said, len(all) - len(tokens)
		}
		more = !r.final
	}
	return nil, 0
}

// readRest returns the words and values of tokens.
func readRest(tokens []token) (all []value) {
	for len(tokens) > 0 {
		v, n := readValue(tokens)
		if n > 0 {
			all = append(all, v)
		} else {
			for _, term := range tokens[0].stems() {
				all = append(all, value{word: base(term)})
			}
		}
		tokens = tokens[max(n, 1):]
	}
	return all
}

// read reads a token, or several, and returns how many.
func (r *clause) read(at int) int {
	n := 1
	switch t := r.tokens[at]; {
	case strings.HasPrefix(t.chunk, "("):
		n += max(0, slices.IndexFunc(r.tokens[at:], func(t token) bool { return strings.Contains(t.chunk, ")") }))
	case strings.Trim(t.chunk, "-–—") == "":
		r.ended = len(r.items) > 0
		r.final, r.next.role = r.ended, valueRole
	default:
		v, used := r.readValue(at)
		if used == 0 {
			r.readWords(at)
			break
		}
		n = used
		r.addValue(at, n, v)
	}
	r.punctuation(at + n - 1)
	return n
}

// punctuation reads the marks behind a token, which may end the clause.
func (r *clause) punctuation(at int) {
	chunk := r.tokens[at].chunk
	mark := chunk[len(chunk)-1:]
	unlinked := len(r.items) > 0 && r.linkAt < 0
	switch {
	case mark == "?" && (at+1 == len(r.tokens) || len(r.items) == 0):
		r.doubt = true
	case mark == "?", strings.HasSuffix(chunk, titleEnd):
		r.link(at)
	case mark == "," && r.next.scoped && r.linkAt < 0 && !r.has(valueRole) && !slices.ContainsFunc(r.items, (*item).unscoped):
		r.next = item{} // in production, logs are
	case mark == ";", mark == "," && r.said(at):
		r.ended = true
	case mark == ":" && unlinked:
		r.link(at)
	case mark == ":":
		r.ended = count(r.items, (*item).typed) > 0
	case r.token(at+1).first && !r.is(at, honorific):
		next := r.token(at + 1)
		first, _ := utf8.DecodeRuneInString(next.text)
		if abbreviation := unicode.IsLower(first) && !next.is(pronoun); !abbreviation && month(next) == "" {
			r.ended, r.final = true, true
		}
	}
}

// said reports whether the clause is complete before a comma. It is not if a value follows:
// "Standup, Monday 9:00".
func (r *clause) said(at int) bool {
	if r.contrasts(at+1) || r.moved && !r.has(valueRole) || at+1 == len(r.tokens) {
		return false
	}
	_, used := readValue(r.tokens[at+1:])
	return r.has(valueRole) || len(r.items) > 0 && used == 0
}

// contrasts reports whether what follows a comma is a value that does not hold, as in
// "tabs, not spaces", or goes on behind it: "SQLite, not Redis, for the cache".
func (r *clause) contrasts(at int) bool {
	n := len(r.items) - 1
	return n >= 0 && (r.items[n].role == rejected && r.isPreposition(at) || r.has(valueRole) && r.is(at, denial|rejection))
}

// possible are the verbs with which several values may hold: customers can pay by card.
var possible = strings.Fields("can may kann können darf dürfen")

// readWords reads the words of a token. Only a word that stands alone, or is part of a
// contraction, can be more than a part of subject or value.
func (r *clause) readWords(at int) {
	t := &r.tokens[at]
	if strings.ContainsAny(t.text, digits+"_") {
		r.add(at, value{word: t.folded}, t.text, true)
		return
	}
	next := r.token(at + 1).folded
	alone := len(t.stems()) == 1 || strings.ContainsAny(t.text, "'’") || t.folded == "cannot"
	for _, term := range t.stems() {
		w := t.lexemeOf(term)
		switch {
		case alone && (r.readFunction(at, w) || words.Stop(w.word) || w.is(aside|light|article|question)):
			r.optional = r.optional || slices.Contains(possible, t.folded)
			continue
		case has(t.folded, owner) && !t.isName(next):
			w = lexemeOf("own")
			r.setLink(at)
		}
		r.event = r.event || r.linkAt < 0 && r.isEvent(at)
		r.add(at, value{word: cmp.Or(known().synonyms[w.word], w.word)}, t.text, t.namesThing(term, next))
	}
}

// namesThing reports whether a term of a token is a name, or a thing that is called after
// what it does: a limiter. next is the word behind the token.
func (t *token) namesThing(term, next string) bool {
	return t.isIdentifier() || t.isName(next) && (!t.first || !has(base(term), weak)) || t.folded == term+"er"
}

// lexemeOf returns the lexeme of a term of a token.
func (t *token) lexemeOf(term string) lexeme {
	switch {
	case t.text == "Go" && !t.first: // rather than the verb
		return lexemeOf("golang")
	case strings.TrimSuffix(t.folded, "s") == "product": // rather than production
		return lexemeOf("goods")
	case len(t.terms) == 1:
		return t.word
	}
	return lexemeOf(base(term))
}

// isEvent reports whether a word is a verb that tells what happened.
func (r *clause) isEvent(at int) bool {
	ofObject := r.is(at-1, imperative) && !r.isPreposition(at+1) // Retry failed webhooks
	counted := known().numbers[r.word(at-1)] != ""
	return isPast(r.tokens[at].folded) && !r.is(at-1, light|article) && !counted && !ofObject
}

// isPast reports whether a word may be a verb in the past.
func isPast(folded string) bool {
	return strings.HasSuffix(folded, "ed") && !strings.HasPrefix(folded, "un") && len(folded) > 4 || has(folded, past)
}

func (r *clause) add(at int, v value, text string, name bool) {
	i, before := r.next, &item{at: -1}
	if n := len(r.items); n > 0 {
		before = r.items[n-1]
	}
	i.value, i.lists, i.group, i.text, i.at, i.first = v, known().traits[v.word], v.group(), text, at, len(r.items) == 0
	germanNoun := r.is(at-1, article) && strings.IndexFunc(text[1:], unicode.IsUpper) < 0
	i.name = name && !germanNoun
	if partOfName := before.at == at; i.is(environment) && !partOfName { // shop-prod
		i.role = subjectRole
	}
	r.items, r.next.opened = append(r.items, &i), false
}

// token returns a token, an empty one before the first and after the last.
func (r *clause) token(at int) *token {
	if at < 0 || at >= len(r.tokens) {
		return &r.none
	}
	return &r.tokens[at]
}

// word returns the base form of a token that is one word.
func (r *clause) word(at int) string { return r.token(at).base() }

// is reports whether a token is one word that is on one of some lists.
func (r *clause) is(at int, lists trait) bool { return r.token(at).is(lists) }

func (r *clause) isPreposition(at int) bool {
	return r.is(at, scope) || known().places[r.word(at)] != ""
}

func isCapital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first)
}

func isIndefinite(folded string) bool {
	return folded == "a" || folded == "an" || strings.HasPrefix(folded, "ein") && len(folded) <= len("einem")
}
