package similar

import "slices"

// otherWord reports whether the readings are word for word alike but for one word, which
// is no part of a longer phrase ("blinks amber", "blinks blue while pairing"), or but for
// two words that are opposites ("tests run in parallel", "tests run serially").
func (p pair) otherWord() bool {
	x, okX := only(slices.Concat(p.a.subject, p.a.values))
	y, okY := only(slices.Concat(p.b.subject, p.b.values))
	switch {
	case !okX || !okY, p.a.denied != p.b.denied, p.a.polar != p.b.polar, !x.ends() || !y.ends():
		return false
	case opposed([]string{x.word}, []string{y.word}):
		return p.shared > 2
	}
	return p.shared > 5 && x.last != "" && x.last == y.last && len(p.a.items) == len(p.b.items) && !x.name && !y.name &&
		!slices.ContainsFunc(slices.Concat(p.a.items, p.b.items), item.several)
}

// ends reports whether a word can be a value: it neither begins the clause nor limits it,
// and nothing follows that it would be a part of.
func (i item) ends() bool { return !i.scoped && !i.first && i.next == "" }

// only returns the only telling word of a list.
func only(list []item) (one item, ok bool) {
	for _, i := range list {
		if i.kind != "" || i.telling() && one.word != "" {
			return item{}, false
		}
		if i.telling() {
			one = i
		}
	}
	return one, one.word != ""
}

// otherPerson reports whether the readings are alike but for the name that they begin
// with, and one of them says besides what became of the other name: "Ada approves
// refunds" and "Bob approves refunds. Ada has left".
func (p pair) otherPerson() bool {
	x, okX := only(slices.Concat(p.a.subject, p.a.values))
	y, okY := only(slices.Concat(p.b.subject, p.b.values))
	return okX && okY && x.first && y.first && x.name && y.name && p.a.denied == p.b.denied && p.shared > 2 &&
		(slices.Contains(p.a.rest, y.value) || slices.Contains(p.b.rest, x.value))
}
