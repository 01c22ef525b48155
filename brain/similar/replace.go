package similar

import (
	"slices"
	"strings"
)

// otherWords reports whether two runs are words in one place of statements that are
// otherwise the same: "Secrets are kept in Vault" and "Secrets are kept in Bitwarden".
func (p pair) otherWords(a, b []*item) bool {
	restA, restB := p.a.rest(a...), p.b.rest(b...)
	x, y := a[0], b[0]
	moved := p.a.moved || p.b.moved
	bothHold := p.a.optional && p.b.optional || p.a.several(x) || p.b.several(y)
	fewShared := p.shared < 2 && len(p.a.items)+len(p.b.items) > 4
	unlike := count(restA, (*item).telling)+count(restB, (*item).telling) > 0 || len(restA) > 0 && len(restB) > 0 && !moved && x.prep != "to"
	noValue := count(a, (*item).isValue) < len(a) || count(b, (*item).isValue) < len(b)
	typed := count(a, (*item).typed)+count(b, (*item).typed) > 0 && (!x.name || !y.name)
	elsewhere := x.prep != y.prep && !moved && (!x.isSingle() || !y.isSingle()) // as a PDF, by Ada
	ofName := (x.link == called) != (y.link == called)                          // what something is, and its name
	if bothHold || fewShared || unlike || noValue || typed || elsewhere || ofName || p.a.saysWord("own") != p.b.saysWord("own") {
		return false
	}
	return p.sameGroups(a, b) && p.isOnly(a, b) || p.isOfKind(x, y)
}

// inReason reports whether the reason of one text names what the other one says instead:
// "We moved to Postmark, since Mailgun is on a blocklist".
func (p pair) inReason(a, b []*item) bool {
	value := func(i *item) bool { return i.role == valueRole || i.scoped && i.name }
	means := func(i *item) bool { return slices.Contains([]string{"with", "per", "over", "from"}, i.prep) }
	samePlace := a[0].prep == b[0].prep || means(a[0]) && means(b[0])
	x, y := groupOf(a), groupOf(b)
	unlike := x != y && x != "" && y != ""
	return samePlace && !unlike && slices.ContainsFunc(a, value) && slices.ContainsFunc(b, value) &&
		p.sameSubject(without(p.a.about(a[0]), value), without(p.b.about(b[0]), value), 3) &&
		p.a.mentions(b) != p.b.mentions(a) // rather than reasons for each other
}

// isOfKind reports whether the subject says of which kind two values are, and one of them
// is known as such: the default branch is trunk, or release.
func (p pair) isOfKind(x, y *item) bool {
	head := p.a.head().word
	return head == p.b.head().word && (x.isAbout(head) || y.isAbout(head)) && !isPast(strings.ToLower(x.text)) && !isPast(strings.ToLower(y.text))
}

// isOnly reports whether words in one place name something of which there is only one,
// rather than describe what may be so besides.
func (p pair) isOnly(a, b []*item) bool {
	x, y := a[0], b[0]
	single := slices.ContainsFunc(a, (*item).isSingle) && slices.ContainsFunc(b, (*item).isSingle)
	if !single && x.prep == "to" && y.prep == "to" { // rather than "is allowed to export"
		return x.next == y.next
	}
	ofOne := x.link == "is" && y.link == "is" && p.a.head().isWeak() && p.b.head().isWeak()
	return single || ofOne || x.link == called && y.link == called || x.link == ":" || y.link == ":" || x.prep != "" && y.prep != ""
}

// head returns the last word of the phrase that begins the clause.
func (c *Claim) head() *item {
	head := &item{}
	for _, i := range c.items {
		if i.phrase == 0 && i.role == subjectRole {
			head = i
		}
	}
	return head
}

// several reports whether a word before a value says that there may be more of them.
func (d difference) several(value *item) bool {
	return slices.ContainsFunc(d.items, func(i *item) bool {
		compound := value.link == "is" && i.next != "" // the support person is
		return i.at < value.at && i.is(several) && !compound && value.prep != "over"
	})
}

// sameGroups reports whether two values can be of one kind: a database is not a language,
// and not a screenshot.
func (p pair) sameGroups(a, b []*item) bool {
	x, y := groupOf(a), groupOf(b)
	named := func(i *item) bool { return i.name || i.group != "" || i.kind != "" }
	samePlace := a[0].prep != "" && a[0].prep == b[0].prep || p.a.moved || p.b.moved
	oneKnown := (x == "" || y == "") && slices.ContainsFunc(a, named) && slices.ContainsFunc(b, named)
	return x == y || p.sharesTopic(a[0], b[0]) || samePlace && oneKnown
}

// sharesTopic reports whether two values are of groups of which one is spoken of with a
// word that both claims have: SQLite and Redis, both for the cache.
func (p pair) sharesTopic(x, y *item) bool {
	return x.group != "" && y.group != "" && slices.ContainsFunc(p.a.items, func(i *item) bool {
		return (x.isAbout(i.word) || y.isAbout(i.word)) && p.b.saysWord(i.word)
	})
}

func groupOf(list []*item) string {
	for _, i := range list {
		if i.group != "" {
			return i.group
		}
	}
	return ""
}

// otherAgent reports whether the claims name different people or teams who do one thing:
// "Ada owns billing" and "Billing is owned by team Heron".
func (p pair) otherAgent(a, b []*item) bool {
	owned := p.a.saysWord("own") && p.b.saysWord("own")
	agent := func(list []*item) bool {
		i, next := list[0], list[len(list)-1].next
		acts := i.first && (next == "" || has(next, duty|weak))
		isOwner := i.prep == "with" || i.prep == "to" || i.prep == "" && i.link == "is"
		other := func(i *item) bool { return i.kind != "" || !i.name && (!owned || !i.first && !i.isWeak()) }
		return (acts || isOwner) && !i.scoped && !slices.ContainsFunc(list, other)
	}
	x, y := a[0], b[0]
	tells := func(i *item) bool { return i.telling() || i.typed() }
	return agent(a) && agent(b) && (owned || x.first || y.first) && p.shared > 2 &&
		count(p.a.rest(a...), tells)+count(p.b.rest(b...), tells) == 0
}
