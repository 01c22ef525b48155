package transcripts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
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
	// maxBefore is how many items before it an item is compared with.
	maxBefore = 200
)

// newItems returns the items of a day that nobody has yet. It leaves out those that are
// in the graph under their id from an earlier run, even if edited since, those that an
// agent was asked about, and those that say the same, by the rules of merging, as a memory
// or as an item before.
func (x *Extractor) newItems(ctx context.Context, day string, items []extract.Item) (fresh []extract.Item, err error) {
	items = slices.SortedStableFunc(slices.Values(items), byTime)
	if len(items) == 0 {
		return nil, nil
	}
	var sessions []string
	for _, i := range items {
		sessions = append(sessions, i.Session)
	}
	asked, err := loadStates[sessionState](ctx, x, brain.TranscriptSessionRecord, brain.Unique(sessions)...)
	if err != nil {
		return nil, err
	}
	var before []similar.Text
	for batch := range slices.Chunk(items, searchBatch) {
		known, err := x.known(ctx, day, batch)
		if err != nil {
			return nil, fmt.Errorf("look up extracted items: %w", err)
		}
		for n, i := range batch {
			said := similar.Prepare(plaintext.OneLine(i.Quote))
			isSame := func(other similar.Text) bool { return same(said, other) }
			if known[n] || asked[i.Session].covers(i.At) || slices.ContainsFunc(before, isSame) {
				continue
			}
			fresh = append(fresh, i)
			before = append(before, said)
			before = before[max(0, len(before)-maxBefore):]
		}
	}
	return fresh, nil
}

func byTime(a, z extract.Item) int { return a.At.Compare(z.At) }

// known reports for each item whether the graph has it, or a memory that says the same.
func (x *Extractor) known(ctx context.Context, day string, items []extract.Item) (known []bool, err error) {
	ids := make([]string, len(items))
	for n, i := range items {
		ids[n] = itemID(day, i)
	}
	err = x.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		known = make([]bool, len(items))
		sources, err := r.Sources(ids...)
		if err != nil {
			return err
		}
		for n, i := range items {
			known[n] = slices.ContainsFunc(sources, func(s brain.Source) bool { return s.ID == ids[n] })
			if known[n] {
				continue
			}
			if known[n], err = remembered(r, plaintext.OneLine(i.Quote)); err != nil {
				return err
			}
		}
		return nil
	})
	return known, err
}

// remembered reports whether a memory says the same.
func remembered(r brain.Reader, said string) (bool, error) {
	q := words.Query{Terms: words.Content(said, searchWords)}
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
	text := similar.Prepare(said)
	return slices.ContainsFunc(ms, func(m brain.Memory) bool {
		return same(text, similar.Prepare(m.Content)) || same(text, similar.Prepare(statement(m.Content)))
	}), err
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
