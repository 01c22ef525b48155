package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
)

const relatedSteps = 2 // relations from an answer to a related memory, at most

// related returns at most limit memories that are related to the answers, those one
// relation away before those two away, in the order of the answers.
func (s *Service) related(r brain.Reader, limit int, found []Recalled, now time.Time) ([]Recalled, error) {
	var all []Recalled
	paths := map[string][]brain.Relation{} // to the memories and sections that were reached
	var from []string
	for _, f := range found {
		paths[f.Memory.ID] = nil
		from = append(from, f.Memory.ID)
	}
	for range relatedSteps {
		if len(from) == 0 || len(all) >= limit {
			break
		}
		relations, err := r.Relations(from...)
		if err != nil {
			return nil, err
		}
		reached := reach(paths, from, relations)
		some, err := s.current(r, reached, now, func(id string) Why { return Why{Path: paths[id]} })
		if err != nil {
			return nil, err
		}
		all, from = append(all, some...), reached
	}
	return all[:min(len(all), limit)], nil
}

// near returns at most limit memories whose vectors are near that of the first answer, nearest
// first, without those found before.
func (s *Service) near(r brain.Reader, embed func(string) brain.Vector, limit int, found []Recalled, now time.Time) ([]Recalled, error) {
	first := found[0].Memory
	text := first.Content
	if first.Name != brain.NameOf(text) {
		text = first.Name + "\n" + text
	}
	vector := embed(text)
	if len(vector.Values) == 0 {
		return nil, nil
	}
	ms, err := lifecycle.Near(r, &brain.Memory{Project: string(first.Project)}, vector, lifecycle.SimilarShare)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(ms, func(a, b lifecycle.Match) int { return cmp.Or(cmp.Compare(b.Near, a.Near), cmp.Compare(a.ID, b.ID)) })
	var ids []string
	for _, m := range ms {
		if !slices.ContainsFunc(found, func(f Recalled) bool { return f.Memory.ID == m.ID }) {
			ids = append(ids, m.ID)
		}
	}
	return s.current(r, ids[:min(len(ids), limit)], now, func(string) Why { return Why{Meaning: true} })
}

// reach returns the nodes one relation further, and records the paths to them.
func reach(paths map[string][]brain.Relation, from []string, relations []brain.Relation) (reached []string) {
	next := map[string][]brain.Relation{} // by the end that is known
	for _, rel := range relations {
		if !brain.BuiltIn(rel.Type) {
			next[rel.From] = append(next[rel.From], rel)
			next[rel.To] = append(next[rel.To], rel)
		}
	}
	for _, id := range from {
		for _, rel := range next[id] {
			other := rel.To
			if other == id {
				other = rel.From
			}
			if _, known := paths[other]; !known {
				paths[other] = append(paths[id][:len(paths[id]):len(paths[id])], rel)
				reached = append(reached, other)
			}
		}
	}
	return reached
}

// current returns the current memories among nodes, in their order, each with a reason.
func (s *Service) current(r brain.Reader, ids []string, at time.Time, why func(id string) Why) ([]Recalled, error) {
	ms, err := r.Memories(ids...)
	ms = slices.DeleteFunc(ms, func(m brain.Memory) bool { return !m.Current() })
	if err != nil || len(ms) == 0 {
		return nil, err
	}
	v, err := s.base.Viewer(r, at, ms...)
	return brain.Map(ms, func(m brain.Memory) Recalled { return Recalled{Memory: v.View(m), Why: why(m.ID)} }), err
}

const (
	// resemblingWords is the number of words to search by. Each makes the search slower, and a
	// similar text hardly lacks all of eight.
	resemblingWords = 8
	// resemblingScore is the minimum score of a hit, relative to the best, which usually is
	// the memory itself: a fifth of the words, by their weight.
	resemblingScore = 0.2
)

// Resembling returns current memories with the project and type of m that share rare words
// with it, those that share the most first. A duplicate of m would be among them. They come
// from the limit most similar memories of the whole brain.
func (s *Service) Resembling(ctx context.Context, m brain.Memory, limit int) ([]brain.Memory, error) {
	q := brain.SearchQuery{
		Words: words.Query{Terms: words.Longest(words.Parse(m.Name+"\n"+m.Content).Terms, resemblingWords)}, NoSections: true, Share: resemblingScore,
		Limit: limit + 1, // no filters, because with a rare type the search would read everything
	}
	found, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Memory, error) {
		hits, err := r.Search(q)
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, h := range hits {
			if h.Score >= resemblingScore*hits[0].Score && h.ID != m.ID && h.Project == m.Project && h.MemoryType == m.MemoryType {
				ids = append(ids, h.ID)
			}
		}
		return r.Memories(ids...)
	})
	return slices.DeleteFunc(found, func(f brain.Memory) bool {
		return !f.Current() || f.Project != m.Project || f.MemoryType != m.MemoryType // by now
	}), brain.Wrap(err, "look for what resembles %s", m.ID)
}
