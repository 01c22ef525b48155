package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// readVerb reads a word that links subject and value, or says that one changes.
func (r *clause) readVerb(at int, word string) bool {
	folded := r.tokens[at].folded
	noun := strings.HasSuffix(r.tokens[at].chunk, ":") || has(r.word(at+1), toBe) || word == "contact" && r.isPreposition(at+1)
	switch {
	case folded == "seit":
		r.next.role = rejected
	case has(word, abandoning) && len(r.items) == 0:
		r.next = item{role: rejected, opened: true}
		r.changed = true
	case has(word, change) && r.isChange(at), (folded == "deployed" || folded == "upgraded") && has(r.word(at-1), pronoun):
		r.change(at)
	case has(folded, naming) && r.linkAt >= 0:
		r.next.opened, r.next.link = true, called
	case has(word, link) && !has(folded, past) && folded != "preferred" && (has(word, toBe) || !noun):
		r.link(at)
		r.states, r.toBe = true, has(word, toBe)
		r.past = r.past || has(folded, was)
	case r.isGermanVerb(at):
		r.add(at, value{word: cmp.Or(known().synonyms[word], word)}, folded, false)
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
	capital := func(t *token) bool { return t.text != "" && unicode.IsUpper([]rune(t.text)[0]) }
	t, next := &r.tokens[at], r.token(at+1)
	return r.linkAt < 0 && at > 0 && t.chunk == t.folded && strings.HasSuffix(t.folded, "t") && len(t.folded) > 4 &&
		capital(r.token(at-1)) && (capital(next) || has(r.word(at+1), article)) && isGerman(r.tokens)
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
	folded, before := r.tokens[at].folded, r.word(at-1)
	plural := strings.HasSuffix(folded, "s")
	n := len(r.items) - 1
	compound := n >= 0 && r.items[n].at == at-1 && !strings.HasSuffix(r.tokens[at-1].folded, "s") && !plural && !isPast(folded) && !isGerman(r.tokens) // the night shift
	noun := compound || at == 0 && (plural || r.soon(at, func(t *token) bool { return has(t.base(), link) })) || plural && has(r.word(at+1), toBe) || strings.HasSuffix(strings.TrimSuffix(folded, "s"), "ion") ||
		has(before, aside|article|light) && !has(before, link) || has(before, scope) && before != "when"
	return !noun && at+1 < len(r.tokens) && (r.next.role != valueRole || isPast(folded))
}

// isPolar reports whether a word says yes or no here: "enable", "is off".
func (r *clause) isPolar(at int, word string) bool {
	if strings.HasSuffix(r.tokens[at].folded, "ion") || word == "off" && slices.Contains([]string{"go", "kick", "sign", "log", "cut", "hand"}, r.word(at-1)) {
		return false
	}
	if known().polar[word].word != "yes" && !has(word, aside) && known().places[word] == "" && word != "off" {
		return r.next.role == valueRole || len(r.items) == 0
	}
	next := r.word(at + 1)
	last := at+1 == len(r.tokens) || known().places[next] != "" || has(next, scope|reason|nowWord) || strings.ContainsAny(r.tokens[at].chunk, ",.;")
	return last && !r.has(valueRole) && len(r.items) > 0
}

// link reads a word between subject and value.
func (r *clause) link(at int) {
	colon := strings.HasSuffix(r.tokens[at].chunk, ":")
	if r.linkAt < 0 || colon {
		r.demote()
	}
	r.setLink(at)
	r.next = item{role: valueRole, opened: true, link: "is"}
	if word := r.word(at); colon {
		r.next.link = ":"
	} else if has(r.tokens[at].folded, naming) {
		r.next.link = called
	} else if has(word, link) && !has(word, toBe) {
		r.next.link = word
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
	return i.kind == "" && !i.name && !slices.Contains(determiners, r.token(i.at-1).folded) && (r.toBe || isPast(strings.ToLower(i.text)) || has(i.word, weak))
}
