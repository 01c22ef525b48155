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
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// itemID derives the id of an item from its day, type and quote, formatted as a version
// 4 UUID. Reading a day again yields the same ids.
func itemID(day string, i storedItem) string {
	sum := sha256.Sum256([]byte("item of a transcript\x00" + day + "\x00" + string(i.Kind) + "\x00" + i.Quote))
	id, err := uuid.FromBytes(sum[:16])
	if err != nil {
		panic(err) // 16 bytes always make a UUID
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

// itemOutcome is an item with its outcome.
type itemOutcome struct {
	storedItem
	outcome dailynote.Captured
}

// toOutcomes converts the items of a day to the outcomes of its note, without
// repetitions, in chronological order.
func toOutcomes(day string, items []storedItem, zone *time.Location) []itemOutcome {
	var all []itemOutcome
	seen := map[string]bool{}
	for _, i := range items {
		id := itemID(day, i)
		if seen[id] {
			continue
		}
		seen[id] = true
		// A model may have assembled a secret from fragments.
		i.Title, _ = redact.Text(i.Title)
		if i.Title == "" {
			i.Title = extract.Title(i.Quote)
		}
		all = append(all, itemOutcome{i, dailynote.Captured{
			ID: id, At: i.At, Type: string(i.Kind), Title: i.Title, Body: itemBody(day, i, zone), Tags: []string{dailynote.Extracted}, Project: i.Project, Compact: true,
		}})
	}
	slices.SortStableFunc(all, func(a, b itemOutcome) int { return a.At.Compare(b.At) })
	return all
}

// itemBody returns the body of an outcome: the quote and one line of origin.
func itemBody(day string, i storedItem, zone *time.Location) string {
	var b strings.Builder
	for line := range strings.Lines(i.Quote) {
		b.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
	}
	origin := "Said by the " + string(i.Speaker)
	if i.File != "" {
		origin = "Written"
	}
	fmt.Fprintf(&b, "\n%s at %s in session %s: %s", origin, i.At.In(zone).Format("15:04"),
		sessionName(i.Session), location(day, i))
	if tag := dailynote.ProjectTag(i.Project); tag != "" {
		b.WriteString(" " + tag)
	}
	return b.String()
}

// setProjects gives items the projects of the working directories of their sessions.
func (x *Extractor) setProjects(items []storedItem, folders map[string]string) {
	for i := range items {
		if folder := folders[items[i].Session]; folder != "" && x.o.ProjectAt != nil {
			items[i].Project = x.o.ProjectAt(folder)
		}
	}
}

// location returns the location of an item: its file, or the redacted transcript with
// the heading if that is known.
func location(day string, i storedItem) string {
	if i.File != "" {
		return i.File
	}
	if i.Heading != "" {
		return relative(day) + "#" + i.Heading
	}
	return relative(day)
}

// newItems drops items that are already in the graph, either under their own id from an
// earlier run, even if edited since, or as a duplicate memory, and those that an agent
// was asked about. It returns the number of duplicates.
func (x *Extractor) newItems(ctx context.Context, all []itemOutcome) (fresh []itemOutcome, duplicates int, err error) {
	var ids, sessions []string
	for _, f := range all {
		ids = append(ids, f.outcome.ID)
		sessions = append(sessions, f.Session)
	}
	var known map[string]bool
	var asked map[string]time.Time
	err = x.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		known = map[string]bool{}
		sources, err := r.Sources(ids...)
		for _, s := range sources {
			known[s.ID] = true
		}
		if err != nil {
			return err
		}
		asked, err = x.askedUntil(r, sessions)
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("look up extracted items: %w", err)
	}
	return x.withoutDuplicates(ctx, slices.DeleteFunc(all, func(f itemOutcome) bool {
		return known[f.outcome.ID] || !f.At.After(asked[f.Session])
	}))
}
