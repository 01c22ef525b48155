package consolidate

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// pairSet has pairs of memories, as indexes into ids.
type pairSet struct {
	ids   []string // of the memories that are in a pair
	index map[string]int
	pairs []similar.Pair
	near  map[similar.Pair]bool // those whose vectors are near
}

func newPairSet() *pairSet { return &pairSet{index: map[string]int{}, near: map[similar.Pair]bool{}} }

// add adds a pair of memories by their ids.
func (p *pairSet) add(a, b string) similar.Pair {
	pair := orderedPair(p.indexOf(a), p.indexOf(b))
	p.pairs = append(p.pairs, pair)
	return pair
}

func (p *pairSet) indexOf(id string) int {
	n, ok := p.index[id]
	if !ok {
		n = len(p.ids)
		p.ids = append(p.ids, id)
		p.index[id] = n
	}
	return n
}

// distinctPairs sorts a list in place and returns it without duplicates.
func distinctPairs(list []similar.Pair) []similar.Pair {
	slices.SortFunc(list, func(a, b similar.Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return slices.Compact(list)
}

// orderedPair returns the pair of two numbers, the lower one first.
func orderedPair(x, y int) similar.Pair { return similar.Pair{A: min(x, y), B: max(x, y)} }

// comparedText returns the text of a memory that is compared: its given name and its content.
func comparedText(m *brain.Memory) similar.Text {
	return similar.PrepareNamed(m.GivenName(), m.Content)
}
