package transcripts

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// tag marks outcomes that come from transcripts.
const tag = "transcript"

// itemID returns the id of an item, in the form of a version 4 UUID. It is made of the
// day, the type and the quote, so that a day that is read again finds the same.
func itemID(day string, i storedItem) string {
	sum := sha256.Sum256([]byte("item of a transcript\x00" + day + "\x00" + string(i.Type) + "\x00" + i.Quote))
	id, err := uuid.FromBytes(sum[:16])
	if err != nil {
		panic(err) // 16 bytes always make a UUID
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

// found is an item with its outcome.
type found struct {
	storedItem
	outcome dailynote.Captured
}

// outcomes returns the items of a day as the outcomes of its note, each once, in
// the order in which they were said.
func outcomes(day string, items []storedItem, zone *time.Location) []found {
	var all []found
	seen := map[string]bool{}
	for _, i := range items {
		id := itemID(day, i)
		if seen[id] {
			continue
		}
		seen[id] = true
		// A model may have put a secret together from parts.
		i.Title, _ = redact.Text(i.Title)
		i.Text, _ = redact.Text(i.Text)
		if i.Title == "" {
			i.Title = extract.Title(i.Quote)
		}
		all = append(all, found{i, dailynote.Captured{
			ID: id, At: i.At, Type: string(i.Type), Title: i.Title, Body: itemBody(day, i, zone), Tags: []string{tag},
		}})
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.At.Compare(b.At) })
	return all
}

// itemBody returns the body of an outcome: text, literal quote and origin.
func itemBody(day string, i storedItem, zone *time.Location) string {
	var b strings.Builder
	if i.Text != "" && i.Text != plaintext.OneLine(i.Quote) {
		b.WriteString(i.Text + "\n\n")
	}
	for line := range strings.Lines(i.Quote) {
		b.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
	}
	fmt.Fprintf(&b, "\nSaid by the %s at %s in session %s: %s", i.Speaker, i.At.In(zone).Format("15:04"),
		sessionName(i.Session), place(day, i))
	return b.String()
}

// place returns where an item was said: the cleaned transcript with the heading if it
// is known, or the file that contains it.
func place(day string, i storedItem) string {
	switch {
	case i.File != "":
		return i.File
	case i.Heading == "":
		return relative(day)
	}
	return relative(day) + "#" + i.Heading
}

// unknown leaves out items that are in the graph: under their own id from an earlier
// run, even if a person has edited them, or as a memory that says the same. It
// counts the latter.
func (x *Extractor) unknown(ctx context.Context, all []found) (fresh []found, duplicates int, err error) {
	ids := make([]string, 0, len(all))
	for _, f := range all {
		ids = append(ids, f.outcome.ID)
	}
	known := map[string]bool{}
	err = x.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		clear(known)
		ss, err := r.Sources(ids...)
		for _, s := range ss {
			known[s.ID] = true
		}
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("look up what was extracted before: %w", err)
	}
	return x.withoutDuplicates(ctx, slices.DeleteFunc(all, func(f found) bool { return known[f.outcome.ID] }))
}
