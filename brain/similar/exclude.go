package similar

import (
	"slices"
	"strings"
)

// otherValue returns the value of the first run that excludes one of the other run, of the
// same kind or group: a port, a date, Sentry but not Rollbar.
func (p pair) otherValue(a, b []item) []item {
	for n, x := range a {
		for _, y := range b {
			evidence, ok := p.excludes(x, y)
			if ok && !p.a.isOf(x) && !p.b.isOf(y) && !p.differInDetail(x, y) && p.sameSubject(p.a.about(x, p.b.reading), p.b.about(y, p.a.reading), evidence+p.retires(x, y)) {
				if x.kind == "" {
					return a[n:] // GitHub Actions
				}
				return a[n : n+1]
			}
		}
	}
	return nil
}

// endAlone reports whether two values end their phrases, with no other one beside them.
func (p pair) endAlone(x, y item) bool {
	inverted := x.first != y.first && x.next+y.next == "" // Postgres is what it runs on
	return (x.ends() && y.ends() || inverted) && (x.isPlace() && y.isPlace() || !p.a.several(x) && !p.b.several(y))
}

// isOf reports whether a date or a receiver limits what has the value behind it: the hours
// in December, the calls to SAP.
func (d difference) isOf(x item) bool {
	return !d.moved && x.kind != "date" && slices.ContainsFunc(d.rest(x), func(i item) bool {
		return i.at < x.at && (i.kind == "date" && i.prep == "in" || i.kind == "" && i.name && i.prep == "to" && x.kind != "")
	})
}

// differInDetail reports whether values come with other words behind one preposition, so that
// each is of something else: "on Monday to Ulm" and "on Tuesday to Bonn".
func (p pair) differInDetail(x, y item) bool {
	limited := func(d difference, v item) bool {
		return v.kind != "rhythm" && v.kind != "date" && slices.ContainsFunc(d.rest(v), func(i item) bool { return i.kind == "weekday" && i.prep != "from" })
	}
	return limited(p.a, x) != limited(p.b, y) || x.typed() && anyPair(p.a.rest(x), p.b.rest(y), func(v, w item) bool {
		samePlace := v.prep != "" && v.prep == w.prep || v.at > x.at && w.at > y.at
		return samePlace && v.telling() && w.telling()
	})
}

// excludes reports whether only one of two values can be true, and returns the evidence
// that they belong to one subject.
func (p pair) excludes(x, y item) (evidence int, ok bool) {
	switch {
	case p.outdates(x, y):
		return 3, true
	case x.group() != "" && x.group() == y.group():
		return 2, p.endAlone(x, y)
	case opposed([]string{x.word}, []string{y.word}):
		return 0, x.isPredicate() && y.isPredicate() && (x.next == y.next || x.next == "" || y.next == "") && min(count(p.a.rest(), item.typed), count(p.b.rest(), item.typed)) == 0
	case isVersion(x) && isVersion(y) && x.last == y.last && x.word != y.word && !refines(x.word, y.word):
		return 2, true // Postgres 15 and Postgres 16 run in production
	case x.kind == "" || x.kind != y.kind || refines(x.word, y.word):
		return 0, false
	}
	return p.excludesOfKind(x, y)
}

// excludesOfKind is excludes for two values of one kind, such as two numbers.
func (p pair) excludesOfKind(x, y item) (evidence int, ok bool) {
	counted := countAlike(x, y) || len(x.counts) == 0 && slices.ContainsFunc(y.counts, p.a.saysWord) || len(y.counts) == 0 && slices.ContainsFunc(x.counts, p.b.saysWord)
	other := func(d difference, v item) bool {
		numbered := v.last != "" && (v.prep == "in" || v.prep == "from" || v.prep == "of") // in hall 1
		return count(d.rest(v), func(i item) bool { return i.typed() || numbered && i.telling() }) > 0
	}
	if x.kind == "number" && x.prep != "to" && !slices.ContainsFunc(p.a.items, func(i item) bool { return i.prep == "to" }) && other(p.a, x) && other(p.b, y) {
		return 0, false // each is of something else
	}
	bounds := (x.prep == "before") == (y.prep == "before") && (x.prep == "over") == (y.prep == "over")
	evidence = 3*step(x.label != "" && x.label == y.label) + step(len(x.counts) > 0 && countAlike(x, y) || x.kind != "number" && x.kind != "duration")
	return evidence, (counted && bounds || p.shared > 2 && p.retires(x, y) > 0) && (x.label == "" || y.label == "" || x.label == y.label)
}

// isVersion reports whether a number follows the name of a product.
func isVersion(i item) bool {
	return (i.kind == "" || i.kind == "number") && strings.Trim(i.word, "0123456789.") == "" && item{value: value{word: i.last}}.grouped()
}

// outdates reports whether one reading says that the value of the other is outdated:
// "pnpm instead of yarn" after "The package manager is yarn".
func (p pair) outdates(x, y item) bool {
	replaced := x.role == valueRole && y.role == valueRole || x.grouped() && x.group() == y.group()
	return replaced && x.telling() && y.telling() && (p.a.rejects(y) || p.b.rejects(x))
}

// retires returns the evidence that the reason of one text speaks of the value of the other.
func (p pair) retires(x, y item) int {
	return 3 * step(slices.Contains(p.b.reading.rest(), x.value) != slices.Contains(p.a.reading.rest(), y.value))
}

// rejects reports whether a reading says that a value does not hold.
func (r *reading) rejects(i item) bool {
	return slices.ContainsFunc(r.items, func(o item) bool { return o.role == rejected && o.equal(i.value) })
}

// refines reports whether one of two values is a more detailed form of the other: June and
// 3 June, C++ and C++20. The root path, which is empty here, refines nothing.
func refines(x, y string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	rest, more := strings.CutPrefix(y, x)
	return more && x != "" && rest != "" && (rest[0] == ' ' || rest[0] == '.' || (x[len(x)-1] < '0' || x[len(x)-1] > '9') && rest[0] <= '9')
}

// countAlike reports whether two numbers count the same thing: "jobs" and "parallel jobs".
func countAlike(x, y item) bool {
	within := func(a, b []string) bool {
		return !slices.ContainsFunc(a, func(word string) bool {
			return !slices.ContainsFunc(b, func(other string) bool { return sameStem(word, other) })
		})
	}
	return within(x.counts, y.counts) && (len(x.counts) > 0 || len(y.counts) == 0) || len(y.counts) > 0 && within(y.counts, x.counts)
}
