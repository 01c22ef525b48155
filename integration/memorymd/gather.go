package memorymd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/tiers"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

func (g *curating) gather(r brain.Reader) (err error) {
	if err := g.rename(r); err != nil {
		return err
	}
	if g.s.Form == Full {
		g.entries, g.closes, err = g.full(r)
	} else {
		g.entries, g.options.More, err = g.curated(r)
	}
	if err == nil {
		g.options.Exists, g.options.Forgotten, err = g.existing(r)
	}
	return err
}

// rename lets the state of the last writing name memories by their present ids: earlier versions
// gave a promoted one another.
func (g *curating) rename(r brain.Reader) error {
	st := &g.was.State
	ids := append(brain.Map(st.Entries, func(w Written) string { return w.ID }), brain.Map(st.Barred, func(b Ref) string { return b.ID })...)
	ms, err := r.Memories(ids...)
	present := map[string]string{}
	for _, m := range ms {
		present[m.ID] = m.ID
		if err == nil && m.Tier != tiers.Superseded && !m.Current() {
			var newest brain.Memory
			newest, err = lifecycle.Newest(r, m.ID)
			present[m.ID] = newest.ID
		}
	}
	for i, w := range st.Entries {
		st.Entries[i].ID = cmp.Or(present[w.ID], w.ID)
	}
	for i, b := range st.Barred {
		st.Barred[i].ID = cmp.Or(present[b.ID], b.ID)
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
	reminders, _, err := recall.PushedReminders(r, nil, g.now)
	if err != nil {
		return nil, 0, err
	}
	pushed := map[string]bool{}
	for _, s := range reminders {
		pushed[s.ID] = true
	}
	read, err := g.withReminders(r, ms[:min(len(ms), wanted)], reminders)
	if err != nil {
		return nil, 0, err
	}
	counts, err := r.Counts(g.now)
	if err != nil {
		return nil, 0, err
	}
	sources, err := r.Sources(brain.Map(read, func(s recall.Salient) string { return s.SourceNodeID })...) // some have none
	byID := map[string]brain.Source{}
	for _, s := range sources {
		byID[s.ID] = s
	}
	other, pairsErr := g.others(r)
	for i := range read {
		m, s := &read[i].Memory, byID[read[i].SourceNodeID]
		if group, _ := m.Freshness(); group == "" || !s.Done.IsZero() || recall.IsGone(m, s) { // an activity; a reminder that is done; what no note says any more
			continue
		}
		if s.Kind == brain.Reminder && !pushed[s.ID] {
			continue
		}
		e := g.entry(*m, s)
		e.Statement, e.Was, e.Due = statement.Of(m).Title, read[i].Was, statement.DueText(s.Due, g.s.Location)
		e.Other = other[m.ID]
		entries = append(entries, e)
	}
	entries = together(entries)
	if len(ms) > wanted {
		more = max(0, counts.Current()-len(read))
	}
	return entries, more, errors.Join(err, pairsErr)
}

// withReminders adds the memories of reminders, most salient first: of a thousand tasks, the
// urgent ones may not be among the most salient memories.
func (g *curating) withReminders(r brain.Reader, ms []recall.Salient, reminders []brain.Source) ([]recall.Salient, error) {
	memoryOf, err := lifecycle.MemoriesOf(r, brain.Map(reminders, func(s brain.Source) string { return s.ID })...)
	more := lifecycle.Get(&err, r.Memories, slices.Collect(maps.Values(memoryOf))...)
	tl, tlErr := lifecycle.Timeline(r)
	all := slices.Clone(ms)
	for _, m := range more {
		if !slices.ContainsFunc(ms, func(s recall.Salient) bool { return s.ID == m.ID }) {
			all = append(all, recall.Salient{Memory: m, Salience: m.Salience(tl.Energy(m.State, g.now), g.now)})
		}
	}
	slices.SortStableFunc(all, func(a, b recall.Salient) int { return cmp.Compare(b.Salience, a.Salience) })
	return all, errors.Join(err, tlErr)
}

// together returns entries with the two of each open pair behind each other, the newer one
// first, where the stronger one was.
func together(entries []Entry) []Entry {
	byID := map[string]Entry{}
	for _, e := range entries {
		byID[e.ID] = e
	}
	out := make([]Entry, 0, len(entries))
	for _, e := range entries {
		if _, left := byID[e.ID]; !left {
			continue
		}
		pair := []Entry{e}
		if other, ok := byID[e.Other.ID]; ok {
			if pair = append(pair, other); e.Other.Newer {
				slices.Reverse(pair)
			}
		}
		for _, p := range pair {
			delete(byID, p.ID)
			out = append(out, p)
		}
	}
	return out
}

// others returns by id the other statement of the newest open pair that a memory is in.
func (g *curating) others(r brain.Reader) (map[string]Other, error) {
	open, err := lifecycle.OpenPairs(r)
	other := map[string]Other{}
	date := func(m brain.Memory) string { return m.Created.In(g.s.Location).Format(time.DateOnly) }
	for _, p := range open {
		_, newer := other[p.Newer.ID]
		_, older := other[p.Older.ID]
		if !newer && !older {
			other[p.Newer.ID] = Other{ID: p.Older.ID, Date: date(p.Older)}
			other[p.Older.ID] = Other{ID: p.Newer.ID, Date: date(p.Newer), Newer: true}
		}
	}
	return other, err
}

// entry returns a memory with its source, which may be empty.
func (g *curating) entry(m brain.Memory, s brain.Source) Entry {
	e := Entry{
		ID: m.ID, Type: m.MemoryType, Importance: string(m.Importance),
		Date: m.Created.In(g.s.Location).Format(time.DateOnly), Pointer: g.pointer(s),
	}
	if s.Kind == brain.Outcome {
		e.Date, e.Time, e.Type, e.Written = s.Date, s.Time, cmp.Or(s.Type, m.MemoryType), s.Description
	}
	switch {
	case s.Kind == brain.Outcome && s.Time == "":
		e.Bullet, e.Text, e.Written = true, m.Content, dailynote.LegacyTypeOf(s.Body)
		if strings.HasPrefix(m.Content, s.Body) {
			e.Text = s.Body // without the heading above it
		}
	case s.Kind == brain.Outcome:
		e.Title = m.Name
		if strings.TrimSpace(m.Content) != strings.TrimSpace(m.Name) {
			e.Body = m.Content
		}
	case m.Name != "" && !strings.HasPrefix(strings.TrimSpace(m.Content), m.Name): // it has a name of its own
		e.Text = m.Name + nameEnd + m.Content
	default:
		e.Text = m.Content
	}
	return e
}

// nameEnd separates the name of a memory from its text on one line.
const nameEnd = ": "

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

// existing reports which of the written memories still exist, in any tier or replaced by
// another one, and which were forgotten.
func (g *curating) existing(r brain.Reader) (exists func(id string) bool, forgotten map[string]bool, err error) {
	ids := brain.Map(g.was.State.Entries, func(w Written) string { return w.ID })
	ms, err := r.Memories(ids...)
	redirects, redirectsErr := r.Records(brain.RedirectRecord, ids...)
	stones, stonesErr := r.ListRecords(brain.TombstoneRecord, brain.RecordFilter{By: brain.ByOwner, Keys: ids})
	found, forgotten := map[string]bool{}, map[string]bool{}
	for i := range ms {
		found[ms[i].ID] = true
	}
	for _, from := range redirects {
		found[from.ID] = true
	}
	for _, stone := range stones {
		forgotten[stone.Owner] = true
	}
	return func(id string) bool { return found[id] }, forgotten, errors.Join(err, redirectsErr, stonesErr)
}

// full reads the outcomes and bullets of the days to add. closes is the last complete day.
func (g *curating) full(r brain.Reader) (entries []Entry, closes string, err error) {
	files, closes, err := g.files(r)
	if err != nil {
		return nil, "", err
	}
	sources, err := r.ListSources(brain.SourceFilter{By: brain.ByFile, Dir: g.dir, Keys: files})
	if err != nil {
		return nil, "", err
	}
	sources = slices.DeleteFunc(sources, func(s brain.Source) bool { return !s.Removed.IsZero() })
	of, err := lifecycle.MemoriesOf(r, brain.Map(sources, func(s brain.Source) string { return s.ID })...)
	ms := brain.ByID(lifecycle.Get(&err, r.Memories, slices.Sorted(maps.Values(of))...))
	for _, s := range sources {
		if m := ms[of[s.ID]]; m.SourceNodeID == s.ID && m.Current() {
			entries = append(entries, g.entry(m, s))
		}
	}
	return entries, closes, err
}

// files returns the notes of one day, or those of past days that are new or changed.
func (g *curating) files(r brain.Reader) (files []string, closes string, err error) {
	states, err := r.ListRecords(brain.NoteFileRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{g.dir}})
	if err != nil {
		return nil, "", err
	}
	closed, at := g.was.Closed, g.was.At
	if g.was.State.Form != Full || g.lost { // the block has nothing of the days
		closed, at = "", time.Time{}
	}
	yesterday := g.now.In(g.s.Location).AddDate(0, 0, -1).Format(time.DateOnly)
	for _, rec := range states {
		day := moment.LeadingDay(path.Base(rec.Key))
		isNote := day != "" && !strings.HasPrefix(rec.Key, "knowledge/") && !strings.HasPrefix(rec.Key, "transcripts/")
		changed := g.s.Day == "" && day <= yesterday && (day > closed || !rec.At.Before(at))
		if isNote && (day == g.s.Day || changed) {
			files = append(files, rec.Key)
		}
	}
	slices.Sort(files)
	if g.s.Day != "" {
		return files, closed, nil
	}
	return files, yesterday, nil
}

// Test renders the entries that may be added for notes that were only read, in the form of
// the options. The curated form shows the most salient of them, as far as its budget allows.
func (c *Curator) Test(ctx context.Context, read []ingest.Note) ([]string, error) {
	dir, err := c.s.Own(ctx)
	if err != nil {
		return nil, err
	}
	was, err := c.remembered(ctx)
	if err != nil {
		return nil, err
	}
	file, err := c.s.File.read()
	if err != nil {
		return nil, err
	}
	g := curating{Curator: c, dir: dir}
	var entries []Entry
	for _, n := range read {
		for _, o := range n.Outcomes {
			s := brain.Source{Kind: brain.Outcome, Date: o.Date, Time: o.Time, Type: o.Type, Description: o.Description, Body: o.Body, Dir: dir, File: n.File, Line: o.Line}
			m := o.Memory()
			m.ID, m.Group = o.Key, n.File
			e := g.entry(m, s).withDefaults()
			e.Statement = statement.Of(&m).Title
			entries = append(entries, e)
		}
	}
	written, added := marksIn(string(file.Text)), stamp(c.s.Brain.Base.Now().In(c.s.Location))
	var out []string
	for _, e := range byTime(entries) {
		deleted := slices.ContainsFunc(was.State.Barred, func(r Ref) bool { return r.Text == e.wholeTitle() })
		if written.take(e) || deleted {
			continue
		}
		if c.s.Form == Full {
			out = append(out, e.whole(added))
			continue
		}
		line, _, _ := strings.Cut(e.line(""), " (`brainbridge show") // its memory has no id yet
		if head, _, _ := strings.Cut(line, " (`"); !strings.Contains(string(file.Text), head) {
			out = append(out, strings.Replace(line, "`, `", "", 1)+"\n")
		}
	}
	return out, nil
}
