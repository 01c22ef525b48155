package recall

import (
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	// resemblingWords is the number of words to search by. Each makes the search slower, and a
	// similar text hardly lacks all of eight.
	resemblingWords = 8
	// resemblingScore is the minimum score of a hit, relative to the best, which usually is
	// the memory itself. It stands for a fifth of the words, by their weight.
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
		ids := make([]string, 0, len(hits))
		for _, h := range hits {
			if h.Score >= resemblingScore*hits[0].Score && h.ID != m.ID && h.Project == m.Project && h.MemoryType == m.MemoryType {
				ids = append(ids, h.ID)
			}
		}
		return r.Memories(ids...)
	})
	if err != nil {
		return nil, fmt.Errorf("look for what resembles %s: %w", m.ID, err)
	}
	return slices.DeleteFunc(found, func(f brain.Memory) bool {
		return !f.Current() || f.Project != m.Project || f.MemoryType != m.MemoryType // by now
	}), nil
}
