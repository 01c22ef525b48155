package transcripts

import (
	"context"
	"errors"
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

// statement is the text of an item, and its project.
type statement struct {
	similar.Text
	project string // "" for all
}

// covers reports whether a statement for all projects or the same one says what other says.
func (s statement) covers(other statement) bool {
	if s.project != "" && s.project != other.project {
		return false
	}
	verdict, _ := similar.Duplicate(s.Text, other.Text)
	return verdict == similar.Merge
}

// newItems returns the items of a day that are not in the graph from an earlier run, even if
// edited or forgotten since, and that no memory or item before of their project or of none
// says.
func (x *Extractor) newItems(ctx context.Context, day string, items []extract.Item, projects map[string]string) (fresh []extract.Item, err error) {
	items = slices.SortedStableFunc(slices.Values(items), byTime)
	var before []statement
	for batch := range slices.Chunk(items, searchBatch) {
		known, err := x.known(ctx, day, batch, projects)
		if err != nil {
			return nil, fmt.Errorf("look up extracted items: %w", err)
		}
		for n, i := range batch {
			said := statement{similar.Prepare(plaintext.OneLine(i.Quote)), projects[i.Session]}
			if known[n] || slices.ContainsFunc(before, func(s statement) bool { return s.covers(said) }) {
				continue
			}
			fresh = append(fresh, i)
			before = append(before, said)
			before = before[max(0, len(before)-maxBefore):]
		}
	}
	return fresh, nil
}

func byTime(a, b extract.Item) int { return a.At.Compare(b.At) }

// known reports which items the graph has, somebody forgot, or a memory says.
func (x *Extractor) known(ctx context.Context, day string, items []extract.Item, projects map[string]string) (known []bool, err error) {
	var ids, memories, texts []string
	for _, i := range items {
		c := captured(day, i, projects[i.Session], x.o.Location)
		m := brain.Memory{Name: c.Title, Content: quoted(i)}
		m.Complete()
		ids, memories, texts = append(ids, c.ID), append(memories, brain.OutcomeMemoryID(c.ID)), append(texts, m.ContentHash)
	}
	err = x.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		known = make([]bool, len(items))
		sources, err := r.Sources(ids...)
		forgotten, ownerErr := r.RecordsByOwner(brain.TombstoneRecord, memories...)
		said, keyErr := r.RecordsByKey(brain.TombstoneRecord, texts...)
		if err := errors.Join(err, ownerErr, keyErr); err != nil {
			return err
		}
		forgotten = append(forgotten, said...)
		for n, i := range items {
			known[n] = slices.ContainsFunc(sources, func(s brain.Source) bool { return s.ID == ids[n] }) ||
				slices.ContainsFunc(forgotten, func(r brain.Record) bool { return r.Owner == memories[n] || r.Key == texts[n] })
			if known[n] {
				continue
			}
			if known[n], err = remembered(r, i, projects[i.Session]); err != nil {
				return err
			}
		}
		return nil
	})
	return known, err
}

// remembered reports whether a memory of a project, or of none, says the same as an item or
// its title, which leaves out words such as "let's use".
func remembered(r brain.Reader, i extract.Item, project string) (bool, error) {
	said := plaintext.OneLine(i.Quote)
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
	forms := []statement{{similar.Prepare(said), project}, {similar.Prepare(i.Title), project}}
	return slices.ContainsFunc(ms, func(m brain.Memory) bool {
		first, _, _ := strings.Cut(strings.TrimSpace(m.Content), "\n\n")
		first = plaintext.OneLine(strings.ReplaceAll("\n"+first, "\n> ", "\n")) // without marks of a quotation
		return slices.ContainsFunc(forms, statement{similar.Prepare(m.Content), m.Project}.covers) ||
			slices.ContainsFunc(forms, statement{similar.Prepare(first), m.Project}.covers)
	}), err
}
