package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// readValue returns the value at a place, "an hour" and a path such as apps/web among
// them, and how many tokens it has; 0 if there is none.
func (r *clause) readValue(at int) (v value, used int) {
	t := &r.tokens[at]
	if v, used = readValue(r.tokens[at:]); used > 0 {
		return v, used
	}
	each := has(r.word(at-1), repeated)
	switch one := isIndefinite(t.folded); {
	case one && (each || r.isPreposition(at-1) || !r.has(valueRole)) && isDuration(r.token(at+1)):
		used = 2
	case one && has(r.word(at+1), general) && isDuration(r.token(at+2)):
		used = 3 // a full year
	case each && isDuration(t) && known().values[r.token(at+1).folded].kind == "": // rather than "every second Monday"
		used = 1
	}
	if used > 0 {
		v, _ = readNumber("1", unitOf(r.token(at+used-1)), r.tokens[at:at+1])
		return v, used
	}
	if r.next.role == valueRole && r.next.prep != "" && r.token(at-1).kind != numbers && strings.Contains(t.text, "/") {
		return value{kind: "address", word: strings.TrimSuffix(t.folded, "/")}, 1
	}
	return value{}, 0
}

// addValue adds a number, date or the like, which is a value wherever it stands.
func (r *clause) addValue(at, n int, v value) {
	if t := r.tokens[at]; identifies(r.tokens, at) || t.kind == versions && t.folded[0] == 'v' && (r.next.role == subjectRole || r.nounFollows(at)) { // v2 of the API
		r.add(at, value{word: t.folded}, t.text, true)
		return
	}
	var text []string
	for _, t := range r.tokens[at : at+n] {
		text = append(text, t.text)
	}
	if next := r.token(at + n); v.kind == "rhythm" && len(r.items) == 0 && next.kind == plain && !r.isPreposition(at+n) && !has(r.word(at+n), link) && r.linkAt < 0 {
		r.add(at, value{word: r.word(at)}, r.tokens[at].text, false) // the nightly job
		return
	}
	if before := r.word(at - 1); v.kind == "duration" && has(before, repeated) && (before != "onc" || isIndefinite(r.tokens[at].folded)) {
		v.kind = "rhythm"
	}
	if k := len(r.items) - 1; k >= 0 && r.linkAt < 0 && v.kind == "number" && r.items[k].kind == "number" && r.items[k].at == at-1 {
		r.doubt = true // of a list: fact 3 7
	}
	if r.isPartOfName(at, n, v) {
		r.add(at, value{word: v.word}, r.tokens[at].text, true) // Skylark 3 starts
		return
	}
	r.add(at+n-1, v, strings.Join(text, " "), false)
	i := &r.items[len(r.items)-1]
	if i.role != rejected && (v.kind != "address" || !i.scoped) { // the certificate for api.example.com
		i.role = valueRole
	}
	if v.kind == "duration" && known().places[r.word(at+n)] == "before" && !strings.HasSuffix(r.tokens[at+n-1].chunk, ",") {
		i.prep = "before"
	}
}

// isPartOfName reports whether a number belongs to the name before it, which no verb
// links to it: "Skylark 3 starts on Monday", "tier two is in Manila".
func (r *clause) isPartOfName(at, used int, v value) bool {
	n := len(r.items) - 1
	if n < 0 || r.linkAt >= 0 || v.kind != "number" || r.items[n].grouped() || r.items[n].at != at-1 {
		return false
	}
	next := r.token(at + used)
	verb := n == 0 && !r.items[n].isWeak() && next.text == next.folded && has(r.word(at+used), weak) && !r.isPreposition(at+used)
	return verb || has(r.word(at+used), toBe) && r.isPreposition(at+used+1)
}

// nounFollows reports whether a noun of the same phrase follows a token.
func (r *clause) nounFollows(at int) bool {
	next := r.token(at + 1)
	return next.kind == plain && r.tokens[at].chunk == r.tokens[at].text && !words.Stop(next.folded) && !r.isPreposition(at+1) && !has(r.word(at+1), reason|nowWord|link)
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
		switch {
		case i.kind == "duration" && slices.ContainsFunc(r.items, func(i item) bool { return strings.Contains(i.word, "interv") }):
			i.kind = "rhythm"
		case i.kind == "number":
			r.label(n, before)
		}
	}
}

// label sets what the number of an item is, or what it counts; before is the item in front
// of it.
func (r *clause) label(n int, before item) {
	i := &r.items[n]
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
	valued := slices.ContainsFunc(r.items, func(i item) bool { return i.opened && !has(i.prep, scope) && i.at > r.linkAt && !has(i.word, weak) })
	for n := range r.items[min(1, len(r.items)):] {
		before, i := r.items[n], &r.items[n+1]
		if valued && !r.moved && i.kind == "number" && i.at < r.linkAt && before.kind == "" && before.at == i.at-1 {
			i.value, i.role, i.name = value{word: i.word}, subjectRole, true
		}
	}
}
