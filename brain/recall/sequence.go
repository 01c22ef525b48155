package recall

import (
	"cmp"
	"maps"
	"slices"
)

// sequence has texts and the index of the one before and after each in its group, -1 if
// unknown.
type sequence struct {
	texts         []Text
	before, after []int
}

// newSequence links candidates with their neighbours. Two neighbours of different
// candidates are linked only if they are known to be next to each other.
func newSequence(candidates, neighbours []Text) sequence {
	s := sequence{texts: slices.Concat(candidates, neighbours)}
	groups := map[string][]int{}
	for i, t := range s.texts {
		s.before, s.after = append(s.before, -1), append(s.after, -1)
		if t.passage.Group != "" {
			groups[t.passage.Group] = append(groups[t.passage.Group], i)
		}
	}
	for group := range maps.Values(groups) {
		slices.SortFunc(group, func(a, b int) int {
			x, y := s.texts[a].passage, s.texts[b].passage
			return cmp.Or(cmp.Compare(x.Position, y.Position), cmp.Compare(x.ID, y.ID))
		})
		for at, i := range group {
			if i < len(candidates) {
				s.link(group[max(0, at-Reach):min(len(group), at+Reach+1)])
			}
		}
	}
	return s
}

// link records that texts follow each other.
func (s *sequence) link(row []int) {
	for i, text := range row[1:] {
		s.before[text], s.after[row[i]] = row[i], text
	}
}
