package rank

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// answering reports whether turns of a speaker answer. Assistants answer everything.
func answering(speaker string) bool {
	return speaker != "" && !strings.EqualFold(speaker, "assistant") && !strings.EqualFold(speaker, "tool")
}

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

// answers returns the score of the question before a text if the text answers it. If the
// text is a question that the next one answers, its own score is subtracted.
func (s *sequence) answers(i int) (score float64) {
	if before := s.before[i]; before >= 0 && s.answered(before, i) {
		score += s.texts[before].own
	}
	if after := s.after[i]; after >= 0 && s.answered(i, after) {
		score -= s.texts[i].own
	}
	return score
}

// answered reports whether the next text, of another speaker, answers a question.
func (s *sequence) answered(question, answer int) bool {
	q, a := s.texts[question].passage, s.texts[answer].passage
	return q.Speaker != "" && answering(a.Speaker) && q.Speaker != a.Speaker && strings.Contains(q.Text.Content, "?")
}
