package transcripts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	// searchWords is how many words of an item its duplicates are searched by.
	searchWords = 24
	// searchHits is how many memories are compared with an item.
	searchHits = 10
	// searchBatch is how many items are looked up in one read.
	searchBatch = 50
	// keyWords is how many words of an item lead to those that are compared
	// with it. Duplicates by rule have the same content words, or nearly.
	keyWords = 3
)

// candidate is an item as it is compared.
type candidate struct {
	itemOutcome
	said      similar.Text
	query     words.Query
	duplicate bool
}

// withoutDuplicates leaves out items that say the same, by the rules of merging,
// as a memory or as an item before, and counts them.
func (x *Extractor) withoutDuplicates(ctx context.Context, items []itemOutcome) (kept []itemOutcome, duplicates int, err error) {
	all := make([]candidate, 0, len(items))
	for _, f := range items {
		text := plaintext.OneLine(f.Quote)
		q := words.Query{Terms: words.Content(text, searchWords)}
		all = append(all, candidate{itemOutcome: f, said: similar.Prepare(text), query: q})
	}
	for batch := range slices.Chunk(all, searchBatch) {
		err := x.brain.Base.Store.View(ctx, func(r brain.Reader) (err error) {
			for i := range batch {
				if batch[i].duplicate, err = remembered(r, batch[i].said, batch[i].query); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, fmt.Errorf("look for duplicates: %w", err)
		}
	}
	markRepeats(all)
	for _, c := range all {
		if !c.duplicate {
			kept = append(kept, c.itemOutcome)
		}
	}
	return kept, len(all) - len(kept), nil
}

// remembered reports whether a memory says the same.
func remembered(r brain.Reader, text similar.Text, q words.Query) (bool, error) {
	if q.Empty() {
		return false, nil
	}
	hits, err := r.Search(brain.SearchQuery{Words: q, NoSections: true, Limit: searchHits})
	if err != nil || len(hits) == 0 {
		return false, err
	}
	ids := make([]string, 0, len(hits))
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	ms, err := r.Memories(ids...)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(ms, func(m brain.Memory) bool {
		return same(text, similar.Prepare(m.Content)) || same(text, similar.Prepare(statement(m.Content)))
	}), nil
}

func same(x, y similar.Text) bool {
	verdict, _ := similar.Duplicate(x, y)
	return verdict == similar.Merge
}

// statement returns the first paragraph of a memory, without the marks of a
// quotation.
func statement(content string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(content), "\n\n")
	return plaintext.OneLine(strings.ReplaceAll("\n"+first, "\n> ", "\n"))
}

// markRepeats marks items that say the same as one before that is not marked.
// Only items that share a rare word are compared; long words are the rare ones.
func markRepeats(all []candidate) {
	byWord := map[string][]similar.Text{}
	for i := range all {
		c := &all[i]
		keys := longest(c.query.Terms)
		for _, w := range keys {
			c.duplicate = c.duplicate || slices.ContainsFunc(byWord[w], func(said similar.Text) bool { return same(c.said, said) })
		}
		if c.duplicate {
			continue
		}
		for _, w := range keys {
			byWord[w] = append(byWord[w], c.said)
		}
	}
}

func longest(terms []string) []string {
	sorted := slices.SortedStableFunc(slices.Values(terms), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return sorted[:min(len(sorted), keyWords)]
}
