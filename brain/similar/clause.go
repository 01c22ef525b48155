package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/words"
)

// clause reads a clause from left to right.
type clause struct {
	reading
	tokens   []token
	next     item // what is known of the next word: its role and what precedes it
	linkAt   int  // token of the first link or change, -1 before it
	told     bool // a change is told in the past
	toBe     bool // the last link is a form of to be
	replaced bool // what follows the verb is the old value
	past     bool // was or were was read
	event    bool // something is told that happened
	person   bool // the next word is the name of a person
	doubt    bool
	ended    bool
	final    bool // no other clause of the sentence counts
}

// readClaim returns what the first clause of a sentence says that says something; nil if
// none does.
func readClaim(tokens []token) *reading {
	for more := true; more && len(tokens) > 0; {
		r := clause{tokens: tokens, linkAt: -1}
		at := 0
		for at < len(tokens) && !r.ended {
			at += r.read(at)
		}
		tokens = tokens[min(at, len(tokens)):]
		r.rest = readRest(tokens)
		r.finish()
		if r.doubt {
			return nil
		}
		dated := func(i item) bool { return i.prep == "in" && (i.kind == "date" || i.kind == "weekday") }
		happened := r.past && !r.moved || r.told && r.moved && slices.ContainsFunc(r.items, dated) || r.event && (r.linkAt < 0 || r.told)
		if !happened && (len(r.items) > 1 || r.has(valueRole) || r.polar != "" && len(r.items) > 0) {
			return &r.reading
		}
		more = !r.final
	}
	return nil
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
		r.ended = len(r.items) > 0
		r.final, r.next.role = r.ended, valueRole
	case t.chunk == "=" || t.chunk == ":=":
		r.link(at)
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

// readValue returns the value at a place, "an hour" and a path such as apps/web among
// them, and how many tokens it has; 0 if there is none.
func (r *clause) readValue(at int) (v value, used int) {
	t := r.tokens[at]
	if v, used = readValue(r.tokens[at:]); used > 0 {
		return v, used
	}
	if unit := unitOf(t); has(r.word(at-1), repeated) && known().measures[unit].kind == "duration" {
		v, _ = readNumber("1", unit, r.tokens[at:at+1])
		return v, 1
	}
	if unit := unitOf(r.token(at + 1)); isIndefinite(t.folded) && known().measures[unit].kind == "duration" && (r.isPreposition(at-1) || has(r.word(at-1), repeated)) {
		v, _ = readNumber("1", unit, r.tokens[at:at+1])
		return v, 2
	}
	if r.next.role == valueRole && r.next.prep != "" && strings.Contains(t.text, "/") {
		return value{kind: "address", word: strings.TrimSuffix(t.folded, "/")}, 1
	}
	return value{}, 0
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
	case mark == "," && r.next.scoped && r.linkAt < 0 && count(r.items, item.isScoped) == len(r.items):
		r.next = item{} // the subject follows
	case mark == ":" && count(r.items, func(i item) bool { return i.kind == "date" || i.kind == "number" && r.linkAt < 0 }) > 0:
		r.doubt = true // of a log
	case mark == ";", mark == "," && r.said(at), mark == ":" && (r.event || r.denied || r.states && r.has(valueRole)):
		r.ended = true
	case mark == ":" && (unlinked || r.isLabel()):
		r.link(at)
	case mark == ":":
		r.ended = count(r.items, item.typed) > 0
	case r.token(at+1).first && (!has(r.word(at), honorific) || unicode.IsLower([]rune(r.tokens[at].text)[0])):
		next := r.tokens[at+1]
		if month(next) == "" && (mark != "." || !unicode.IsLower([]rune(next.text + " ")[0]) || has(baseOf(next), pronoun)) {
			r.ended, r.final = true, true
		}
	}
}

// isLabel reports whether the words before a colon are what the value behind it is of:
// "code owner of the parser".
func (r *clause) isLabel() bool {
	return len(r.items) > 0 && !r.toBe && count(r.items, item.typed) == 0
}

// said reports whether the clause is complete before a comma. It is not if a value follows:
// "Standup, Monday 9:00".
func (r *clause) said(at int) bool {
	if len(r.items) == 0 || at+1 == len(r.tokens) || r.has(valueRole) {
		return len(r.items) > 0
	}
	_, used := readValue(r.tokens[at+1:])
	return used == 0 && !has(r.word(at+1), link)
}

// readWords reads the words of a token. Only a word that stands alone, or is part of a
// contraction, can be more than a part of subject or value.
func (r *clause) readWords(at int) {
	t := r.tokens[at]
	if r.next.role == valueRole && t.kind == plain && strings.ContainsAny(t.text, "0123456789") {
		r.add(at, value{word: t.folded}, t.text, true)
		return
	}
	next := r.token(at + 1).folded
	if has(next, nowWord) {
		next = r.token(at + 2).folded
	}
	alone := len(t.terms) == 1 || strings.ContainsAny(t.text, "'’") || t.folded == "cannot"
	for _, term := range t.terms {
		word := base(term)
		switch {
		case r.join(at, word):
			continue
		case term == "a" && !t.isArticle():
			word = letterA
		case t.text == "Go" && !t.first: // rather than the verb
			word = "golang"
		case strings.TrimSuffix(t.folded, "s") == "product": // rather than production
			word = "goods"
		case alone && (r.readFunction(at, word) || words.Stop(word) || has(word, aside|light|article)):
			continue
		case has(t.folded, owner) && (at == 0 || !t.isName(next)):
			word = "own"
			r.setLink(at)
		}
		if (r.linkAt < 0 || r.next.link == ":" && has(t.folded, past)) && r.isEvent(at) {
			r.event, r.told = true, r.told || r.linkAt >= 0 || len(r.items) == 0
		}
		r.add(at, value{word: cmp.Or(known().synonyms[word], word)}, t.text, t.isName(next) || t.isIdentifier() || t.folded == term+"er") // a limiter
	}
}

// join joins a word to the one before: time out.
func (r *clause) join(at int, word string) bool {
	n := len(r.items) - 1
	if n < 0 || r.items[n].kind != "" || r.items[n].at != at && (r.items[n].at != at-1 || known().places[word] != "") {
		return false
	}
	whole := known().join(r.items[n].word, word)
	if whole != "" {
		r.items[n].word, r.items[n].at = whole, at
	}
	return whole != ""
}

// isEvent reports whether a word is a verb that tells what happened.
func (r *clause) isEvent(at int) bool {
	return isPast(r.tokens[at].folded) && r.token(at-1).folded != "be" && count(r.items, item.measured) == 0 && !r.isPreposition(at-1) &&
		!has(r.word(at-1), light|article) && r.token(at-1).kind != numbers && !r.isParticiple(at)
}

// isParticiple reports whether a word describes the object of an imperative: "Retry failed
// webhooks".
func (r *clause) isParticiple(at int) bool {
	next := r.token(at + 1)
	return at == 1 && has(r.word(0), imperative) && next.kind == plain && !words.Stop(next.folded) && !r.isPreposition(at+1)
}

// isPast reports whether a word may be a verb in the past.
func isPast(folded string) bool {
	return strings.HasSuffix(folded, "ed") && !strings.HasSuffix(folded, "eed") && !strings.HasPrefix(folded, "un") && len(folded) > 4 || has(folded, past)
}

func (r *clause) add(at int, v value, text string, name bool) {
	i, before := r.next, item{at: -1}
	if n := len(r.items); n > 0 {
		before = r.items[n-1]
	}
	i.value, i.text, i.at, i.name = v, text, at, name || i.opened && i.link == ":" && !has(v.word, weak) && unicode.IsUpper([]rune(text + " ")[0])
	i.first, i.one, i.every = len(r.items) == 0, isIndefinite(r.token(at-1).folded), has(r.word(at-1), repeated)
	partOfName := before.at == at || name && before.name && before.at == at-1 // shop-prod, Wayfarer Dev
	switch {
	case has(i.word, environment) && !partOfName:
		i.role = subjectRole
	case r.person && i.role != rejected:
		i.role, i.kind, r.person = valueRole, "person", false
	}
	r.items, r.next.opened = append(r.items, i), false
}

// addValue adds a number, date or the like, which is a value wherever it stands.
func (r *clause) addValue(at, n int, v value) {
	if t := r.tokens[at]; identifies(r.tokens, at) || t.kind == versions && t.folded[0] == 'v' && r.next.role == subjectRole { // v2 of the API
		r.add(at, value{word: t.folded}, t.text, true)
		return
	}
	var text []string
	for _, t := range r.tokens[at : at+n] {
		text = append(text, t.text)
	}
	if next := r.token(at + n); v.kind == "rhythm" && len(r.items) == 0 && next.kind == plain && !r.isPreposition(at+n) && !has(r.word(at+n), link) && r.linkAt < 0 {
		r.add(at, value{word: r.tokens[at].folded}, r.tokens[at].text, false) // the nightly job
		return
	}
	if before := r.word(at - 1); v.kind == "duration" && has(before, repeated) && (before != "onc" || isIndefinite(r.tokens[at].folded)) {
		v.kind = "rhythm"
	}
	if k := len(r.items) - 1; k >= 0 && r.linkAt < 0 && v.kind == "number" && r.items[k].kind == "number" && r.items[k].at == at-1 {
		r.doubt = true // of a list: fact 3 7
	}
	r.add(at+n-1, v, strings.Join(text, " "), false)
	i := &r.items[len(r.items)-1]
	if i.role != rejected && (v.kind != "address" || !i.scoped) { // the certificate for api.example.com
		i.role = valueRole
	}
	if known().places[r.word(at+n)] == "before" && !strings.HasSuffix(r.tokens[at+n-1].chunk, ",") {
		i.prep = "before"
	}
}

// finish sets what is known of the items only at the end of the clause: their
// neighbours, and the words that numbers stand next to.
func (r *clause) finish() {
	r.identify()
	if n := len(r.items) - 1; n > 0 && r.items[n].scoped && !r.items[n].opened && r.items[n].grouped() && !r.has(valueRole) {
		r.items[n].role = valueRole
	}
	for n := range r.items {
		i := &r.items[n]
		before := item{at: -1}
		if n > 0 {
			before = r.items[n-1]
			i.last, i.phrase = before.word, before.phrase+step(i.opened || i.scoped != before.scoped)
		}
		if n+1 < len(r.items) && r.items[n+1].kind == "" && r.items[n+1].at <= i.at+1 {
			i.next = r.items[n+1].word
		}
		if i.kind != "number" {
			continue
		}
		labelled := before.kind == "" && before.at == i.at-1 && !strings.HasSuffix(r.token(i.at-1).chunk, ":")
		if (!labelled || !before.name) && !strings.Contains(i.word, ".") && !has(i.next, general) && i.next != "time" {
			i.counts = r.nounsAfter(n)
		}
		switch {
		case labelled && before.isWeak():
			i.label = i.last
		case strings.Count(i.word, ".") > 1 || r.saysWord("version"):
			i.label = "version"
		case r.saysWord("port"):
			i.label = "port"
		}
	}
}

// nounsAfter returns the words that stand right behind a number: "parallel jobs".
func (r *clause) nounsAfter(n int) (nouns []string) {
	for at := r.items[n].at + 1; n+1 < len(r.items) && len(nouns) < 3; at++ {
		n++
		if i := r.items[n]; i.at != at || i.kind != "" || i.opened || has(i.word, weak) && len(nouns) > 0 {
			break
		}
		nouns = append(nouns, r.items[n].word)
	}
	return nouns
}

// identify makes the number that tells the subject from others of its kind a part of
// it, as in "Row 17 is 4".
func (r *clause) identify() {
	valued := slices.ContainsFunc(r.items, func(i item) bool { return i.opened && i.at > r.linkAt })
	for n := range r.items[min(1, len(r.items)):] {
		before, i := r.items[n], &r.items[n+1]
		if valued && !r.moved && i.kind == "number" && i.at < r.linkAt && before.kind == "" && before.at == i.at-1 {
			i.value, i.role, i.name = value{word: i.word}, subjectRole, true
		}
	}
}

// token returns a token, an empty one before the first and after the last.
func (r *clause) token(at int) token {
	if at < 0 || at >= len(r.tokens) {
		return token{}
	}
	return r.tokens[at]
}

// word returns the base form of a token that is one word.
func (r *clause) word(at int) string { return baseOf(r.token(at)) }

func (r *clause) isPreposition(at int) bool {
	return has(r.word(at), scope) || known().places[r.word(at)] != ""
}

func isIndefinite(folded string) bool {
	return folded == "a" || folded == "an" || strings.HasPrefix(folded, "ein") && has(folded, article)
}
