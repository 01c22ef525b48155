package similar

import (
	"slices"
	"strings"
)

// readFunction reads a word that says how the words around it belong together. It
// reports whether the word was one.
func (r *clause) readFunction(at int, w lexeme) bool {
	if r.tokens[at].folded == "am" && r.token(at-1).folded != "i" { // am Montag
		r.preposition("in")
		return true
	}
	return r.readLimit(at, w) || r.readVerb(at, w) || r.readPreposition(at, w)
}

// readLimit reads a word that ends the clause, or says that it does not hold.
func (r *clause) readLimit(at int, w lexeme) bool {
	folded := r.tokens[at].folded
	and := folded == "and" || folded == "und"
	switch p, polar := known().polar[w.word]; {
	case w.word == "from" && r.is(at+1, nowWord), w.word == "on" && r.is(at-1, nowWord):
		r.changed = true
	case r.isReason(at, w):
		r.ended, r.final = true, len(r.items) > 0
	case and && r.has(valueRole) && isVerbLike(r.token(at+1).folded):
		r.ended = true
	case and && r.has(rejected) && !r.has(valueRole):
		r.next = item{} // we dropped this and use that
	case w.is(doubt) && folded != "possible":
		r.doubt = true
	case len(r.items) == 0 && known().places[w.word] == "until", folded == "used" && r.token(at+1).folded == "to" && !r.is(at-1, toBe):
		r.doubt = true // it may no longer apply: "Until May, …"
	case polar && r.isPolar(at, w):
		r.polar, r.denied = p.word, r.denied != p.no
	case r.readDenial(at, w):
	case w.is(addition), r.isAlso(at):
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
		return at+1 == len(r.tokens) || t.chunk != t.text || r.is(at+1, reason)
	case "well":
		return r.token(at-1).folded == "as"
	}
	return false
}

// readDenial reads a word that says that something is not so, or that a value is not the
// one that holds.
func (r *clause) readDenial(at int, w lexeme) bool {
	switch {
	case w.word == "without" || w.word == "ohn":
		r.denied = !r.denied
	case w.is(denial) && r.contrasts(at) && strings.HasSuffix(r.tokens[at-1].chunk, ","):
		r.next.role = rejected
	case w.is(denial) && r.soon(at, func(t *token) bool { return t.folded == "than" || t.folded == "als" }): // not more than six
	case w.is(denial), w.word == "off" && r.token(at+1).folded == "limits":
		r.denied = true
	case w.is(rejection) && w.word != "over":
		r.next.role = rejected
	default:
		return false
	}
	return true
}

// readPreposition reads a preposition or another word that precedes a part of the clause.
func (r *clause) readPreposition(at int, w lexeme) bool {
	prep := known().places[r.tokens[at].folded] // "hintere" is none
	switch t := r.tokens[at]; {
	case t.text != t.folded && known().kinds[w.word] != "":
		return false // the MIT licence is no German preposition
	case w.is(honorific):
		r.next.opened = true
	case prep != "":
		r.preposition(prep)
	case w.is(scope):
		r.scope(w.word)
	case w.is(nowWord):
		r.changed = true
	default:
		return false
	}
	return true
}

// isReason reports whether a reason or a consequence begins here.
func (r *clause) isReason(at int, w lexeme) bool {
	switch w.word {
	case "so":
		return at > 0
	case "due":
		return r.token(at+1).folded == "to"
	case "now":
		return r.token(at+1).folded == "that"
	case "as":
		return r.is(at+1, pronoun|denial) || r.has(valueRole) && r.soon(at, func(t *token) bool { return t.is(link | modal) })
	case "after", "nach", "seit": // rather than "after an hour"
		_, used := readValue(r.tokens[min(at+1, len(r.tokens)-1):])
		return r.has(valueRole) && used == 0 && r.linkAt != 0 // rather than "Run it after the deploy"
	}
	return w.is(reason)
}

// soon reports whether is returns true for one of the next six words of the clause.
func (r *clause) soon(at int, is func(t *token) bool) bool {
	for n := at + 1; n < min(at+7, len(r.tokens)) && !strings.ContainsAny(r.tokens[n-1].chunk[len(r.tokens[n-1].chunk)-1:], ",;") && !r.is(n, reason); n++ {
		if is(&r.tokens[n]) {
			return true
		}
	}
	return false
}

// preposition reads a preposition that opens a value, or limits the subject.
func (r *clause) preposition(prep string) {
	switch {
	case r.linkAt < 0 && !slices.ContainsFunc(r.items, (*item).unscoped):
		r.scope(prep) // in the lab in Ulm we
	case r.moved && prep == "from":
		r.next.role = rejected
	case r.replaced && prep == "with":
		for _, i := range r.items {
			if !i.scoped && (i.name || i.group != "") {
				i.role = rejected
			}
		}
		r.next = item{role: valueRole, opened: true, prep: "to"}
	case !r.isOnlyVerb() && r.has(valueRole) && prep != "with":
		r.scope(prep)
	default:
		r.demote()
		r.next.role, r.next.scoped, r.next.prep = valueRole, false, prep
	}
	r.next.opened = true
}

// demote makes the words that were taken for the value a part of the subject.
func (r *clause) demote() {
	for _, i := range r.items {
		if i.role == valueRole && i.kind == "" {
			i.role = subjectRole
		}
	}
}

// scope reads what the claim is limited to, which is part of the subject.
func (r *clause) scope(prep string) {
	r.next.role, r.next.scoped, r.next.prep, r.next.opened = subjectRole, true, prep, true
}
