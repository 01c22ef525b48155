package transcripts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// said is an item as an outcome of the note of its day.
type said struct {
	item extract.Item
	note dailynote.Captured
	day  string
	hash string // content hash of its memory
}

func (x *Extractor) said(i extract.Item, project string) said {
	day, at := x.dayOf(i.At), i.At.In(x.o.Location)
	title, _ := redact.Text(cmp.Or(i.Title, extract.Title(i.Quote))) // a model may have assembled a secret from fragments
	origin := "Said by the " + string(i.Speaker)
	if i.Speaker == extract.Note {
		origin = "Written"
	}
	s := said{item: i, day: day, note: dailynote.Captured{
		// Reading a day again yields the same ids.
		ID: brain.UUIDOf(strings.Join([]string{"item of a transcript", day, project, string(i.Kind), i.Quote}, "\x00")),
		At: i.At, Type: string(i.Kind), Title: title, Tags: []string{dailynote.Extracted}, Project: project, Compact: true,
		Body: fmt.Sprintf("%s\n\n%s at %s in session %s: %s", quoted(i), origin, at.Format("15:04"), shortName(i.Session), location(day, i)),
	}}
	m := brain.Memory{Name: title, Content: quoted(i)}
	m.Complete()
	s.hash = m.ContentHash
	return s
}

// saidIn is the end of the body that said writes.
var saidIn = regexp.MustCompile(`\b(\d\d:\d\d) in session (\S+): transcripts/(\d{4}-\d\d-\d\d)-transcript\.md`)

// SaidIn returns the short name of the session in which the outcome with a body was said, and the
// minute, in the time zone of the notes; false for an outcome that is from no transcript.
func SaidIn(body string, zone *time.Location) (session string, minute time.Time, ok bool) {
	said := saidIn.FindStringSubmatch(body)
	if said == nil {
		return "", time.Time{}, false
	}
	minute, err := time.ParseInLocation("2006-01-02 15:04", said[3]+" "+said[1], zone)
	return said[2], minute, err == nil
}

// textKeys returns the text keys of memories of a project that say the same as an item: its
// quote or its title, which leaves out words such as "let's use", or both.
func (s said) textKeys(project string) []string {
	title := s.note.Title
	return brain.Map([]brain.Memory{
		{Content: s.item.Quote}, {Content: title}, {Name: title, Content: s.item.Quote}, {Name: title, Content: quoted(s.item)},
	}, func(m brain.Memory) string {
		m.Project = project
		return m.TextKey()
	})
}

// quoted returns the quote of an item as its note has it, which is the content of its memory.
func quoted(i extract.Item) string {
	return "> " + strings.NewReplacer("\r\n", "\n> ", "\n", "\n> ").Replace(i.Quote)
}

// location returns the file that an item was written in, or its place in the cleaned transcript.
func location(day string, i extract.Item) string {
	if i.Speaker == extract.Note {
		return i.Location
	}
	return strings.TrimSuffix(relative(day)+"#"+i.Location, "#")
}

// newItems returns the items, by time, that are not in the graph from an earlier run, even if
// removed or forgotten since, and whose text no memory and no item before has, of their
// project or of none.
func (x *Extractor) newItems(ctx context.Context, items []extract.Item, projects map[string]string) (fresh []said, err error) {
	var all []said
	var ids, owners, hashes, keys []string
	for _, i := range slices.SortedStableFunc(slices.Values(items), func(a, b extract.Item) int { return a.At.Compare(b.At) }) {
		s := x.said(i, projects[i.Session])
		all, ids, owners, hashes = append(all, s), append(ids, s.note.ID), append(owners, brain.OutcomeMemoryID(s.note.ID)), append(hashes, s.hash)
		keys = append(append(keys, s.textKeys("")...), s.textKeys(s.note.Project)...)
	}
	known := map[string]bool{}
	err = x.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		sources, err := r.Sources(ids...)
		forgotten, ownerErr := r.ListRecords(brain.TombstoneRecord, brain.RecordFilter{By: brain.ByOwner, Keys: owners})
		byHash, hashErr := r.ListRecords(brain.TombstoneRecord, brain.RecordFilter{By: brain.ByKey, Keys: hashes})
		memories, keyErr := r.ListMemories(brain.ListFilter{By: brain.ByText, Keys: brain.Unique(keys)})
		for _, s := range sources {
			known[brain.OutcomeMemoryID(s.ID)] = true
		}
		for _, rec := range append(forgotten, byHash...) {
			known[rec.Owner], known[rec.Key] = true, true
		}
		for _, m := range memories {
			known[m.TextKey()] = true
		}
		return errors.Join(err, ownerErr, hashErr, keyErr)
	})
	for n, s := range all {
		own := s.textKeys(s.note.Project)
		names := append(append(s.textKeys(""), own...), owners[n], s.hash)
		if !slices.ContainsFunc(names, func(name string) bool { return known[name] }) {
			fresh = append(fresh, s)
			for _, key := range own {
				known[key] = true
			}
		}
	}
	return fresh, brain.Wrap(err, "look up extracted items")
}

// append writes items into the notes of their days.
func (x *Extractor) append(ctx context.Context, items []said) (added int, err error) {
	days := map[string][]dailynote.Captured{}
	for _, s := range items {
		days[s.day] = append(days[s.day], s.note)
	}
	for _, day := range slices.Sorted(maps.Keys(days)) {
		_, n, err := x.o.Notes.AppendAll(ctx, day, days[day])
		if added += n; err != nil {
			return added, err
		}
	}
	return added, nil
}
