package similar

import (
	"slices"
	"strings"
)

// Difference is the set of what sets two texts apart, as bits; 0 for nothing.
type Difference uint16

// What the contradiction guard looks at.
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

// String names what differs, as in "number and negation".
func (d Difference) String() string {
	var names []string
	for i, name := range []string{
		"negation", "number", "date", "version", "path", "URL", "symbol", "name", "opposite word", "order of words",
	} {
		if d&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// Guard returns in what two texts differ that keeps them from being merged by
// rule: a negation, a number, a date, a version, a path, a URL, a name, a pair
// of opposite words, a symbol of those that programs are written with (C# is not
// C, == is not !=), or the order of their content words; a question is in
// another order than a statement. A result of Order
// alone means held only for the order. Guard is symmetric, and 0 for a text and
// itself.
func Guard(a, b Text) Difference {
	if a.normalised == b.normalised {
		return 0
	}
	x, y := a.said(), b.said()
	var d Difference
	for kind, marks := range x.marks {
		if !slices.Equal(marks, y.marks[kind]) {
			d |= 1 << kind
		}
	}
	onlyX, onlyY := without(x.words, y.present), without(y.words, x.present)
	if misses(x.names, y.present) || misses(y.names, x.present) || swapped(x, y) || otherForm(x, y) || otherForm(y, x) {
		d |= Name
	}
	if opposed(onlyX, onlyY) || slices.ContainsFunc(onlyX, modal) || slices.ContainsFunc(onlyY, modal) {
		d |= Antonym
	}
	if reordered(x, y) || x.asks != y.asks && !slices.Equal(x.spoken, y.spoken) {
		d |= Order
	}
	return d
}

// Opposed reports whether one of two texts about the same denies what the other
// says: by a negation, or by one of a pair of opposite words. It is symmetric.
func Opposed(a, b Text) bool {
	x, y := a.said(), b.said()
	return !slices.Equal(x.marks[negations], y.marks[negations]) || opposed(without(x.words, y.present), without(y.words, x.present))
}

// said returns what the text says.
func (t Text) said() *statement {
	if t.understood == nil {
		return &statement{}
	}
	return t.understood()
}

// without returns the words that are not present, each once.
func without(words []string, present map[string]int) []string {
	var out []string
	for _, w := range words {
		if present[w] == 0 && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// misses reports whether some name has a word that is not present.
func misses(names []string, present map[string]int) bool {
	return slices.ContainsFunc(names, func(name string) bool { return present[name] == 0 })
}

// otherForm reports whether an identifier of one text has another form in the
// other: user_id is not user_ids, though the words are the same.
func otherForm(x, y *statement) bool {
	return len(x.symbolic) > 0 && slices.ContainsFunc(x.symbolic, func(id string) bool { return !slices.Contains(y.spoken, id) })
}

// swapped reports whether the texts begin with different subjects of the same
// sentence: "Alice owns billing" and "Bob owns billing". The first word of a
// sentence is a capital in any case, so what follows it tells.
func swapped(x, y *statement) bool {
	for _, a := range x.openings {
		for _, b := range y.openings {
			if a.second == b.second && a.first != b.first && y.present[a.first] == 0 && x.present[b.first] == 0 {
				return true
			}
		}
	}
	return false
}

// reordered reports whether the content words that both texts have come in
// another order. A word that one text has more often counts as often as in the
// other.
func reordered(x, y *statement) bool {
	return !slices.Equal(common(x, y), common(y, x))
}

// common returns the words of x that y has too, in the order of x.
func common(x, y *statement) []string {
	out := make([]string, 0, len(x.words))
	seen := make(map[string]int)
	for _, w := range x.words {
		if seen[w]++; seen[w] <= y.present[w] {
			out = append(out, w)
		}
	}
	return out
}

// sameContent reports whether two texts have the same content words in the same
// order.
func sameContent(a, b *statement) bool {
	return slices.Equal(a.words, b.words)
}

// reworded reports whether each text has a content word that the other has not,
// and that is no other spelling of one, or one text a word that limits what it
// says: the texts may say different things.
func reworded(x, y *statement) bool {
	onlyX, onlyY := without(x.words, y.present), without(y.words, x.present)
	if slices.ContainsFunc(onlyX, hedge) || slices.ContainsFunc(onlyY, hedge) {
		return true
	}
	if len(onlyX) == 0 || len(onlyY) == 0 {
		return false
	}
	return !nearSpellings(onlyX, onlyY) && !nearSpellings(onlyY, onlyX)
}

// hedge holds for words that say how far, or whether, something holds: almost,
// sometimes, allegedly, if.
func hedge(word string) bool { return allWords().hedges[word] }

// nearSpellings reports whether each word has a near spelling among others.
func nearSpellings(words, others []string) bool {
	for _, w := range words {
		if !slices.ContainsFunc(others, func(o string) bool { return nearSpelling(w, o) }) {
			return false
		}
	}
	return true
}

// nearSpelling holds for words of four letters and more that differ by one
// letter, or by two next to each other.
func nearSpelling(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < 4 || len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	j := 0
	for j < len(x)-i && x[len(x)-1-j] == y[len(y)-1-j] {
		j++
	}
	rest := len(x) - i - j
	return rest <= 1 || rest == 2 && len(x) == len(y) && x[i] == y[i+1] && x[i+1] == y[i]
}
