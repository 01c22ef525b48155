package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	// resemblingWords is by how many words of a text those like it are looked
	// for. Each costs the search some; of a text that shares seven of ten words
	// with another, one in five may be missing there, and hardly all of any eight.
	resemblingWords = 8
	// resemblingScore is the least share of the best score, as a rule that of the
	// memory itself, from which on a hit is looked at: it has a fifth of the
	// words, by their weight.
	resemblingScore = 0.2
)

// Resembling returns current memories of its project and type, besides m itself,
// that share rare words with it, the most of them first: where a duplicate of it
// would be. They are among the limit that resemble it most in the whole brain.
func (s *Service) Resembling(ctx context.Context, m brain.Memory, limit int) ([]brain.Memory, error) {
	q := brain.SearchQuery{
		Words: words.Query{Terms: rareWords(m.Name + "\n" + m.Content)}, NoSections: true, Share: resemblingScore,
		Limit: limit + 1, // no filter that the best hits may fail, or rare types would cost a search of everything
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

// rareWords returns the words of a text that are likely to be rare: the longest. Only
// the store knows how often each occurs.
func rareWords(text string) []string {
	terms := words.Parse(text).Terms
	slices.SortStableFunc(terms, func(a, b string) int {
		return cmp.Compare(utf8.RuneCountInString(b), utf8.RuneCountInString(a))
	})
	return terms[:min(len(terms), resemblingWords)]
}
