package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Difference is the set of features in which two texts differ, as bits.
type Difference uint16

// The features that the contradiction guard compares.
const (
	Negation Difference = 1 << iota
	Number
	Date
	Version
	Path
	URL
	Symbol
	Name
	Antonym
	Order
)

// String names the features, as in "number and negation".
func (d Difference) String() string { return strings.Join(d.names(), " and ") }

func (d Difference) names() (names []string) {
	for i, name := range []string{
		"negation", "number", "date", "version", "path", "URL", "symbol", "name", "opposite word", "order of words",
	} {
		if d&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// withArticles names the features, as in "a number, a name and the order of words".
func (d Difference) withArticles() string {
	names := d.names()
	for i, name := range names {
		switch name {
		case "opposite word":
			names[i] = "an " + name
		case "order of words":
			names[i] = "the " + name
		default:
			names[i] = "a " + name
		}
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// Guard returns the features in which two texts differ that keep them from being
// merged by rule: a negation, number, date, version, path, URL or name, a pair of
// opposite words, a symbol of those that programs are written with (C# is not C,
// == is not !=), or the order of their content words. A question has another
// order than a statement. Guard is symmetric, and 0 for a text and itself.
func Guard(a, b Text) Difference {
	if a.normalised == b.normalised {
		return 0
	}
	x, y := a.parsed(), b.parsed()
	var d Difference
	for kind, marks := range x.marks {
		if !slices.Equal(marks, y.marks[kind]) {
			d |= 1 << kind
		}
	}
	if !x.named(y) || !y.named(x) {
		d |= Name
	}
	sharedX, onlyX := x.split(y)
	sharedY, onlyY := y.split(x)
	if opposed(onlyX, onlyY) || slices.ContainsFunc(slices.Concat(onlyX, onlyY), func(word string) bool { return has(word, modal) }) {
		d |= Antonym
	}
	if !slices.Equal(sharedX, sharedY) || x.question != y.question && !slices.Equal(x.written, y.written) {
		d |= Order
	}
	return d
}

// Opposed reports whether one of two texts denies what the other says, by a
// negation or by one of a pair of opposite words. It is symmetric.
func Opposed(a, b Text) bool {
	x, y := a.parsed(), b.parsed()
	_, onlyX := x.split(y)
	_, onlyY := y.split(x)
	return !slices.Equal(x.marks[negations], y.marks[negations]) || opposed(onlyX, onlyY)
}

// named reports whether all names of s are words of other, and all identifiers
// are written there in the same way: user_id is not user_ids.
func (s *statement) named(other *statement) bool {
	return !slices.ContainsFunc(s.names, other.lacks) &&
		!slices.ContainsFunc(s.identifiers, func(id string) bool { return !slices.Contains(other.written, id) })
}

// lacks reports whether a content word does not occur in s.
func (s *statement) lacks(word string) bool { return !slices.Contains(s.words, word) }

// split returns the content words of s that other has as often, and the rest, both
// in the order of s.
func (s *statement) split(other *statement) (shared, rest []string) {
	left := other.words // without what is at its place in both
	place := 0
	for place < min(len(s.words), len(left)) && s.words[place] == left[place] {
		place++
	}
	shared, left = slices.Clip(s.words[:place]), left[place:]
	counts := make(map[string]int, min(len(left), 8))
	for _, w := range left {
		counts[w]++
	}
	for _, w := range s.words[place:] {
		if counts[w]--; counts[w] >= 0 {
			shared = append(shared, w)
		} else {
			rest = append(rest, w)
		}
	}
	return shared, rest
}

// nearExact reports whether the content words of two texts differ in one place
// at most: by words that one text has more, none of which changes what is said
// as far as one can tell, or by the spelling.
func nearExact(x, y *statement) bool {
	a, b := x.words, y.words
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return !slices.ContainsFunc(slices.Concat(a, b), limits)
	}
	return slices.EqualFunc(a, b, nearSpelling)
}

// limits reports whether a word may change what the sentence around it says:
// almost, if, from, not.
func limits(word string) bool {
	return words.Stop(word) || has(word, negation|hedge|modal|dateWord)
}

// nearSpelling reports whether two words of five letters and more differ by one
// letter, or by two neighbours that are swapped. Other words have to be the same.
func nearSpelling(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < 5 || len(y)-len(x) > 1 || strings.ContainsAny(a+b, digits) {
		return a == b
	}
	for len(x) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return len(y) <= 1 || len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
}
