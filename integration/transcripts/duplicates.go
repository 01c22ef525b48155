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

// withoutDuplicates leaves out items that say the same, by the rules of merging,
// as a memory or as an item before, and counts them.
func (x *Extractor) withoutDuplicates(ctx context.Context, all []found) (kept []found, duplicates int, err error) {
	texts := make([]similar.Text, len(all))
	asked := make([]words.Query, len(all))
	for i, f := range all {
		text := cmp.Or(f.Text, plaintext.OneLine(f.Quote))
		texts[i], asked[i] = similar.Prepare(text), query(text)
	}
	double := make([]bool, len(all))
	for from := 0; from < len(all); from += searchBatch {
		until := min(from+searchBatch, len(all))
		err := x.brain.Base.Store.View(ctx, func(r brain.Reader) error {
			for i := from; i < until; i++ {
				var err error
				if double[i], err = remembered(r, texts[i], asked[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, fmt.Errorf("look for duplicates: %w", err)
		}
	}
	markRepeats(texts, asked, double)
	for i, f := range all {
		if double[i] {
			duplicates++
		} else {
			kept = append(kept, f)
		}
	}
	return kept, duplicates, nil
}

// query are the words that a text is searched by.
func query(text string) words.Query {
	return words.Query{Terms: words.Content(text, searchWords)}
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
		return same(text, m.Content) || same(text, statement(m.Content))
	}), nil
}

func same(text similar.Text, other string) bool {
	verdict, _ := similar.Duplicate(text, similar.Prepare(other))
	return verdict == similar.Merge
}

// statement is what a memory says before it says more about it: the first
// paragraph, without the marks of a quotation.
func statement(content string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(content), "\n\n")
	return plaintext.OneLine(strings.ReplaceAll("\n"+first, "\n> ", "\n"))
}

// markRepeats marks texts that say the same as one before that is not marked.
// Only texts that share a rare word are compared; long words are the rare ones.
func markRepeats(texts []similar.Text, asked []words.Query, double []bool) {
	byWord := map[string][]int{}
	for i := range texts {
		keys := longest(asked[i].Terms)
		for _, w := range keys {
			double[i] = double[i] || slices.ContainsFunc(byWord[w], func(j int) bool {
				verdict, _ := similar.Duplicate(texts[i], texts[j])
				return verdict == similar.Merge
			})
		}
		if double[i] {
			continue
		}
		for _, w := range keys {
			byWord[w] = append(byWord[w], i)
		}
	}
}

func longest(terms []string) []string {
	sorted := slices.SortedStableFunc(slices.Values(terms), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return sorted[:min(len(sorted), keyWords)]
}
