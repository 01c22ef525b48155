package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/words"
)

// role is the part that a word plays in a claim.
type role int

const (
	subjectRole role = iota
	valueRole
	rejected  // a value that does not hold: "not Redis", "from 5433"
	titleRole // a word of the name above a sentence that has a subject of its own
)

// item is a word or value of a clause.
type item struct {
	value
	role   role
	text   string // as written
	at     int    // number of the token
	name   bool
	prep   string // the preposition before it
	last   string // the word before
	next   string // the word after it in the same phrase
	scoped bool   // part of a phrase such as "for uploads"
}

// clause reads a clause from left to right.
type clause struct {
	Claim
	tokens []token
	zone   role   // of the next word
	prep   string // of the next word
	scoped bool   // the next word is part of a phrase such as "for uploads"
	linkAt int    // token of the first link or change, -1 before it
	told   bool   // a change is told in the past
	toBe   bool   // the last link is a form of to be
	past   bool   // was or were was read
	event  bool   // something is told that happened
	doubt  bool
	ended  bool
	final  bool // no other clause of the sentence counts
}

// readClaim returns what the first clause of a sentence claims that claims something;
// ok is false if none does.
func readClaim(tokens []token) (c *Claim, ok bool) {
	c = &Claim{}
	for more := true; more && len(tokens) > 0; {
		r := clause{tokens: tokens, linkAt: -1}
		at := 0
		for at < len(tokens) && !r.ended {
			at += r.read(at)
		}
		tokens = tokens[min(at, len(tokens)):]
		r.rest = readRest(tokens)
		r.finish()
		if c = &r.Claim; r.doubt {
			return c, false
		}
		happened := r.past && !r.moved || r.event && (r.linkAt < 0 || r.told)
		if !happened && (len(r.items) > 1 || r.has(valueRole) || r.polar != "" && len(r.items) > 0) {
			return c, true
		}
		more = !r.final
	}
	return c, false
}

// readRest returns the words and values of tokens.
func readRest(tokens []token) (all []value) {
	for len(tokens) > 0 {
		v, n := readValue(tokens)
		if n > 0 {
			all = append(all, v)
		} else {
			for _, term := range tokens[0].terms {
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
		r.ended = r.said()
		r.final, r.zone = r.ended, valueRole
	case t.chunk == "=" || t.chunk == ":=":
		r.link(at)
	default:
		v, used := readValue(r.tokens[at:])
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
	switch {
	case mark == "?":
		r.doubt = true
	case mark == ";", mark == "," && r.said(), mark == ":" && (r.event || r.denied):
		r.ended = true
	case mark == ":" && count(r.items, func(i item) bool { return i.kind == "date" || i.kind == "number" }) > 0:
		r.doubt = true // of a log
	case mark == ":" && len(r.items) > 0 && r.linkAt < 0:
		r.link(at)
	case at+1 < len(r.tokens) && r.tokens[at+1].first && mark != ":":
		next := r.tokens[at+1]
		if month(next) == "" && (mark != "." || !unicode.IsLower([]rune(next.text + " ")[0])) {
			r.ended, r.final = true, true
		}
	}
}

// said reports whether the clause may be complete.
func (r *clause) said() bool {
	return r.has(valueRole) || r.polar != "" || r.denied || r.event || r.linkAt >= 0 && len(r.items) > 0 && r.items[len(r.items)-1].at > r.linkAt
}

// readWords reads the words of a token. Only a word that stands alone, or is part of a
// contraction, can be more than a part of subject or value.
func (r *clause) readWords(at int) {
	t := r.tokens[at]
	if r.zone == valueRole && t.kind == plain && strings.ContainsAny(t.text, "0123456789") {
		r.add(item{value: value{word: t.folded}, text: t.text, at: at, name: true})
		return
	}
	next := tokenAt(r.tokens, at+1).folded
	if has(next, nowWord) {
		next = tokenAt(r.tokens, at+2).folded
	}
	for _, term := range t.terms {
		word := base(term)
		alone := len(t.terms) == 1 || strings.ContainsAny(t.text, "'’")
		if alone && (r.readFunction(at, word) || words.Stop(word) || has(word, aside|light|article)) {
			continue
		}
		before := base(tokenAt(r.tokens, at-1).folded)
		r.event = r.event || r.linkAt < 0 && isPast(t.folded) && (at == 0 || !has(before, light|article))
		if has(t.folded, owner) {
			word = "own"
			r.setLink(at)
		}
		word = cmp.Or(known().synonyms[word], word)
		r.add(item{value: value{word: word}, text: t.text, at: at, name: t.isName(next) || t.isIdentifier()})
	}
}

// isPast reports whether a word may be a verb in the past.
func isPast(folded string) bool {
	return strings.HasSuffix(folded, "ed") && len(folded) > 4 || has(folded, past)
}

// readFunction reads a word that says how the words around it belong together. It
// reports whether the word was one.
func (r *clause) readFunction(at int, word string) bool {
	folded, prep := r.tokens[at].folded, known().places[word]
	switch p, polar := known().polar[word]; {
	case r.isReason(at, word):
		so := folded == "so" && tokenAt(r.tokens, at+1).folded != "that"
		r.ended, r.final = true, len(r.items) > 0 && !so
	case has(word, doubt), len(r.items) == 0 && (word == "if" || word == "when" || word == "wenn"):
		r.doubt = true
	case polar && r.isPolar(at, word):
		r.polar, r.denied = p.word, r.denied != p.no
		r.told = r.told || len(r.items) == 0 && isPast(folded)
	case has(word, denial), word == "out" && tokenAt(r.tokens, at+1).folded == "of":
		r.denied = true
	case has(word, rejection) && word != "over":
		r.zone = rejected
	case has(word, change) && r.isChange(at):
		r.change(at)
	case has(word, link) && !has(folded, past):
		r.link(at)
		r.states = true
		r.past = r.past || has(folded, was)
		r.toBe = has(word, toBe)
	case prep != "" && (word != "as" || r.isOnlyVerb() || !r.has(valueRole)):
		r.preposition(prep)
	case has(word, scope) && (r.zone != rejected || word != "of"):
		r.scope(word)
	case has(word, nowWord):
		r.changed = true
	default:
		return false
	}
	return true
}

// change reads a verb such as move, whose object is the subject.
func (r *clause) change(at int) {
	r.told = r.past || r.linkAt < 0 && isPast(r.tokens[at].folded)
	r.moved, r.changed, r.states, r.zone = true, true, true, subjectRole
	r.setLink(at)
}

// isChange reports whether a word is a verb rather than a noun, as in "every change".
func (r *clause) isChange(at int) bool {
	folded, before := r.tokens[at].folded, base(tokenAt(r.tokens, at-1).folded)
	noun := strings.HasSuffix(strings.TrimSuffix(folded, "s"), "ion") || has(before, aside|article|light) && !has(before, link)
	return !noun && at+1 < len(r.tokens) && (r.zone != valueRole || isPast(folded))
}

// isPolar reports whether a word says yes or no here: "enable", "is off".
func (r *clause) isPolar(at int, word string) bool {
	if !has(word, aside) && known().places[word] == "" && word != "off" {
		return r.zone == valueRole || len(r.items) == 0
	}
	next := base(tokenAt(r.tokens, at+1).folded)
	last := next == "" || known().places[next] != "" || has(next, scope|reason|nowWord) || strings.ContainsAny(r.tokens[at].chunk, ",.;")
	return last && !r.has(valueRole) && len(r.items) > 0
}

// isReason reports whether a reason or a consequence begins here.
func (r *clause) isReason(at int, word string) bool {
	next, comma := tokenAt(r.tokens, at+1).folded, at > 0 && strings.HasSuffix(r.tokens[at-1].chunk, ",")
	switch word {
	case "so":
		return next == "that" || comma
	case "now":
		return next == "that"
	case "as": // rather than "as the cache"
		rest := slices.IndexFunc(r.tokens[at:], func(t token) bool { return strings.ContainsAny(t.chunk, ",.;") || t.folded == "so" })
		return r.has(valueRole) && (count(r.items, item.typed) > 0 || rest > 3 || rest < 0 && len(r.tokens)-at > 4)
	case "after", "nach", "seit":
		return count(r.items, item.typed) > 0
	}
	return has(word, reason)
}

// link reads a word between subject and value.
func (r *clause) link(at int) {
	for i := range r.items {
		if i := &r.items[i]; r.linkAt < 0 && i.role == valueRole && i.kind == "" {
			i.role = subjectRole
		}
	}
	r.setLink(at)
	r.prep, r.scoped, r.zone = "", false, valueRole
}

func (r *clause) setLink(at int) {
	if r.linkAt < 0 {
		r.linkAt = at
	}
}

// preposition reads a preposition that opens a value, or limits the subject.
func (r *clause) preposition(prep string) {
	if r.past && (prep == "to" || prep == "auf") {
		r.moved, r.changed = true, true
	}
	switch {
	case len(r.items) == 0 && r.linkAt < 0:
		r.scope(prep)
	case r.moved && prep == "from":
		r.zone = rejected
	case !r.isOnlyVerb() && r.zone != rejected && r.has(valueRole):
		r.scope(prep)
	default:
		r.demoteVerb()
		r.zone, r.scoped, r.prep = valueRole, false, prep
	}
}

// isOnlyVerb reports whether the value is no more than the verb of "is stored in".
func (r *clause) isOnlyVerb() bool {
	values := slices.DeleteFunc(slices.Clone(r.items), func(i item) bool { return i.role != valueRole })
	return len(values) == 1 && values[0].kind == "" && !values[0].name && (r.toBe || isPast(strings.ToLower(values[0].text)))
}

func (r *clause) demoteVerb() {
	if r.isOnlyVerb() {
		r.items[slices.IndexFunc(r.items, func(i item) bool { return i.role == valueRole })].role = subjectRole
	}
}

// scope reads what the claim is limited to, which is part of the subject.
func (r *clause) scope(prep string) {
	r.demoteVerb()
	r.zone, r.scoped, r.prep = subjectRole, true, prep
}

func (r *clause) add(i item) {
	i.role, i.scoped, i.prep = r.zone, r.scoped, r.prep
	if has(i.word, environment) {
		i.role = subjectRole
	}
	r.items = append(r.items, i)
}

// addValue adds a number, date or the like, which is a value wherever it stands.
func (r *clause) addValue(at, n int, v value) {
	if t := r.tokens[at]; identifies(r.tokens, at) || t.kind == versions && t.folded[0] == 'v' && r.zone == subjectRole { // v2 of the API
		r.add(item{value: value{word: t.folded}, text: t.text, at: at, name: true})
		return
	}
	var text []string
	for _, t := range r.tokens[at : at+n] {
		text = append(text, t.text)
	}
	r.add(item{value: v, text: strings.Join(text, " "), at: at + n - 1})
	i := &r.items[len(r.items)-1]
	if i.role != rejected {
		i.role = valueRole
	}
	if next := known().places[tokenAt(r.tokens, at+n).folded]; next == "before" {
		i.prep = next
	}
}

// finish sets what is known of the items only at the end of the clause: their
// neighbours, and the words that numbers stand next to.
func (r *clause) finish() {
	for n := range r.items {
		i := &r.items[n]
		label := n > 0 && r.items[n-1].kind == "" && r.items[n-1].at == i.at-1 && !strings.HasSuffix(r.tokens[i.at-1].chunk, ":")
		if n > 0 {
			i.last = r.items[n-1].word
		}
		if n+1 < len(r.items) && r.items[n+1].kind == "" && r.items[n+1].at <= i.at+1 {
			i.next = r.items[n+1].word
		}
		if i.kind == "number" && (!label || !r.items[n-1].name) && !strings.Contains(i.word, ".") && !has(i.next, general) && i.next != "time" {
			i.counted = i.next
		}
	}
}
