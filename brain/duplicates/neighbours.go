package duplicates

import (
	"math"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

const (
	// minWeighed is the minimum number of similar texts for weighing their words.
	minWeighed = 4
	// ownShare is the minimum share of the words that distinguish a text from all similar
	// ones that another text must have as well.
	ownShare = 0.5
)

// neighbours are the texts of the undecided pairs and the texts that each is similar to.
// Two texts of one template are similar although they are unrelated.
type neighbours struct {
	members []member
	similar map[int][]int    // the members that each one is similar to
	words   map[int][]string // of each text, those that say something
	series  map[string]int   // number of texts, by pattern
}

func (r rules) neighbours(b batch, open []judged) neighbours {
	n := neighbours{b.members, map[int][]int{}, map[int][]string{}, map[string]int{}}
	for _, p := range open {
		if p.similarity >= r.Alike {
			n.similar[p.A] = append(n.similar[p.A], p.B)
			n.similar[p.B] = append(n.similar[p.B], p.A)
		}
	}
	for i := range n.similar {
		n.words[i] = b.members[i].text.Words()
		if pattern := n.pattern(i); pattern != "" {
			n.series[pattern]++
		}
	}
	return n
}

// pattern returns the pattern of a text within its group; "" if it has none.
func (n neighbours) pattern(i int) string {
	m := &n.members[i]
	if p := m.text.Pattern(); p != "" {
		return group(&m.Memory) + "\x00" + p
	}
	return ""
}

// ofSeries reports whether two texts are entries of a series.
func (n neighbours) ofSeries(p judged) bool {
	pattern := n.pattern(p.A)
	return pattern != "" && pattern == n.pattern(p.B) && n.series[pattern] >= minSeries
}

// ofTemplate reports whether two texts, and a third one, say the same about different
// things.
func (n neighbours) ofTemplate(p judged) bool {
	renamed := func(a, b int) bool { return similar.Renamed(n.members[a].text, n.members[b].text) != "" }
	third := func(x, y int) bool {
		return slices.ContainsFunc(n.similar[x], func(z int) bool { return z != y && renamed(x, z) && renamed(y, z) })
	}
	return renamed(p.A, p.B) && (third(p.A, p.B) || third(p.B, p.A))
}

// family returns a pair and the other texts that have all words that the two have in
// common. It stops when the family is too large.
func (n neighbours) family(p judged) []int {
	shared := common(n.words[p.A], n.words[p.B])
	family := []int{p.A, p.B}
	for _, i := range brain.Unique(slices.Concat(n.similar[p.A], n.similar[p.B])) {
		if len(family) <= maxFamily && !slices.Contains(family, i) && len(common(shared, n.words[i])) == len(shared) {
			family = append(family, i)
		}
	}
	return family
}

// common returns the words of a that are also in b.
func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { return !slices.Contains(b, w) })
}

// distinct reports whether two texts share words that the texts similar to them do not
// share: at least half of the shorter text, where a word weighs more the fewer of the
// similar texts have it.
func (n neighbours) distinct(p judged) bool {
	center := p.A
	if len(n.similar[p.B]) > len(n.similar[p.A]) {
		center = p.B
	}
	if len(n.similar[center])+1 < minWeighed {
		return true
	}
	weight := n.weights(center)
	sum := func(words []string) (total float64) {
		for _, w := range words {
			total += weight[w]
		}
		return total
	}
	x, y := n.words[p.A], n.words[p.B]
	return sum(common(x, y)) >= ownShare*min(sum(x), sum(y))
}

// weights returns the weights of the words of a text and of those similar to it.
func (n neighbours) weights(center int) map[string]float64 {
	count := map[string]float64{}
	around := append([]int{center}, n.similar[center]...)
	for _, i := range around {
		for _, w := range n.words[i] {
			count[w]++
		}
	}
	for w, texts := range count {
		count[w] = math.Log(float64(len(around)+1) / texts)
	}
	return count
}
