package memorymd

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// full reads the outcomes and bullets of the days to add, and returns the last day
// that is complete then.
func (g *curating) full(r brain.Reader) (entries []Entry, closes string, err error) {
	files, closes, err := g.files(r)
	if err != nil {
		return nil, "", err
	}
	sources, err := r.SourcesByFile(g.dir, files...)
	if err != nil {
		return nil, "", err
	}
	sources = slices.DeleteFunc(sources, func(s brain.Source) bool { return !s.Removed.IsZero() })
	of, err := memoriesOf(r, sources)
	if err != nil {
		return nil, "", err
	}
	for _, s := range sources {
		if m, ok := of[s.ID]; ok {
			entries = append(entries, g.entry(m, s))
		}
	}
	return entries, closes, nil
}

// files returns the daily notes of the days to add: of one day, or of every day
// that is over, if they are new or changed since the file was written.
func (g *curating) files(r brain.Reader) (files []string, closes string, err error) {
	states, err := r.RecordsByOwner(brain.NoteFileRecord, g.dir)
	if err != nil {
		return nil, "", err
	}
	closed, at := g.was.Closed, g.was.At
	if g.was.State.Form != Full { // another form had nothing of the days
		closed, at = "", time.Time{}
	}
	yesterday := g.now.In(g.s.Location).AddDate(0, 0, -1).Format(time.DateOnly)
	for _, rec := range states {
		day, ok := noteDay(rec.Key)
		changed := g.s.Day == "" && day <= yesterday && (day > closed || !rec.At.Before(at))
		if ok && (day == g.s.Day || changed) {
			files = append(files, rec.Key)
		}
	}
	slices.Sort(files)
	if g.s.Day != "" {
		return files, closed, nil
	}
	return files, yesterday, nil
}

// noteDay returns the day in the name of a daily note.
func noteDay(file string) (string, bool) {
	if strings.HasPrefix(file, "knowledge/") || strings.HasPrefix(file, "transcripts/") {
		return "", false
	}
	day := moment.LeadingDay(path.Base(file))
	return day, day != ""
}

// memoriesOf returns the newest memories of sources, by the source's id.
func memoriesOf(r brain.Reader, sources []brain.Source) (map[string]brain.Memory, error) {
	ids := make([]string, len(sources))
	for i := range sources {
		ids[i] = sources[i].ID
	}
	rels, err := r.Relations(ids...)
	if err != nil {
		return nil, err
	}
	var held []string
	for _, rel := range rels {
		if rel.Type == brain.HasMemory {
			held = append(held, rel.To)
		}
	}
	ms, err := r.Memories(held...)
	if err != nil {
		return nil, err
	}
	of := make(map[string]brain.Memory, len(ms))
	for i := range ms {
		m := &ms[i]
		if before, ok := of[m.SourceNodeID]; m.Current() && (!ok || before.Created.Before(m.Created)) {
			of[m.SourceNodeID] = *m
		}
	}
	return of, nil
}

// Test renders the entries that the full form would add for notes that were only
// read, by day and time. It writes nothing.
func (c *Curator) Test(ctx context.Context, read []ingest.Note) ([]string, error) {
	dir, err := c.s.Own(ctx)
	if err != nil {
		return nil, err
	}
	was, err := c.remembered(ctx)
	if err != nil {
		return nil, err
	}
	text, err := c.s.File.Read()
	if err != nil {
		return nil, err
	}
	g := curating{Curator: c, dir: dir}
	var entries []Entry
	for _, n := range read {
		for _, o := range n.Outcomes {
			s := brain.Source{Kind: brain.Outcome, Date: o.Date, Time: o.Time, Type: o.Type, Body: o.Body, Dir: dir, File: n.File, Line: o.Line}
			m := brain.Memory{ID: o.Key, Name: o.Title, Content: o.Content, MemoryType: o.Type, Importance: o.Importance}
			entries = append(entries, g.entry(m, s).withDefaults())
		}
	}
	written, added := marksIn(string(text)), stamp(c.s.Brain.Base.Now().In(c.s.Location))
	var out []string
	for _, e := range byTime(entries) {
		deleted := slices.ContainsFunc(was.State.Barred, func(r Ref) bool { return r.Text == e.wholeTitle() })
		if !written.take(e) && !deleted {
			out = append(out, e.whole(added))
		}
	}
	return out, nil
}
