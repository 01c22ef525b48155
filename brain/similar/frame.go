package similar

import "slices"

// sameFrame reports whether two readings say the same but for the words in one place:
// "Secrets are kept in Vault" and "Secrets are kept in Bitwarden".
func (p pair) sameFrame() bool {
	a, b := p.a.body(), p.b.body()
	begin, end := sharedEnds(a, b)
	x, y := a[begin:len(a)-end], b[begin:len(b)-end]
	shared := begin + end
	several := slices.ContainsFunc(slices.Concat(a[max(0, begin-3):begin], b[max(0, begin-3):begin]), item.several)
	switch {
	case p.a.denied != p.b.denied && len(x)+len(y) == 0:
		return len(a) > 1
	case p.a.denied != p.b.denied, p.a.polar != p.b.polar, len(x) == 0, len(y) == 0, spelling(x) == spelling(y), x[0].prep != y[0].prep,
		several && x[0].grouped():
		return false
	case len(x) == 1 && len(y) == 1 && refines(x[0].word, y[0].word):
		return false
	case len(x) == 1 && len(y) == 1 && mayExclude(x[0], y[0]):
		return exclude(x[0], y[0], begin, shared)
	case len(x) == 2 && len(y) == 2 && x[0].equal(y[1].value) && x[1].equal(y[0].value) && x[1].prep != "" && x[1].prep == y[1].prep:
		return true // tabs over spaces
	case len(phrase(x)) < len(x) || len(phrase(y)) < len(y):
		if begin == 0 || !endsFreely(x) || !endsFreely(y) || count(x, item.typed) > 0 && count(y, item.typed) > 0 {
			return false
		}
	case len(x) < 3 && len(y) < 3 && sharedKind(x, y):
		return x[0].opened || shared > 0
	}
	if place := x[0].prep; shared > 0 && place == y[0].prep && (place == "" || place == "with") && x[0].opened && y[0].opened {
		shared++
	}
	opened := x[0].opened && y[0].opened && !several
	return shared > 1 && opened && canReplace(phrase(x)) && canReplace(phrase(y))
}

// mayExclude reports whether two words are opposites, of a kind or of a group.
func mayExclude(x, y item) bool {
	return opposed([]string{x.word}, []string{y.word}) || x.typed() || y.typed() || x.grouped() && y.grouped()
}

// exclude reports whether only one of two words can stand behind so many words, or
// between so many.
func exclude(x, y item, begin, shared int) bool {
	switch {
	case x.typed() || y.typed():
		return begin > 0 && shared > 1 && x.kind == y.kind && countAlike(x, y)
	case x.grouped() && x.group() == y.group():
		return x.opened || shared > 0
	case x.grouped() && y.grouped() && x.prep == "": // React and TypeScript
		return false
	}
	return shared > 0 && (begin > 0 || x.opened) && !has(x.word, environment)
}

// body returns the items in the order of the sentence.
func (r *reading) body() []item {
	return without(r.items, func(i item) bool { return i.role == titleRole || i.role == rejected })
}

// phrase returns the items up to the next preposition.
func phrase(list []item) []item {
	for n := range list {
		if n > 0 && (list[n].opened || list[n].scoped != list[0].scoped) {
			return list[:n]
		}
	}
	return list
}

// endsFreely reports whether the phrases behind the first one say more of the same place:
// "in the vault of the bank", but not "for guests".
func endsFreely(list []item) bool {
	tail := list[len(phrase(list)):]
	return list[0].opened && list[0].role == valueRole && list[0].prep != "" && !slices.ContainsFunc(tail, func(i item) bool {
		return has(i.prep, scope) && i.prep != "of" || has(i.word, environment)
	})
}

// canReplace reports whether words can be a value that excludes another one: they name
// something rather than describe it.
func canReplace(list []item) bool {
	named := slices.ContainsFunc(list, func(i item) bool { return i.name }) || list[0].prep != ""
	return len(list) <= 4 && !slices.ContainsFunc(list, func(i item) bool {
		verb := !i.name && isPast(i.text)
		return i.one || verb || i.typed() || i.scoped || i.role != valueRole && has(i.word, environment) || !named && has(i.word, general) && !i.grouped()
	})
}

// spelling returns words as one: "time-out" is "timeout".
func spelling(list []item) (joined string) {
	for _, i := range list {
		joined += i.word
	}
	return joined
}

// sharedEnds returns how many items two lists share at the beginning and then at the end.
// Neither ends within a word such as shop-assets.
func sharedEnds(a, b []item) (begin, end int) {
	least := min(len(a), len(b))
	for begin < least && a[begin].equal(b[begin].value) {
		begin++
	}
	for begin > 0 && begin < least && (a[begin].at == a[begin-1].at || b[begin].at == b[begin-1].at) {
		begin--
	}
	for end < least-begin && a[len(a)-1-end].equal(b[len(b)-1-end].value) {
		end++
	}
	return begin, end
}
