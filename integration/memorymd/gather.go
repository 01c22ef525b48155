package memorymd

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
)

// gather reads what the store has for the file.
func (g *curating) gather(r brain.Reader) (err error) {
	if g.s.Form == Full {
		g.entries, g.closes, err = g.full(r)
	} else {
		g.entries, g.options.More, err = g.curated(r)
	}
	if err == nil {
		g.options.Exists, err = g.existing(r)
	}
	return err
}

// curated reads the memories that matter most: as many as the file has lines, and
// as many again for those that say the same or were deleted by hand. more is the
// number of the others, 0 if all that may be shown were read.
func (g *curating) curated(r brain.Reader) (entries []Entry, more int, err error) {
	wanted := 2*g.s.Lines + len(g.was.State.Barred)
	ms, err := recall.MostSalient(r, nil, wanted, g.now)
	if err != nil {
		return nil, 0, err
	}
	read := ms[:min(len(ms), wanted)]
	counts, err := r.Counts(g.now)
	if err != nil {
		return nil, 0, err
	}
	var ids []string
	for i := range read {
		if id := read[i].SourceNodeID; id != "" {
			ids = append(ids, id)
		}
	}
	sources, err := r.Sources(ids...)
	byID := make(map[string]brain.Source, len(sources))
	for _, s := range sources {
		byID[s.ID] = s
	}
	for i := range read {
		m, s := &read[i].Memory, byID[read[i].SourceNodeID]
		if group, _ := m.Freshness(); group == "" || !s.Done.IsZero() { // an activity; a reminder that is done
			continue
		}
		e := g.entry(*m, s)
		e.Statement, e.Was, e.Due = brain.StatementOf(m).Title, read[i].Was, brain.DueText(s.Due, g.s.Location)
		entries = append(entries, e)
	}
	if len(ms) > len(read) {
		more = max(0, counts.Current()-len(read))
	}
	return entries, more, err
}

// entry returns a memory with its source, which may be empty.
func (g *curating) entry(m brain.Memory, s brain.Source) Entry {
	e := Entry{
		ID: m.ID, Root: m.Root, Type: m.MemoryType, Importance: string(m.Importance),
		Date: m.Created.In(g.s.Location).Format(time.DateOnly), Pointer: g.pointer(s),
	}
	if s.Kind == brain.Outcome {
		e.Date, e.Time, e.Type = s.Date, s.Time, cmp.Or(s.Type, m.MemoryType)
	}
	switch {
	case s.Kind == brain.Outcome && s.Time == "":
		e.Bullet, e.Text = true, m.Content
		if strings.HasPrefix(m.Content, s.Body) {
			e.Text = s.Body // without the heading above it
		}
	case s.Kind == brain.Outcome:
		e.Title = m.Name
		if strings.TrimSpace(m.Content) != strings.TrimSpace(m.Name) {
			e.Body = m.Content
		}
	case hasOwnName(m):
		e.Text = m.Name + nameEnd + m.Content
	default:
		e.Text = m.Content
	}
	return e
}

// nameEnd separates the name of a memory from its text on one line.
const nameEnd = ": "

// hasOwnName reports whether a memory has a name with which its text does not
// begin.
func hasOwnName(m brain.Memory) bool {
	return m.Name != "" && !strings.HasPrefix(strings.TrimSpace(m.Content), m.Name)
}

// pointer returns where the whole text is, relative to the folder of the file.
func (g *curating) pointer(s brain.Source) string {
	if s.File == "" || !s.Removed.IsZero() || s.Dir != g.dir {
		return ""
	}
	file := filepath.Join(g.s.NotesDir, filepath.FromSlash(s.File))
	if rel, err := filepath.Rel(filepath.Dir(g.s.File.Path), file); err == nil {
		file = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("%s:%d", file, s.Line)
}

// existing reports which memories that were written before still exist in any tier
// or were replaced by another one.
func (g *curating) existing(r brain.Reader) (func(id string) bool, error) {
	written := g.was.State.written()
	if g.was.Prev != nil {
		written = slices.Concat(written, g.was.Prev.written())
	}
	ids := make([]string, len(written))
	for i, w := range written {
		ids[i] = w.ID
	}
	ms, err := r.Memories(ids...)
	if err != nil {
		return nil, err
	}
	exists := make(map[string]bool, len(ids))
	for i := range ms {
		exists[ms[i].ID] = true
	}
	redirects, err := r.Records(brain.RedirectRecord, ids...)
	for _, from := range redirects {
		exists[from.ID] = true
	}
	return func(id string) bool { return exists[id] }, err
}
