package similar

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// readFunction reads a word that says how the words around it belong together. It
// reports whether the word was one.
func (r *clause) readFunction(at int, word string) bool {
	if r.isGermanPreposition(at) {
		r.preposition("in")
		return true
	}
	return r.readLimit(at, word) || r.readVerb(at, word) || r.readPreposition(at, word)
}

// isGermanPreposition reports whether a word that English has too is a German one: "am
// Montag", "an Jonas", but "an hour", "an MCP server".
func (r *clause) isGermanPreposition(at int) bool {
	next := r.token(at + 1).text
	return r.tokens[at].folded == "am" && r.token(at-1).folded != "i" ||
		r.tokens[at].folded == "an" && next != strings.ToUpper(next) && !strings.ContainsAny(next[:1], "aeiouhAEIOUH")
}

// readLimit reads a word that ends the clause, or says that it does not hold.
func (r *clause) readLimit(at int, word string) bool {
	folded := r.tokens[at].folded
	and := folded == "and" || folded == "und"
	switch p, polar := known().polar[word]; {
	case word == "from" && has(r.word(at+1), nowWord), word == "on" && has(r.word(at-1), nowWord), has(word, nowWord) && word != "now":
		r.changed = true
	case r.isReason(at, word):
		r.ended, r.final = true, len(r.items) > 0 && (folded != "so" || r.token(at+1).folded == "that")
	case and && r.has(valueRole) && isVerbLike(r.token(at+1).folded):
		r.ended = true
	case and && r.has(rejected) && !r.has(subjectRole) && !r.has(valueRole):
		r.next = item{} // we dropped this and use that
	case has(word, doubt) && folded != "possible" && (!isPast(folded) || !has(r.word(at-1), light|article)): // at a fixed rate
		r.doubt = true
	case len(r.items) == 0 && (word == "if" || word == "when" || word == "wenn"):
		r.doubt = !slices.ContainsFunc(r.tokens[at:], func(t token) bool { return strings.HasSuffix(t.chunk, ",") })
		r.scope(word)
	case len(r.items) == 0 && known().places[word] == "until", folded == "used" && r.token(at+1).folded == "to" && !has(r.word(at-1), toBe):
		r.doubt = true // it may no longer apply: "Until May, …"
	case polar && r.isPolar(at, word):
		r.polar, r.denied = p.word, r.denied != p.no
		r.told = r.told || len(r.items) == 0 && isPast(folded)
	case r.readDenial(at, word):
	case has(word, addition), r.isAlso(at):
		r.adds = true
	default:
		return false
	}
	return true
}

// isAlso reports whether a word says that a value is one of several: "Bonn too", "Bonn as
// well", but "too slow", "as well as".
func (r *clause) isAlso(at int) bool {
	switch t := r.tokens[at]; t.folded {
	case "too":
		return at+1 == len(r.tokens) || t.chunk != t.text || has(r.word(at+1), reason)
	case "well":
		return r.token(at-1).folded == "as" && r.token(at+1).folded != "as"
	}
	return false
}

// readDenial reads a word that says that something is not so, or that a value is not the
// one that holds.
func (r *clause) readDenial(at int, word string) bool {
	switch {
	case (word == "without" || word == "ohn") && len(r.items) > 0 && r.linkAt < 0 && r.describes(at):
		r.scope(word)
	case word == "without" || word == "ohn":
		r.denied = !r.denied
	case has(word, denial) && r.contrasts(at) && strings.HasSuffix(r.tokens[at-1].chunk, ","):
		r.next.role = rejected
	case has(word, denial) && r.soon(at, func(t *token) bool { return t.folded == "than" || t.folded == "als" }): // not more than six
	case has(word, denial), (word == "out" && r.token(at+1).folded == "of" || word == "off" && r.token(at+1).folded == "limits") && r.toBe:
		r.denied = true
	case has(word, rejection) && word != "over":
		r.next.role = rejected
	default:
		return false
	}
	return true
}

// readVerb reads a word that links subject and value, or says that one changes.
func (r *clause) readVerb(at int, word string) bool {
	folded := r.tokens[at].folded
	noun := strings.HasSuffix(r.tokens[at].chunk, ":") || has(r.word(at+1), toBe) || word == "contact" && r.isPreposition(at+1)
	switch {
	case word == "take" && r.token(at+1).folded == "over":
		r.changed = true
	case word == "at" && isExtreme(r.token(at+1)), isExtreme(r.token(at)) && r.word(at-1) == "at", word == "over" && r.word(at-1) == "take", folded == "ab" && r.linkAt < 0:
	case folded == "seit":
		r.next.role = rejected
	case has(word, abandoning) && len(r.items) == 0 && at < len(r.tokens)-1:
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
		if r.token(at-1).folded == "there" {
			r.next = item{opened: true} // the subject follows
		}
	case r.isGermanVerb(at):
		r.addGermanVerb(at, word)
	case (folded == "wir" || folded == "man") && r.next.scoped && r.linkAt < 0:
		r.link(at) // für Übersetzungen nehmen wir
	default:
		return false
	}
	return true
}

// isExtreme reports whether a token is the second word of "at most" or "at least".
func isExtreme(t *token) bool { return t.folded == "most" || t.folded == "least" }

// addGermanVerb adds a verb between subject and value, which it links.
func (r *clause) addGermanVerb(at int, word string) {
	folded := r.tokens[at].folded
	if has(folded, owner) {
		word = "own"
	}
	r.add(at, value{word: cmp.Or(known().synonyms[word], word)}, folded, false)
	r.link(at)
	r.states = true
}

// isGermanVerb reports whether a word between capitalised ones is the verb of a German
// clause: "Konflikte im Backend entscheidet Valentina".
func (r *clause) isGermanVerb(at int) bool {
	capital := func(t *token) bool { return t.text != "" && unicode.IsUpper([]rune(t.text)[0]) }
	t, next := &r.tokens[at], r.token(at+1)
	return r.linkAt < 0 && at > 0 && t.chunk == t.folded && strings.HasSuffix(t.folded, "t") && len(t.folded) > 4 &&
		capital(r.token(at-1)) && (capital(next) || has(r.word(at+1), article)) && isGerman(r.tokens)
}

// readPreposition reads a preposition or another word that precedes a part of the clause.
func (r *clause) readPreposition(at int, word string) bool {
	prep := known().places[r.tokens[at].folded] // "hintere" is none
	switch t := r.tokens[at]; {
	case !t.first && t.text != t.folded && known().kinds[word] != "":
		return false // the MIT licence is no German preposition
	case has(word, honorific):
		r.person, r.next.opened = true, true
	case word == "that" && len(r.items) > 0 && r.linkAt < 0:
		r.scope(word)
	case prep != "" && (word != "as" || r.isOnlyVerb() || !r.has(valueRole)):
		r.preposition(prep)
	case has(word, scope) && (r.next.role != rejected || word != "of"):
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
	noun := compound || at == 0 && (plural || r.describes(at)) || plural && has(r.word(at+1), toBe) || strings.HasSuffix(strings.TrimSuffix(folded, "s"), "ion") ||
		has(before, aside|article|light) && !has(before, link) || has(before, scope) && before != "when"
	return !noun && at+1 < len(r.tokens) && (r.next.role != valueRole || isPast(folded))
}

// isPolar reports whether a word says yes or no here: "enable", "is off".
func (r *clause) isPolar(at int, word string) bool {
	if strings.HasSuffix(r.tokens[at].folded, "ion") || word == "off" && slices.Contains([]string{"go", "kick", "sign", "log", "cut", "hand"}, r.word(at-1)) {
		return false
	}
	if known().polar[word].word != "yes" && !has(word, aside) && known().places[word] == "" && word != "off" {
		return r.next.role == valueRole || len(r.items) == 0 || isPast(r.tokens[at].folded) && r.isPreposition(at+1)
	}
	next := r.word(at + 1)
	last := at+1 == len(r.tokens) || known().places[next] != "" || has(next, scope|reason|nowWord) || strings.ContainsAny(r.tokens[at].chunk, ",.;")
	return last && !r.has(valueRole) && len(r.items) > 0
}

// isReason reports whether a reason or a consequence begins here.
func (r *clause) isReason(at int, word string) bool {
	valued := r.has(valueRole) && !r.isOnlyVerb()
	switch word {
	case "so":
		return at > 0
	case "due":
		return r.token(at+1).folded == "to"
	case "now":
		return r.token(at+1).folded == "that"
	case "as":
		asks := slices.Contains(determiners, r.token(at+1).folded) && strings.HasSuffix(r.token(at+3).chunk, "s") || strings.HasSuffix(r.token(at+2).chunk, "n't") // as the customer asks, as it can't
		verb := func(t *token) bool { return has(t.base(), link|modal) || isPast(t.folded) }
		return len(r.items) > 1 && has(r.word(at+1), pronoun|denial) || valued && r.linkAt != 0 && !isIndefinite(r.token(at+1).folded) && (asks || r.soon(at, verb))
	case "after", "nach", "seit": // rather than "after an hour"
		_, used := readValue(r.tokens[min(at+1, len(r.tokens)-1):])
		return valued && used == 0 && r.linkAt != 0 // rather than "Run it after the deploy"
	}
	return has(word, reason)
}

// soon reports whether is returns true for one of the next six words of the clause.
func (r *clause) soon(at int, is func(t *token) bool) bool {
	for n := at + 1; n < min(at+7, len(r.tokens)) && !strings.ContainsAny(r.tokens[n-1].chunk[len(r.tokens[n-1].chunk)-1:], ",;") && !has(r.word(n), reason); n++ {
		if is(&r.tokens[n]) {
			return true
		}
	}
	return false
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

// preposition reads a preposition that opens a value, or limits the subject.
func (r *clause) preposition(prep string) {
	if r.past && (prep == "to" || prep == "auf") {
		r.moved, r.changed = true, true
	}
	named := slices.ContainsFunc(r.items, func(i item) bool { return i.role == valueRole && (i.kind != "" || i.name || i.grouped()) })
	switch {
	case r.next.role == rejected && r.has(valueRole) && !r.moved:
		r.next.prep = prep
	case len(r.items) == 0 && r.linkAt < 0:
		r.scope(prep)
	case r.linkAt < 0 && !slices.ContainsFunc(r.items, func(i item) bool { return !i.scoped }):
		r.scope("of") // in the lab in Ulm we
	case r.moved && prep == "from":
		r.next.role = rejected
	case r.replaced && prep == "with":
		for i := range r.items {
			if o := r.items[i]; o.at > r.linkAt && !o.scoped && (o.name || o.grouped()) {
				r.items[i].role = rejected
			}
		}
		r.next = item{role: valueRole, opened: true, prep: "to"}
	case !r.isOnlyVerb() && r.next.role != rejected && r.has(valueRole) && (named || prep != "with"):
		r.scope(prep)
	default:
		r.demote()
		r.next.role, r.next.scoped, r.next.prep = valueRole, false, prep
	}
	r.next.opened = true
}

// determiners precede a noun.
var determiners = strings.Fields("a an the my our your their der die das den dem ein eine unser unsere mein meine")

// isOnlyVerb reports whether the value is only the verb of "is stored in".
func (r *clause) isOnlyVerb() bool {
	n := slices.IndexFunc(r.items, func(i item) bool { return i.role == valueRole })
	if n < 0 || count(r.items, func(i item) bool { return i.role == valueRole }) > 1 {
		return false
	}
	i := r.items[n]
	return i.kind == "" && !i.name && !slices.Contains(determiners, r.token(i.at-1).folded) && (r.toBe || isPast(strings.ToLower(i.text)) || has(i.word, weak))
}

// demote makes the words that were taken for the value a part of the subject.
func (r *clause) demote() {
	for i := range r.items {
		if i := &r.items[i]; i.role == valueRole && i.kind == "" {
			i.role = subjectRole
		}
	}
}

// scope reads what the claim is limited to, which is part of the subject.
func (r *clause) scope(prep string) {
	r.next.role, r.next.scoped, r.next.prep, r.next.opened = subjectRole, true, prep, true
}
