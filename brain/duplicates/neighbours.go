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
	// minShared is the minimum share of the words of a text, by weight, that another text
	// must have too.
	minShared = 0.5
)

// neighbours are the texts of the undecided pairs, with the texts that each is similar to.
// They show which texts come from one template: such texts are similar but unrelated.
type neighbours struct {
	members []member
	similar map[int][]int    // the members that each one is similar to
	words   map[int][]string // the significant words of each text
	series  map[string]int   // number of texts by pattern
}

func (r rules) neighbours(b batch, open []judgedPair) neighbours {
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

// pattern returns the group and the pattern of a text; "" if it has no pattern.
func (n neighbours) pattern(i int) string {
	m := &n.members[i]
	if p := m.text.Pattern(); p != "" {
		return group(&m.Memory) + "\x00" + p
	}
	return ""
}

// inSeries reports whether two texts are entries of the same series.
func (n neighbours) inSeries(p judgedPair) bool {
	pattern := n.pattern(p.A)
	return pattern != "" && pattern == n.pattern(p.B) && n.series[pattern] >= minSeries
}

// fromTemplate reports whether two texts and a third one say the same about three different
// things.
func (n neighbours) fromTemplate(p judgedPair) bool {
	renamed := func(a, b int) bool { return similar.Renamed(n.members[a].text, n.members[b].text) != "" }
	third := func(x, y int) bool {
		return slices.ContainsFunc(n.similar[x], func(z int) bool { return z != y && renamed(x, z) && renamed(y, z) })
	}
	return renamed(p.A, p.B) && (third(p.A, p.B) || third(p.B, p.A))
}

// family returns the two texts of a pair and those similar texts that have all words that
// the two share. It stops after maxFamily texts and one more.
func (n neighbours) family(p judgedPair) []int {
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

// shareDistinctive reports whether two texts share words that distinguish them from similar
// texts: by weight, at least minShared of the words of one of them. The fewer similar texts
// have a word, the more it weighs.
func (n neighbours) shareDistinctive(p judgedPair) bool {
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
	return sum(common(x, y)) >= minShared*min(sum(x), sum(y))
}

// weights returns the weights of the words of a text and of its similar texts.
func (n neighbours) weights(center int) map[string]float64 {
	weight := map[string]float64{} // at first the number of texts with the word
	texts := append([]int{center}, n.similar[center]...)
	for _, i := range texts {
		for _, w := range n.words[i] {
			weight[w]++
		}
	}
	for w, count := range weight {
		weight[w] = math.Log(float64(len(texts)+1) / count)
	}
	return weight
}
