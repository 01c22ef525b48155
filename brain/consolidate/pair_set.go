package consolidate

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// pairSet are pairs of memories. The zero value is empty and ready to use.
type pairSet struct {
	ids   []string
	place map[string]int // in ids
	pairs []similar.Pair // of places
	near  map[similar.Pair]bool
}

// Add adds a pair of memories by their ids.
func (p *pairSet) Add(a, b string) {
	x, y := p.placeOf(a), p.placeOf(b)
	p.pairs = append(p.pairs, orderedPair(x, y))
}

// AddNear adds a pair of memories whose vectors are near, by their ids.
func (p *pairSet) AddNear(a, b string) {
	p.Add(a, b)
	if p.near == nil {
		p.near = map[similar.Pair]bool{}
	}
	p.near[p.pairs[len(p.pairs)-1]] = true
}

// Near reports whether the vectors of a pair of [pairSet.All] are near.
func (p *pairSet) Near(pair similar.Pair) bool { return p.near[pair] }

func (p *pairSet) placeOf(id string) int {
	n, ok := p.place[id]
	if !ok {
		if p.place == nil {
			p.place = map[string]int{}
		}
		n = len(p.ids)
		p.ids = append(p.ids, id)
		p.place[id] = n
	}
	return n
}

// IDs returns the ids of all memories that are in a pair.
func (p *pairSet) IDs() []string { return p.ids }

// All returns the pairs as indexes into [pairSet.IDs], in order and without duplicates.
func (p *pairSet) All() []similar.Pair {
	p.pairs = distinctPairs(p.pairs)
	return p.pairs
}

// Distinct returns pairs in order and without duplicates. It changes the list.
func distinctPairs(list []similar.Pair) []similar.Pair {
	slices.SortFunc(list, func(a, b similar.Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return slices.Compact(list)
}

// Ordered returns the pair of two numbers, the lower one first.
func orderedPair(x, y int) similar.Pair { return similar.Pair{A: min(x, y), B: max(x, y)} }

// Text returns the text of a memory that is compared: its given name and its content.
func comparedText(m *brain.Memory) similar.Text {
	return similar.PrepareNamed(m.GivenName(), m.Content)
}
