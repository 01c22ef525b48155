package similar

import (
	"slices"
	"strings"
)

// otherWords reports whether two runs are words in one place of statements that are
// otherwise the same: "Secrets are kept in Vault" and "Secrets are kept in Bitwarden".
func (p pair) otherWords(a, b []item) bool {
	restA, restB := p.a.rest(a...), p.b.rest(b...)
	x, y := a[0], b[0]
	tells := func(i item) bool { return i.telling() || i.scoped }
	value := func(i item) bool { return i.role == valueRole || i.isPlace() }
	moved := p.a.moved || p.b.moved
	switch {
	case p.a.optional && p.b.optional:
		return false
	case p.shared < 2 && len(p.a.items)+len(p.b.items) > 4, count(restA, tells)+count(restB, tells) > 0, contrast(restA, restB),
		count(a, value) < len(a), count(b, value) < len(b), count(a, tells) > 1 && count(b, tells) > 1:
		return false
	case (x.link == called) != (y.link == called), (x.prep == "as") != (y.prep == "as"):
		return false // what something is, and its name; as a PDF, by Ada
	case count(a, item.typed)+count(b, item.typed) > 0 && (!x.name || !y.name), p.a.saysWord("own") != p.b.saysWord("own"), len(restA) > 0 && len(restB) > 0 && !moved && x.prep != "to", x.every != y.every && len(a)+len(b) > 2, p.a.several(x), p.b.several(y):
		return false
	case x.prep != y.prep && !moved && (!x.isSingle() || !y.isSingle() || x.prep+y.prep != "in"), (x.last != y.last || x.phrase == 0 || y.phrase == 0) && (!x.opened || !y.opened):
		return false
	}
	return p.sameGroups(a, b) && p.isOnly(a, b) || len(a)+len(b) == 2 && p.isOfKind(x, y)
}

// inReason reports whether the reason of one text names what the other one says instead:
// "We moved to Postmark, since Mailgun is on a blocklist".
func (p pair) inReason(a, b []item) bool {
	value := func(i item) bool {
		return i.role == valueRole && i.kind != "ordinal" || i.isPlace() || i.scoped && i.name
	}
	common := func(i item) bool {
		return !i.isSingle() && (i.role != valueRole || count(a, item.typed)+count(b, item.typed) > 0)
	}
	gives := func(d difference, run []item) bool { // a value, or who does something
		return slices.ContainsFunc(run, value) || run[0].first && run[0].name && !d.has(valueRole)
	}
	means := func(i item) bool { return slices.Contains([]string{"with", "per", "over", "from"}, i.prep) }
	x, y := groupOf(a), groupOf(b)
	switch {
	case x != y && x != "" && y != "", !gives(p.a, a), !gives(p.b, b),
		!p.sameSubject(without(p.a.about(a[0], p.b.reading), value), without(p.b.about(b[0], p.a.reading), value), 3),
		a[0].prep != b[0].prep && min(a[0].prep, b[0].prep) != "" && (!means(a[0]) || !means(b[0])):
		return false
	}
	return p.a.mentions(without(b, common)) != p.b.mentions(without(a, common)) // rather than reasons for each other
}

// isOfKind reports whether the subject says of which kind two values are, and one of them
// is known as such: the default branch is trunk, or release.
func (p pair) isOfKind(x, y item) bool {
	head, bare := p.a.head(), func(i item) bool { return i.grouped() || !isPast(strings.ToLower(i.text)) }
	return head.word == p.b.head().word && (x.isAbout(head.word) || y.isAbout(head.word)) && bare(x) && bare(y)
}

// isOnly reports whether words in one place name something of which there is only one,
// rather than describe what may be so besides.
func (p pair) isOnly(a, b []item) bool {
	x, y := a[0], b[0]
	nameA, nameB := slices.ContainsFunc(a, item.isSingle), slices.ContainsFunc(b, item.isSingle)
	next := a[len(a)-1].next
	sameNext, sameLink := next != "" && next == b[len(b)-1].next, x.link == y.link
	switch {
	case nameA && nameB, x.link == called && y.link == called:
		return true
	case x.prep == "to" && y.prep == "to": // rather than "is allowed to export"
		return p.a.moved || p.b.moved || x.next+y.next == ""
	}
	return x.prep != "" && y.prep != "" || x.link == ":" || y.link == ":" ||
		sameLink && x.link == "use" && sameNext || sameLink && x.link == "is" && p.a.head().isWeak() && p.b.head().isWeak()
}

// otherModifier reports whether words in one place tell two things of a kind apart, one of
// which a statement names: "goes to the quarantine queue", "goes to the rejection queue".
func (p pair) otherModifier(a, b []item) bool {
	x, y := a[0], b[0]
	alone := len(a)+len(b) == 2 && len(p.a.runs)+len(p.b.runs) == 2 && x.kind+y.kind == ""
	many := p.a.optional || p.a.several(x) || p.b.several(y)
	return alone && p.shared >= 4 && !many && x.role == valueRole && y.role == valueRole && x.phrase > 0 && y.phrase > 0 &&
		x.prep == y.prep && x.link == y.link && x.next != "" && x.next == y.next
}

// head returns the last word of the phrase that begins the clause.
func (r *reading) head() (head item) {
	for _, i := range r.items {
		if i.phrase == 0 && i.role == subjectRole {
			head = i
		}
	}
	return head
}

// several reports whether a word before a value says that there may be more of them.
func (d difference) several(value item) bool {
	return slices.ContainsFunc(d.items, func(i item) bool {
		compound := (value.link == "is" || i.first) && i.next != "" // the support person is, field tests
		return i.at < value.at && !i.scoped && has(i.word, several) && !compound && (value.link != "is" || !value.grouped()) && value.prep != "over"
	})
}

// sameGroups reports whether two values can be of one kind: a database is not a language,
// and not a screenshot.
func (p pair) sameGroups(a, b []item) bool {
	x, y := groupOf(a), groupOf(b)
	named := func(i item) bool { return i.name || i.kind != "" }
	samePlace := (a[0].prep != "" || a[0].link == ":") && a[0].prep == b[0].prep || p.a.moved || p.b.moved
	return x == y || p.sharesTopic(a[0], b[0]) || samePlace && (x == "" || y == "" || a[0].prep == b[0].prep && !p.a.moved && !p.b.moved) && x != english && y != english &&
		(x != "" || slices.ContainsFunc(a, named)) && (y != "" || slices.ContainsFunc(b, named))
}

// sharesTopic reports whether two values are of groups of which one is spoken of with a
// word that both readings have: SQLite and Redis, both for the cache.
func (p pair) sharesTopic(x, y item) bool {
	return x.grouped() && y.grouped() && slices.ContainsFunc(p.a.items, func(i item) bool {
		return (x.isAbout(i.word) || y.isAbout(i.word)) && p.b.says(i)
	})
}

// english stands for human languages, with which no other value competes.
const english = "english"

func groupOf(list []item) string {
	for _, i := range list {
		if i.grouped() {
			return i.group()
		}
	}
	return ""
}

// otherAgent reports whether the readings name different people or teams who do one thing:
// "Ada owns billing" and "Billing is owned by team Heron".
func (p pair) otherAgent(a, b []item) bool {
	owned := p.a.saysWord("own") && p.b.saysWord("own")
	if owned { // takes care of
		a, b = withoutVerb(a), withoutVerb(b)
	}
	agent := func(list []item) bool {
		i, next := list[0], list[len(list)-1].next
		acts := next == "" || next == "own" || has(next, duty) || owned && has(next, weak)
		return !slices.ContainsFunc(list, func(i item) bool { return i.kind != "" || !i.name && (!i.first || !owned) }) && !i.scoped &&
			(i.first && acts || i.prep == "with" || i.prep == "to" || i.prep == "" && i.link == "is")
	}
	tells := func(i item) bool { return i.telling() || i.typed() }
	x, y := a[0], b[0]
	passive := (x.prep == "with") != (y.prep == "with") // is done by Ada
	return agent(a) && agent(b) && (owned || p.a.mentions(b) || p.b.mentions(a) || x.first != y.first || passive || x.first) && (p.shared > 2 || passive) &&
		count(p.a.rest(a...), tells)+count(p.b.rest(b...), tells) == 0
}

// withoutVerb returns a list without the weak words behind the first one.
func withoutVerb(list []item) []item {
	for len(list) > 1 && list[len(list)-1].isWeak() {
		list = list[:len(list)-1]
	}
	return list
}
