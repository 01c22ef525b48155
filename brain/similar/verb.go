package similar

import (
	"cmp"
	"slices"
	"strings"
)

// readVerb reads a word that links subject and value, or says that one changes.
func (r *clause) readVerb(at int, w lexeme) bool {
	folded := r.tokens[at].folded
	noun := strings.HasSuffix(r.tokens[at].chunk, ":") || r.is(at+1, toBe) || w.word == "contact" && r.isPreposition(at+1)
	switch {
	case w.is(abandoning) && len(r.items) == 0:
		r.next = item{role: rejected, opened: true}
		r.changed = true
	case w.is(change) && r.isChange(at), folded == "deployed" && r.is(at-1, pronoun):
		r.change(at)
	case has(r.tokens[at].folded, naming) && r.linkAt >= 0:
		r.next.opened, r.next.link = true, called
	case w.is(link) && (w.is(toBe) || !noun):
		r.link(at)
		r.states, r.toBe = true, w.is(toBe)
		r.past = r.past || has(r.tokens[at].folded, was)
	case r.isGermanVerb(at):
		r.add(at, value{word: cmp.Or(known().synonyms[w.word], w.word)}, folded, false)
		r.link(at)
		r.states = true
	default:
		return false
	}
	return true
}

// isGermanVerb reports whether a word between capitalised ones is the verb of a German
// clause: "Konflikte im Backend entscheidet Valentina".
func (r *clause) isGermanVerb(at int) bool {
	t := &r.tokens[at]
	return r.linkAt < 0 && t.chunk == t.folded && strings.HasSuffix(t.folded, "t") && len(t.folded) > 4 &&
		isCapital(r.token(at-1).text) && isCapital(r.token(at+1).text) && isGerman(r.tokens)
}

// change reads a verb such as move, whose object is the subject.
func (r *clause) change(at int) {
	r.moved, r.changed, r.states = true, true, true
	r.replaced = slices.Contains([]string{"replac", "swap", "ersetzt"}, r.word(at))
	r.next.role = subjectRole
	r.setLink(at)
}

// isChange reports whether a word is a verb rather than a noun, as in "every change".
func (r *clause) isChange(at int) bool {
	folded, before := r.tokens[at].folded, r.token(at-1)
	plural := strings.HasSuffix(folded, "s")
	n := len(r.items) - 1
	compound := n >= 0 && r.items[n].at == at-1 && !plural && !isPast(folded) && !isGerman(r.tokens) // the night shift
	begins := at == 0 && (plural || r.soon(at, func(t *token) bool { return t.is(link) }))           // Updates are
	determined := before.is(aside|article|light) && !before.is(link) || before.is(scope)             // every change
	noun := compound || begins || determined || strings.HasSuffix(strings.TrimSuffix(folded, "s"), "ion")
	return !noun && (r.next.role != valueRole || isPast(folded))
}

// isPolar reports whether a word says yes or no here: "enable", "is off".
func (r *clause) isPolar(at int, w lexeme) bool {
	if known().places[w.word] == "" && w.word != "off" {
		return r.next.role == valueRole || len(r.items) == 0
	}
	last := at+1 == len(r.tokens) || r.isPreposition(at+1) || r.is(at+1, reason|nowWord) || strings.ContainsAny(r.tokens[at].chunk, ",.;")
	return last && !r.has(valueRole)
}

// link reads a word between subject and value.
func (r *clause) link(at int) {
	t := &r.tokens[at]
	colon := strings.HasSuffix(t.chunk, ":")
	if r.linkAt < 0 || colon {
		r.demote()
	}
	r.setLink(at)
	r.next = item{role: valueRole, opened: true, link: "is"}
	switch {
	case colon:
		r.next.link = ":"
	case has(t.folded, naming):
		r.next.link = called
	case t.is(link) && !t.is(toBe):
		r.next.link = t.word.word
	}
}

func (r *clause) setLink(at int) {
	if r.linkAt < 0 {
		r.linkAt = at
	}
}

// determiners precede a noun.
var determiners = strings.Fields("a an the my our your their der die das den dem ein eine unser unsere mein meine")

// isOnlyVerb reports whether the value is only the verb of "is stored in".
func (r *clause) isOnlyVerb() bool {
	n := slices.IndexFunc(r.items, func(i *item) bool { return i.role == valueRole })
	if n < 0 || count(r.items, func(i *item) bool { return i.role == valueRole }) > 1 {
		return false
	}
	i := r.items[n]
	return i.kind == "" && !i.name && !slices.Contains(determiners, r.token(i.at-1).folded) && (r.toBe || isPast(strings.ToLower(i.text)) || i.is(weak))
}
