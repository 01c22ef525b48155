package similar

import (
	"slices"
	"strings"
)

// role is the part that a word plays in a claim.
type role int

const (
	subjectRole role = iota
	valueRole
	rejected // a value that does not hold: "not Redis", "from 5433"
)

// called is the link before a name.
const called = "called"

// item is a word or value of a clause.
type item struct {
	value
	lists  trait  // the lists that the word is on
	group  string // see value.group
	role   role
	text   string   // as written
	at     int      // number of the token
	phrase int      // number of the phrase, which a link or a preposition opens
	name   bool     // is written as a name
	prep   string   // the preposition before it
	link   string   // the link before it, such as "is"
	opened bool     // directly follows a link or a preposition
	scoped bool     // is part of a phrase such as "for uploads"
	first  bool     // begins the clause
	last   string   // the word before
	next   string   // the word after it in the same phrase
	label  string   // what a number is: "port"
	counts []string // what a number counts: "parallel", "jobs"
}

func (i *item) is(lists trait) bool { return i.lists&lists != 0 }

func (i *item) unscoped() bool { return !i.scoped }

// isAbout reports whether a word goes with values of this group: "data" with a database.
func (i *item) isAbout(word string) bool {
	return i.group != "" && known().topics[[2]string{word, i.group}]
}

// namesSame reports whether a subject may be named by its kind, or by what it is: the
// database, Postgres.
func (i *item) namesSame(o *item) bool {
	return i.role == subjectRole && o.role == subjectRole && (i.isAbout(o.word) || o.isAbout(i.word)) && !i.is(environment) && !o.is(environment)
}

// isSingle reports whether a word names one thing.
func (i *item) isSingle() bool {
	return i.name || i.group != "" || i.next == "" && strings.ContainsAny(i.text, "-_/.")
}

// isWeak reports whether a word hardly ever tells two subjects apart.
func (i *item) isWeak() bool { return !i.name && i.is(weak) }

// telling reports whether a word tells subjects apart.
func (i *item) telling() bool {
	return i.name || !i.is(general|weak|dateWord) || i.role == valueRole && i.group != ""
}

// isValue reports whether an item is a value, or the name of where or how something is
// done: "talks over HTTP".
func (i *item) isValue() bool {
	return i.role == valueRole || i.scoped && i.name && i.prep != "" && i.prep != "in" && !has(i.prep, scope)
}

// weight returns how much a word tells a subject from that of a text without it. A word that
// begins the clause or a phrase makes one subject of several.
func (i *item) weight() int {
	switch {
	case !i.telling():
		return 0
	case i.role == subjectRole && (i.first || i.prep != "" && i.opened):
		return 2 + step(i.first && i.next == "" && !i.name)
	}
	return 1
}

func count[T any](items []T, is func(T) bool) (n int) {
	for _, i := range items {
		if is(i) {
			n++
		}
	}
	return n
}

// without returns the items that are not so.
func without(items []*item, is func(*item) bool) []*item {
	return slices.DeleteFunc(slices.Clone(items), is)
}
