package similar

import (
	"slices"
	"strings"
)

// Conflicts reports whether two claims give different values for one subject: what each
// says alone excludes the other, and nothing shows that their subjects differ. It is
// symmetric, and false for a claim and itself.
func (c *Claim) Conflicts(with *Claim) bool {
	if c == nil || with == nil {
		return false
	}
	p := compare(c, with)
	switch {
	case c.denied == with.denied && (c.adds || with.adds), c.completes(with):
		return false
	case p.shared == 0 && len(c.items)+len(with.items) > 2 && !c.rejects(with) && !with.rejects(c):
		return false
	case c.denied != with.denied:
		return p.denied()
	case c.denied && c.polar == "", p.a.isDated(), p.b.isDated():
		return false // two things are denied, or one is a reminder or an entry of a log
	case len(p.a.runs)+len(p.b.runs) == 0:
		return c.reverses(with)
	}
	return len(p.exclusive()) > 0
}

// exclusive returns the value or the words of the first claim instead of which the other
// one has others; none if there are none.
func (p pair) exclusive() []*item {
	for _, x := range p.a.runs {
		for _, y := range p.b.runs {
			if v := p.otherValue(x, y); len(v) > 0 {
				return v
			}
			if p.otherWords(x, y) || p.otherAgent(x, y) || p.inReason(x, y) {
				return x
			}
		}
	}
	return nil
}

// difference is what a claim says and another one does not.
type difference struct {
	*Claim
	runs [][]*item // of adjacent items in one phrase
}

// pair is two claims that are compared.
type pair struct {
	a, b   difference
	shared int // the weight of the words that both have
}

// compare separates what two claims share from what only one of them says.
func compare(x, y *Claim) pair {
	a, m := x.minus(y)
	b, n := y.minus(x)
	return pair{a: a, b: b, shared: min(m, n)}
}

// minus returns what only this claim says, and the weight of the rest. A word that one
// of them says twice is shared once: "Main branch is called main".
func (c *Claim) minus(other *Claim) (d difference, shared int) {
	d.Claim = c
	open, used := -1, make([]bool, len(other.items)) // open is the phrase of the last run, -1 once the run has ended
	for at, i := range c.items {
		n := other.find(i, used)
		switch {
		case i.role == rejected:
			open = -1
		case n >= 0:
			used[n], open, shared = true, -1, shared+1
			if i.kind == "" && i.telling() {
				shared++
			}
		case open == i.phrase:
			last := &d.runs[len(d.runs)-1]
			*last = (*last)[:len(*last)+1]
		default:
			d.runs, open = append(d.runs, c.items[at:at+1]), i.phrase
		}
	}
	return d, shared
}

// find returns the index of an unused item with the word or value of an item from another
// claim, or else with the same stem or another name of the same thing; -1 if there is
// none.
func (c *Claim) find(i *item, used []bool) int {
	stemAt := -1
	for n, o := range c.items {
		switch {
		case used[n] || o.role == rejected || o.kind != i.kind:
		case o.word == i.word:
			return n
		case i.kind == "" && (sameStem(i.word, o.word) || i.namesSame(o)):
			stemAt = n
		}
	}
	return stemAt
}

// isDated reports whether a claim gives a date without a verb.
func (d difference) isDated() bool {
	return !d.states && !slices.ContainsFunc(d.items, func(i *item) bool { return i.kind == "" && i.is(weak) }) &&
		slices.ContainsFunc(d.items, func(i *item) bool { return i.kind == "date" && i.link != ":" })
}

// reverses reports whether two claims with the same words relate them in opposite ways:
// "before the deploy" and "after the deploy", "merge over rebase" and "rebase over merge".
func (c *Claim) reverses(other *Claim) bool {
	return anyPair(c.items, other.items, func(x, y *item) bool {
		return x.word == y.word && ((x.prep == "before") != (y.prep == "before") || (x.prep == "over") != (y.prep == "over"))
	})
}

// rejects reports whether a claim says that a value of another one is outdated: "pnpm
// instead of yarn".
func (c *Claim) rejects(other *Claim) bool {
	return anyPair(c.items, other.items, func(x, y *item) bool { return x.role == rejected && x.value == y.value })
}

// rest returns the items of all runs, except the given ones.
func (d difference) rest(except ...*item) []*item {
	return without(slices.Concat(d.runs...), func(i *item) bool { return slices.Contains(except, i) })
}

// about returns the rest without words that usually go with a value like x, and without
// those of values in the same or later phrases.
func (d difference) about(x *item) []*item {
	return without(d.rest(x), func(i *item) bool {
		samePhrase := i.phrase == x.phrase && (x.kind == "" || i.at < x.at) // in-memory SQLite
		return x.isAbout(i.word) || i.role == valueRole && (samePhrase || i.kind == "" && i.phrase > x.phrase)
	})
}

// completes reports whether two claims have the ranges above and below one amount or date.
func (c *Claim) completes(other *Claim) bool {
	below := func(i *item) bool { return i.prep == "before" || i.prep == "until" }
	return anyPair(c.items, other.items, func(x, y *item) bool {
		return x.typed() && x.value == y.value && ((x.prep == "over") != (y.prep == "over") || below(x) != below(y))
	})
}

// anyPair reports whether a relation holds between an item of one list and one of another.
func anyPair(a, b []*item, holds func(x, y *item) bool) bool {
	return slices.ContainsFunc(a, func(x *item) bool {
		return slices.ContainsFunc(b, func(y *item) bool { return holds(x, y) })
	})
}

// saysWord reports whether a claim has a word, with any ending.
func (c *Claim) saysWord(word string) bool {
	return slices.ContainsFunc(c.items, func(i *item) bool { return sameStem(i.word, word) })
}

// sameSubject reports whether two claims are about one subject. The words that they
// share, and other evidence, must outweigh the words x and y that only one of them has,
// and x and y must not contrast. A missed conflict is better than a false one.
func (p pair) sameSubject(x, y []*item, evidence int) bool {
	x, y = withoutAspects(x, y), withoutAspects(y, x)
	evidence += step(p.a.changed || p.b.changed)
	cost := func(list []*item) (sum int) {
		for _, i := range list {
			if i.kind == "" { // a value of another kind tells no subjects apart: nightly
				sum += i.weight()
			}
		}
		return sum
	}
	less, more := min(cost(x), cost(y)), max(cost(x), cost(y))
	return !contrast(x, y) && p.shared+evidence >= 2+4*less+2*more
}

// denied reports whether one claim denies what the other says.
func (p pair) denied() bool {
	x, y := p.a.rest(), p.b.rest()
	same := p.a.polar == p.b.polar || p.a.polar+p.b.polar == "allow" // may, is blocked
	ofOthers := count(x, (*item).typed)+count(y, (*item).typed) > 0  // the values are of something else
	return same && !ofOthers && p.sameSubject(x, y, 0)
}

// mentions reports whether a text has one of some words outside its claim.
func (c *Claim) mentions(list []*item) bool {
	return slices.ContainsFunc(list, func(i *item) bool { return i.telling() && slices.Contains(c.rest(), i.value) })
}

// contrast reports whether words tell two subjects apart: "access logs" and "audit
// logs", "for partners" and "for guests", or an environment.
func contrast(a, b []*item) bool {
	if x, y := environments(a), environments(b); x != y && x+y != "product" { // production is the default
		return true
	}
	return anyPair(a, b, func(x, y *item) bool {
		return opposed([]string{x.word}, []string{y.word}) || otherAspect(x.word, y.word) || x.next != "" && sameStem(x.next, y.next)
	})
}

// withoutAspects returns words without those that name the same aspect of a thing as one of
// others: "deleted after three days" and "kept for two weeks" give a retention.
func withoutAspects(words, others []*item) []*item {
	return without(words, func(i *item) bool {
		aspect := known().aspects[i.word]
		return aspect != "" && slices.ContainsFunc(others, func(o *item) bool { return known().aspects[o.word] == aspect })
	})
}

// otherAspect reports whether two words name different aspects of things: timeout and
// retention.
func otherAspect(a, b string) bool {
	x, y := known().aspects[a], known().aspects[b]
	return x != "" && y != "" && x != y
}

// environments returns the environments among words, joined.
func environments(list []*item) (all string) {
	for _, i := range list {
		if i.role == subjectRole && i.is(environment) {
			all += i.word
		}
	}
	return all
}

// sameStem reports whether one word is the other with an ending: deploy, deployment.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 5 && !strings.ContainsAny(b, digits) && len(b)-len(a) <= 4 && strings.HasPrefix(b, a[:len(a)-1])
}
