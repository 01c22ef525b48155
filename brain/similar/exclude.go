package similar

import (
	"slices"
	"strings"
)

// otherValue returns the value of the first run that excludes one of the other run, of the
// same kind or group: a port, a date, Sentry but not Rollbar.
func (p pair) otherValue(a, b []*item) []*item {
	for n, x := range a {
		for _, y := range b {
			evidence, ok := p.excludes(x, y)
			limited := ok && (p.a.isOf(x) || p.b.isOf(y) || p.differInDetail(x, y))
			switch {
			case !ok || limited || !p.sameSubject(p.a.about(x), p.b.about(y), evidence+p.retires(x, y)):
			case x.kind == "":
				return a[n:] // GitHub Actions
			default:
				return a[n : n+1]
			}
		}
	}
	return nil
}

// endAlone reports whether two values end their phrases, with no other one beside them.
func (p pair) endAlone(x, y *item) bool {
	ends := func(i *item) bool { return i.role == valueRole || !i.scoped && !i.first && i.next == "" }
	return ends(x) && ends(y) && !p.a.several(x) && !p.b.several(y)
}

// isOf reports whether a date or a receiver limits what has the value: the hours in December,
// or on Mondays, the calls to SAP.
func (d difference) isOf(x *item) bool {
	return slices.ContainsFunc(d.rest(x), func(i *item) bool {
		inMonth, toSomebody := i.kind == "date" && i.prep == "in", i.name && i.prep == "to" && x.kind != ""
		return i.kind == "weekday" && i.prep != "from" || i.at < x.at && (inMonth || toSomebody)
	})
}

// differInDetail reports whether values come with other words in one place, so that each is
// of something else: "on Monday to Ulm" and "on Tuesday to Bonn".
func (p pair) differInDetail(x, y *item) bool {
	return x.typed() && anyPair(p.a.rest(x), p.b.rest(y), func(v, w *item) bool {
		samePlace := v.prep != "" && v.prep == w.prep || v.at > x.at && w.at > y.at
		return samePlace && v.telling() && w.telling()
	})
}

// excludes reports whether only one of two values can be true, and returns the evidence
// that they belong to one subject.
func (p pair) excludes(x, y *item) (evidence int, ok bool) {
	predicate := func(i *item) bool { return i.role == valueRole || i.link == "is" }
	switch {
	case x.group != "" && x.group == y.group:
		return 2, p.endAlone(x, y)
	case opposed([]string{x.word}, []string{y.word}):
		return 0, predicate(x) && predicate(y) && min(count(p.a.rest(), (*item).typed), count(p.b.rest(), (*item).typed)) == 0
	case refines(x.word, y.word):
		return 0, false
	case isVersion(x) && isVersion(y) && x.last == y.last && x.word != y.word:
		return 2, true // Postgres 15 and Postgres 16 run in production
	}
	return p.excludesOfKind(x, y)
}

// excludesOfKind is excludes for two values of one kind, such as two numbers.
func (p pair) excludesOfKind(x, y *item) (evidence int, ok bool) {
	other := func(d difference, v *item) bool {
		partOf := v.prep == "from" || v.prep == "of"
		return count(d.rest(v), func(i *item) bool { return i.typed() || partOf && i.telling() }) > 0
	}
	unlike := x.kind == "" || x.kind != y.kind || x.label != "" && y.label != "" && x.label != y.label
	if unlike || x.kind == "number" && other(p.a, x) && other(p.b, y) {
		return 0, false
	}
	evidence = 3*step(x.label != "" && x.label == y.label) + step(x.kind != "number" && x.kind != "duration")
	alike := countAlike(x, y) && (x.prep == "over") == (y.prep == "over")
	return evidence, alike || p.shared > 2 && p.retires(x, y) > 0
}

// isVersion reports whether a number follows the name of a product.
func isVersion(i *item) bool {
	return strings.Trim(i.word, "0123456789.") == "" && value{word: i.last}.group() != ""
}

// retires returns the evidence that the reason of one text speaks of the value of the other.
func (p pair) retires(x, y *item) int {
	return 3 * step(slices.Contains(p.b.Claim.rest(), x.value) != slices.Contains(p.a.Claim.rest(), y.value))
}

// refines reports whether one of two values is a more detailed form of the other: June and
// 3 June, 7.1 and 7.1.3.
func refines(x, y string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	rest, more := strings.CutPrefix(y, x)
	return more && rest != "" && (rest[0] == ' ' || rest[0] == '.')
}

// countAlike reports whether two numbers count the same thing: "jobs" and "parallel jobs".
func countAlike(x, y *item) bool {
	return len(x.counts)+len(y.counts) == 0 || slices.ContainsFunc(x.counts, func(word string) bool {
		return slices.ContainsFunc(y.counts, func(other string) bool { return sameStem(word, other) })
	})
}
