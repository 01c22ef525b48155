package brain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// resemblingWords is by how many words of a text those like it are looked for.
// Each word costs the search some; a text that shares seven of ten words with
// another shares some of any sixteen.
const resemblingWords = 16

// Resembling returns current memories, besides m itself, that share rare words
// with it, the most of them first, at most limit: where a duplicate of it would
// be. They are of its project and type, and test memories only for a test
// memory.
func (b *Brain) Resembling(ctx context.Context, m Memory, limit int) ([]Memory, error) {
	q := SearchQuery{
		Words: words.Query{Terms: rareWords(m.Name + "\n" + m.Content)}, Tests: m.IsTest, NoSections: true,
		Types: []string{m.MemoryType}, Project: &m.Project, Limit: limit + 1,
	}
	var found []Memory
	err := b.store.View(ctx, func(r Reader) error {
		hits, err := r.Search(q)
		if err != nil {
			return err
		}
		ids := make([]string, 0, len(hits))
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		found, err = r.Memories(ids...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for what resembles %s: %w", m.ID, err)
	}
	found = slices.DeleteFunc(found, func(f Memory) bool { return f.ID == m.ID || !f.Current() })
	return found[:min(limit, len(found))], nil
}

// rareWords are the words of a text that are likely to be rare, the longest: how
// often each occurs the store alone knows.
func rareWords(text string) []string {
	terms := words.Parse(text).Terms
	slices.SortStableFunc(terms, func(a, z string) int {
		return cmp.Compare(utf8.RuneCountInString(z), utf8.RuneCountInString(a))
	})
	return terms[:min(len(terms), resemblingWords)]
}
