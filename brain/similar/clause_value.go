package similar

import (
	"slices"
	"strings"
)

// readValue returns the value at a place, "an hour" and a path such as apps/web among
// them, and how many tokens it has; 0 if there is none.
func (r *clause) readValue(at int) (v value, used int) {
	t := &r.tokens[at]
	if v, used = readValue(r.tokens[at:]); used > 0 {
		return v, used
	}
	each := r.is(at-1, repeated)
	switch one := isIndefinite(t.folded); {
	case one && (each || r.isPreposition(at-1) || !r.has(valueRole)) && isDuration(r.token(at+1)):
		used = 2
	case one && r.is(at+1, general) && isDuration(r.token(at+2)):
		used = 3 // a full year
	case each && isDuration(t):
		used = 1
	}
	if used > 0 {
		v, _ = readNumber("1", unitOf(r.token(at+used-1)), r.tokens[at:at+1])
		return v, used
	}
	if r.next.prep != "" && strings.Contains(t.text, "/") {
		return value{kind: "address", word: strings.TrimSuffix(t.folded, "/")}, 1
	}
	return value{}, 0
}

// addValue adds a number, date or the like, which is a value wherever it stands.
func (r *clause) addValue(at, n int, v value) {
	if t := r.tokens[at]; identifies(r.tokens, at) {
		r.add(at, value{word: t.folded}, t.text, true)
		return
	}
	var text []string
	for _, t := range r.tokens[at : at+n] {
		text = append(text, t.text)
	}
	if v.kind == "number" && len(r.items) > 0 && r.is(at+n, toBe) && r.isPreposition(at+n+1) {
		r.add(at, value{word: v.word}, r.tokens[at].text, true) // wave 3 is in
		return
	}
	r.add(at+n-1, v, strings.Join(text, " "), false)
	i := r.items[len(r.items)-1]
	if i.role != rejected && (v.kind != "address" || !i.scoped) { // the certificate for api.example.com
		i.role = valueRole
	}
}

// finish sets what is known of the items only at the end of the clause: their
// neighbours, and the words that numbers stand next to.
func (r *clause) finish() {
	r.identify()
	if n := len(r.items) - 1; n > 0 && r.items[n].scoped && r.items[n].group != "" && !r.has(valueRole) {
		r.items[n].role = valueRole
	}
	for n := range r.items {
		i, before := r.items[n], &item{}
		if n > 0 {
			before = r.items[n-1]
			i.last, i.phrase = before.word, before.phrase+step(i.opened || i.scoped != before.scoped)
		}
		if n+1 < len(r.items) && r.items[n+1].kind == "" && r.items[n+1].at <= i.at+1 {
			i.next = r.items[n+1].word
		}
		if i.kind == "number" {
			r.label(n)
		}
	}
}

// label sets what the number of an item is, or what it counts.
func (r *clause) label(n int) {
	i := r.items[n]
	i.counts = r.nounsAfter(n)
	switch {
	case strings.Count(i.word, ".") > 1 || r.saysWord("version"):
		i.label = "version"
	case r.saysWord("port"):
		i.label = "port"
	}
}

// nounsAfter returns the words that stand right behind a number: "parallel jobs".
func (r *clause) nounsAfter(n int) (nouns []string) {
	for _, i := range r.items[n+1:] {
		if i.opened {
			break
		}
		nouns = append(nouns, i.word)
	}
	return nouns
}

// identify makes the number that tells the subject from others of its kind a part of
// it, as in "Row 17 is 4".
func (r *clause) identify() {
	valued := slices.ContainsFunc(r.items, func(i *item) bool { return i.at > r.linkAt && i.opened && !has(i.prep, scope) && !i.is(weak) })
	for n := range r.items[min(1, len(r.items)):] {
		before, i := r.items[n], r.items[n+1]
		if valued && i.kind == "number" && i.at < r.linkAt && before.kind == "" && before.at == i.at-1 {
			i.value, i.role, i.name = value{word: i.word}, subjectRole, true
		}
	}
}
