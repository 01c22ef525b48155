package similar

import (
	"slices"
	"strings"
)

// Conflicts reports whether two claims give different values for one subject. It is
// symmetric, and false for a claim and itself.
func (c *Claim) Conflicts(with *Claim) bool {
	if c == nil || with == nil {
		return false
	}
	a, b := c.minus(with), with.minus(c)
	if contrast(a.title, b.title, true) {
		return false
	}
	if c.readings.replace(with.readings) || a.ownedBy(b) || a.otherValue(b) || a.outdatedBy(b) || b.outdatedBy(a) {
		return true
	}
	evidence := 0
	if c.changed || with.changed {
		evidence++
	}
	isID := func(i item) bool { return i.kind == "number" || i.kind == "address" }
	ids := min(count(a.values, isID), count(b.values, isID))
	x, y := count(a.values, item.typed), count(b.values, item.typed)
	switch kind := a.excludes(b); {
	case c.denied != with.denied:
		if evidence--; a.polar != "" && a.polar == b.polar {
			evidence += 2
		}
		return x+y == 0 && (a.polar == b.polar || a.polar == "" || b.polar == "") &&
			sameSubject(a, b, slices.Concat(a.subject, a.values), slices.Concat(b.subject, b.values), evidence, 2)
	case c.denied, ids > 1, ids > 0 && min(count(a.values, item.isValue), count(b.values, item.isValue)) > ids: // of two things
		return false
	case kind == "" && x+y == 0 && sharedKind(a.values, b.values):
		hasKind := func(i item) bool { return i.group() != "" }
		return sameSubject(a, b, slices.DeleteFunc(a.words(), hasKind), slices.DeleteFunc(b.words(), hasKind), evidence+2, 1)
	case kind != "":
		return sameSubject(a, b, a.words(), b.words(), evidence+a.outdates(b, kind)+b.outdates(a, kind)+a.sameLabel(b, kind), 1)
	}
	return false
}

// otherValue reports whether two claims of one subject have values that are words, in the
// same place: "CI runs on Jenkins" and "We moved CI to GitLab".
func (d difference) otherValue(o difference) bool {
	subjects := count(d.subject, item.telling) + count(o.subject, item.telling)
	values := min(count(d.values, item.telling), count(o.values, item.telling))
	typed := count(d.values, item.typed)+count(o.values, item.typed) > 0
	several := slices.ContainsFunc(slices.Concat(d.items, o.items), item.several)
	shared := min(d.shared, o.shared)
	place := slices.ContainsFunc(d.values, func(x item) bool {
		return x.prep != "" && slices.ContainsFunc(o.values, func(y item) bool { return y.prep == x.prep && (x.next == "" || !akin(x.next, y.next)) })
	})
	path := func(i item) bool { return strings.Contains(i.text, "/") }
	paths := slices.ContainsFunc(d.values, path) == slices.ContainsFunc(o.values, path)
	evident := d.moved || o.moved || (d.changed || o.changed || place) && shared > 2 || shared > 5
	return subjects == 0 && !typed && !several && values > 0 && shared > 1 && paths && evident && d.denied == o.denied && d.polar == o.polar
}

// ownedBy reports whether two claims name different owners of one thing: "Ada owns
// billing" and "Billing belongs to team Heron".
func (d difference) ownedBy(o difference) bool {
	named := func(i item) bool { return i.name && !i.scoped }
	other := func(i item) bool { return i.telling() && !named(i) }
	a, b, owned := d.words(), o.words(), item{value: value{word: "own"}}
	m, n := count(a, other), count(b, other)
	return d.says(owned) && o.says(owned) && d.denied == o.denied && min(count(a, named), count(b, named)) > 0 &&
		min(m, n) == 0 && max(m, n) < 2 && min(d.shared, o.shared) > 2
}

// outdatedBy reports whether the other claim names the value of this one besides its own
// value: "pnpm, since yarn hoists too much" after "The package manager is yarn".
func (d difference) outdatedBy(o difference) bool {
	subjects := min(count(d.subject, item.telling), count(o.subject, item.telling))
	return subjects == 0 && (count(o.values, item.telling) > 0 || min(d.shared, o.shared) > 3 && count(o.words(), item.telling) > 0) && min(d.shared, o.shared) > 1 &&
		slices.ContainsFunc(d.values, func(i item) bool { return i.kind == "" && i.telling() && slices.Contains(o.rest, i.value) })
}

// difference is what a claim says and another one does not.
type difference struct {
	*Claim
	shared  int // how much the words weigh that the other has as well
	subject []item
	values  []item
	title   []item
}

func (c *Claim) minus(other *Claim) difference {
	d := difference{Claim: c}
	seen := map[string]bool{}
	for _, i := range c.items {
		switch {
		case i.role == rejected:
		case other.says(i):
			if seen[i.word] {
				continue
			}
			seen[i.word] = true
			if i.role != titleRole {
				d.shared++
			}
			if i.kind == "" && i.telling() {
				d.shared++
			}
		case i.role == titleRole:
			d.title = append(d.title, i)
		case i.role == valueRole:
			d.values = append(d.values, i)
		default:
			d.subject = append(d.subject, i)
		}
	}
	return d
}

// says reports whether a claim has a word or value.
func (c *Claim) says(i item) bool {
	return slices.ContainsFunc(c.items, func(o item) bool {
		return o.role != rejected && o.kind == i.kind && (i.role != valueRole || o.role != titleRole) &&
			(o.word == i.word || i.kind == "" && akin(i.word, o.word))
	})
}

// akin reports whether one word is the other with an ending: deploy, deployment.
func akin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 5 && !strings.ContainsAny(b, "0123456789") && len(b)-len(a) <= 4 && strings.HasPrefix(b, a[:len(a)-1])
}

func (i item) isValue() bool { return i.kind != "" }

// isWeak reports whether a word hardly ever tells two subjects apart.
func (i item) isWeak() bool { return !i.name && has(i.word, weak) }

// telling reports whether a word tells subjects apart.
func (i item) telling() bool {
	return i.name || !has(i.word, general|weak) || i.role == valueRole && i.group() != ""
}

// several reports whether more than one value can hold after the word.
func (i item) several() bool { return has(i.word, several) && i.role != titleRole }

func count[T any](items []T, is func(T) bool) (n int) {
	for _, i := range items {
		if is(i) {
			n++
		}
	}
	return n
}

// words returns the words that only this claim has, without what numbers count.
func (d difference) words() []item {
	return slices.DeleteFunc(slices.Concat(d.subject, d.values), func(i item) bool {
		return i.kind != "" || slices.ContainsFunc(d.items, func(n item) bool { return n.counted == i.word })
	})
}

// sameSubject reports whether two claims are about the same subject: what they share, at
// two points a telling word, and the other evidence for it outweigh the words x and y
// that only one has, and none of these tells two subjects apart. The weights judge the pairs
// of testdata/claims.tsv right; a missed conflict is better than a false one.
func sameSubject(a, b difference, x, y []item, evidence, cost int) bool {
	m, n := count(x, item.telling), count(y, item.telling)
	shared := min(a.shared, b.shared)
	if m+n == 0 {
		evidence++
	}
	if min(m, n) == 0 && max(m, n) == 1 && shared > 2 {
		evidence += 2
	}
	return !contrast(x, y, false) && (shared > 0 || evidence > 2) && shared+evidence >= 4+3*min(m, n)+cost*max(m, n)
}

// contrast reports whether words tell two subjects apart: "access logs" and "audit
// logs", "for partners" and "for guests", or an environment. In the names of memories
// every word does.
func contrast(a, b []item, names bool) bool {
	environment := func(i item) bool { return i.role != titleRole && has(i.word, environment) }
	if slices.ContainsFunc(a, environment) || slices.ContainsFunc(b, environment) {
		return true
	}
	return slices.ContainsFunc(a, func(x item) bool {
		return slices.ContainsFunc(b, func(y item) bool {
			samePlace := x.scoped && y.scoped || x.prep != "" && x.prep == y.prep
			sameWords := x.next != "" && akin(x.next, y.next) || x.last != "" && akin(x.last, y.last)
			numbered := x.kind == "number" && y.kind == "number"
			strong := (x.telling() || y.telling()) && (!x.isWeak() && !y.isWeak() || x.next != "" && y.next == x.next)
			return opposed([]string{x.word}, []string{y.word}) || (strong || names) && (samePlace || sameWords) || numbered
		})
	})
}

// sameLabel returns how much speaks for two values of a kind to be of one thing: the name
// before them is the same, as in "Postgres 14" and "Postgres 16".
func (d difference) sameLabel(o difference, kind string) int {
	for _, x := range d.values {
		for _, y := range o.values {
			if x.kind == kind && y.kind == kind && x.last != "" && x.last == y.last && !has(x.last, weak|general|link|scope) {
				return 2
			}
		}
	}
	return 0
}

// excludes returns the kind of which two claims have values that exclude each other.
func (d difference) excludes(other difference) string {
	says := func(d difference, word string) bool { return d.says(item{value: value{word: word}}) }
	for _, x := range d.values {
		for _, y := range other.values {
			counted := akin(x.counted, y.counted) || x.counted == "" && says(d, y.counted) || y.counted == "" && says(other, x.counted)
			bounds := (x.prep == "before") == (y.prep == "before") && (x.prep == "over") == (y.prep == "over")
			if x.kind != "" && x.kind == y.kind && counted && bounds {
				return x.kind
			}
		}
	}
	return ""
}

// outdates returns how much speaks for a value of the other to be outdated: it is
// named as such, or besides the claim.
func (d difference) outdates(other difference, kind string) int {
	for _, i := range other.values {
		switch {
		case i.kind != kind && i.kind != "address":
		case slices.ContainsFunc(d.items, func(o item) bool { return o.role == rejected && o.equal(i.value) }):
			return 3
		case slices.ContainsFunc(d.rest, i.equal):
			return 2
		}
	}
	return 0
}
