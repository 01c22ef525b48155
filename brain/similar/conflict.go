package similar

import (
	"slices"
	"strings"
)

// Conflicts reports whether two claims give different values for one subject. It is
// symmetric, and false for a claim and itself.
func (c *Claim) Conflicts(with *Claim) bool {
	switch {
	case c == nil || with == nil:
		return false
	case c.name.contradicts(with.name), len(with.title) == 0 && c.name.contradicts(with.sentence), len(c.title) == 0 && c.sentence.contradicts(with.name):
		return true
	case contrast(c.titleWithout(with), with.titleWithout(c)):
		return false
	}
	return c.sentence.contradicts(with.sentence) || c.joined.contradicts(with.joined)
}

// titleWithout returns the words of the name that the other claim has nowhere.
func (c *Claim) titleWithout(other *Claim) []item {
	return without(c.title, func(i item) bool {
		in := func(r *reading) bool { return r != nil && r.says(i) }
		return in(other.sentence) || in(other.joined) || in(&reading{items: other.title})
	})
}

// contradicts reports whether two readings give different values for one subject.
func (r *reading) contradicts(with *reading) bool {
	if r == nil || with == nil || r.adds || with.adds {
		return false
	}
	p := compare(r, with)
	switch {
	case r.demands || with.demands:
		return p.sameFrame() || r.denied != with.denied && p.denied()
	case p.sameFrame(), p.otherOwner(), p.otherWords(), p.otherWord(), p.otherPerson(), p.outdates(p.a, p.b), p.outdates(p.b, p.a):
		return true
	case r.denied != with.denied:
		return p.denied()
	case r.denied && (!r.bound || !with.bound):
		return false
	}
	return p.otherProduct() || p.otherNumber()
}

// difference is what a reading says and another one does not.
type difference struct {
	*reading
	subject, values []item
	words           []item // of both, without values of a kind and what numbers count
	typed           int    // values of a kind
}

// pair is two readings that are compared.
type pair struct {
	a, b     difference
	shared   int // how much the words weigh that both have
	evidence int // that one outdates the other
}

// compare tells what two readings share from what only one of them says.
func compare(x, y *reading) pair {
	a, m := x.minus(y)
	b, n := y.minus(x)
	p := pair{a: a, b: b, shared: min(m, n)}
	if x.changed || y.changed {
		p.evidence = 1
	}
	return p
}

// minus returns what only this reading says, and how much the rest weighs.
func (r *reading) minus(other *reading) (d difference, shared int) {
	d.reading = r
	for _, i := range r.items {
		switch {
		case i.role == rejected:
		case other.says(i):
			if i.role != titleRole {
				shared++
			}
			if i.kind == "" && i.telling() {
				shared++
			}
		case i.role == titleRole:
		case i.role == valueRole, i.scoped && len(d.values) > 0 && slices.Contains([]string{"in", "to", "with"}, i.prep):
			d.values = append(d.values, i)
		default:
			d.subject = append(d.subject, i)
		}
	}
	d.typed = count(d.values, item.typed)
	d.words = without(slices.Concat(d.subject, d.values), func(i item) bool {
		return i.kind != "" || slices.ContainsFunc(r.items, func(n item) bool { return slices.Contains(n.counts, i.word) })
	})
	return d, shared
}

// says reports whether a reading has a word or value.
func (r *reading) says(i item) bool {
	return slices.ContainsFunc(r.items, func(o item) bool {
		return o.role != rejected && o.kind == i.kind && (o.word == i.word || i.kind == "" && akin(i.word, o.word))
	})
}

func (r *reading) saysWord(word string) bool { return r.says(item{value: value{word: word}}) }

// sameSubject reports whether two readings are about the same subject: what they share
// and the other evidence for it outweigh the words x and y that only one has, and none of
// these tells two subjects apart. The weights judge the pairs of testdata/claims.tsv
// right; a missed conflict is better than a false one.
func (p pair) sameSubject(x, y []item, evidence, cost int) bool {
	m, n := count(x, item.telling), count(y, item.telling)
	least, most := min(m, n), max(m, n)
	evidence += p.evidence
	if most == 0 {
		evidence++
	}
	if least == 0 && most == 1 && p.shared > 2 {
		evidence += 2
	}
	return !contrast(x, y) && (p.shared > 0 || evidence > 2) && p.shared+evidence >= 4+3*least+cost*most
}

// denied reports whether one reading denies what the other says.
func (p pair) denied() bool {
	evidence := -1
	if p.a.polar != "" && p.a.polar == p.b.polar {
		evidence = 1
	}
	return p.a.typed+p.b.typed == 0 && (p.a.polar == p.b.polar || p.a.polar == "" || p.b.polar == "") &&
		p.sameSubject(slices.Concat(p.a.subject, p.a.values), slices.Concat(p.b.subject, p.b.values), evidence, 2)
}

// otherNumber reports whether the readings have values of one kind that exclude each
// other: ports, dates, durations.
func (p pair) otherNumber() bool {
	isID := func(i item) bool { return i.kind == "number" || i.kind == "address" }
	ids := min(count(p.a.values, isID), count(p.b.values, isID))
	if ids > 1 || ids > 0 && min(count(p.a.values, item.isValue), count(p.b.values, item.isValue)) > ids {
		return false // of two things
	}
	for _, x := range p.a.values {
		for _, y := range p.b.values {
			if !p.excludes(x, y) {
				continue
			}
			evidence := 0
			if x.kind != "number" && x.kind != "duration" || x.label != "" && x.label == y.label {
				evidence += 2 // hardly anything has two
			}
			if x.last != "" && x.last == y.last && !has(x.last, weak|general|link|scope) {
				evidence += 2 // Postgres 14 and Postgres 16
			}
			return p.sameSubject(p.a.words, p.b.words, evidence, 1)
		}
	}
	return false
}

// excludes reports whether only one of two values can hold.
func (p pair) excludes(x, y item) bool {
	counted := countAlike(x, y) || len(x.counts) == 0 && slices.ContainsFunc(y.counts, p.a.saysWord) || len(y.counts) == 0 && slices.ContainsFunc(x.counts, p.b.saysWord)
	bounds := (x.prep == "before") == (y.prep == "before") && (x.prep == "over") == (y.prep == "over")
	return x.kind != "" && x.kind == y.kind && counted && bounds && !refines(x.word, y.word) && (x.label == "" || y.label == "" || x.label == y.label)
}

// refines reports whether one of two values is the other in more detail: June and 3 June,
// C++ and C++20. The root of paths, of which nothing is left, refines none.
func refines(x, y string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	rest, more := strings.CutPrefix(y, x)
	return more && x != "" && rest != "" && (rest[0] == ' ' || rest[0] == '.' || (x[len(x)-1] < '0' || x[len(x)-1] > '9') && rest[0] <= '9')
}

// countAlike reports whether two numbers count the same: "jobs" and "parallel jobs".
func countAlike(x, y item) bool {
	return len(x.counts)+len(y.counts) == 0 || slices.ContainsFunc(x.counts, func(a string) bool {
		return slices.ContainsFunc(y.counts, func(b string) bool { return akin(a, b) })
	})
}

// otherProduct reports whether the readings name different things of a group of which one
// is used for a purpose: Sentry, Rollbar. The words that such things are spoken of with
// tell no subjects apart.
func (p pair) otherProduct() bool {
	scoped := func(i item) bool { return i.scoped && i.role != valueRole }
	if count(p.a.values, item.isValue)+count(p.b.values, item.isValue) > 0 || !sharedKind(without(p.a.words, scoped), without(p.b.words, scoped)) {
		return false
	}
	if slices.ContainsFunc(slices.Concat(p.a.items, p.b.items), item.several) {
		return false
	}
	x, y := without(p.a.words, item.grouped), without(p.b.words, item.grouped)
	topic := func(i item) bool {
		return slices.ContainsFunc(p.a.values, func(v item) bool { return v.isAbout(i.word) })
	}
	return (count(x, topic) == len(x) && count(y, topic) == len(y) || !contrast(x, y)) && p.sameSubject(without(x, topic), without(y, topic), 2, 1)
}

// otherWords reports whether two readings of one subject have values that are words, in
// the same place: "CI runs on Jenkins" and "We moved CI to GitLab".
func (p pair) otherWords() bool {
	a, b := p.a, p.b
	place := a.placedAs(b.values) && b.placedAs(a.values)
	evident := a.moved || b.moved || (a.changed || b.changed || place) && p.shared > 2 || p.shared > 5
	path := func(i item) bool { return strings.Contains(i.text, "/") }
	switch {
	case !evident, p.shared < 2, a.typed+b.typed > 0, a.denied != b.denied, a.polar != b.polar, a.saysWord("own") != b.saysWord("own"),
		count(a.subject, item.telling)+count(b.subject, item.telling) > 0, count(a.values, item.telling) == 0, count(b.values, item.telling) == 0,
		slices.ContainsFunc(slices.Concat(a.items, b.items), item.several), environments(a.words) != environments(b.words),
		slices.ContainsFunc(a.values, path) != slices.ContainsFunc(b.values, path):
		return false
	}
	return place || sameGroups(a.values, b.values)
}

// placedAs reports whether each word that only this reading has follows a preposition
// that precedes one of others too.
func (d difference) placedAs(others []item) bool {
	return count(d.values, item.telling) > 0 && !slices.ContainsFunc(d.values, func(x item) bool {
		return x.telling() && !slices.ContainsFunc(others, func(y item) bool {
			return x.prep != "" && y.prep == x.prep && (x.next == "" || !akin(x.next, y.next))
		})
	})
}

// sameGroups reports whether two values can be of one kind: a database is not a language,
// and not a screenshot.
func sameGroups(a, b []item) bool {
	grouped := func(list []item) bool {
		return count(list, item.telling) == 1 && slices.ContainsFunc(list, item.grouped)
	}
	named := func(i item) bool { return i.name || i.kind != "" }
	switch m, n := grouped(a), grouped(b); {
	case m && n:
		return sharedKind(a, b)
	case m:
		return slices.ContainsFunc(b, named)
	case n:
		return slices.ContainsFunc(a, named)
	}
	return true
}

// otherOwner reports whether the readings name different owners of one thing: "Ada owns
// billing" and "Billing belongs to team Heron".
func (p pair) otherOwner() bool {
	named := func(i item) bool { return i.name && !i.scoped }
	other := func(i item) bool { return i.telling() && !named(i) }
	owner := func(i item) bool { return i.name && i.at == 0 }
	scoped := func(i item) bool { return !i.scoped }
	agent := func(i item) bool { return i.name && (i.prep == "with" || i.first) }
	a, b := p.a.words, p.b.words
	m, n := count(a, other), count(b, other)
	owned := p.a.saysWord("own") && p.b.saysWord("own")
	return (owned || len(a) == 1 && len(b) == 1 && agent(a[0]) && agent(b[0]) && a[0].first != b[0].first) && p.a.denied == p.b.denied && p.shared > 2 &&
		min(count(a, named), count(b, named)) > 0 && min(m, n) == 0 && max(m, n) < 2 &&
		!contrast(without(p.a.subject, owner), without(p.b.subject, owner)) && !contrast(without(a, scoped), without(b, scoped))
}

// outdates reports whether one reading names the value of the other besides its own value:
// "pnpm, since yarn hoists too much" after "The package manager is yarn".
func (p pair) outdates(newer, older difference) bool {
	named := func(i item) bool {
		rejects := func(r item) bool { return r.role == rejected && r.equal(i.value) }
		return i.kind == "" && i.telling() && !has(i.word, general) && (p.shared > 1 && slices.Contains(newer.rest, i.value) || i.name && slices.ContainsFunc(newer.items, rejects))
	}
	return min(count(newer.subject, item.telling), count(older.subject, item.telling)) == 0 &&
		count(newer.subject, item.telling)+count(newer.values, item.telling) > 0 && slices.ContainsFunc(older.values, named)
}

// contrast reports whether words tell two subjects apart: "access logs" and "audit
// logs", "for partners" and "for guests", or an environment.
func contrast(a, b []item) bool {
	if x, y := environments(a), environments(b); x != y && x+y != "product" {
		return true
	}
	return slices.ContainsFunc(a, func(x item) bool {
		return slices.ContainsFunc(b, func(y item) bool {
			sameNext := x.next != "" && akin(x.next, y.next)
			samePlace := x.scoped && y.scoped || x.heads() && y.heads() || x.prep != "" && x.prep == y.prep || sameNext || x.last != "" && akin(x.last, y.last)
			numbered := x.kind == "number" && y.kind == "number" || x.role != valueRole && y.role != valueRole && siblings(x.word, y.word)
			telling := (x.telling() || y.telling()) && (!x.isWeak() && !y.isWeak() || sameNext)
			return opposed([]string{x.word}, []string{y.word}) || samePlace && telling || numbered
		})
	})
}

// environments returns the environments among words, one after the other.
func environments(list []item) (all string) {
	for _, i := range list {
		if i.role == subjectRole && has(i.word, environment) {
			all += i.word
		}
	}
	return all
}

// siblings reports whether two words differ in a number alone: node1, node2.
func siblings(a, b string) bool {
	x, y := strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")
	return x == y && x != "" && a != b && x != a && y != b
}

// akin reports whether one word is the other with an ending: deploy, deployment.
func akin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 5 && !strings.ContainsAny(b, "0123456789") && len(b)-len(a) <= 4 && strings.HasPrefix(b, a[:len(a)-1])
}
