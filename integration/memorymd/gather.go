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
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// gather reads the entries, and which of the written ones still exist or were forgotten.
func (c *Curator) gather(r brain.Reader, f *facts, block Block) (err error) {
	if c.s.Form == Full {
		err = c.full(r, f, !block.Found || block.Run != f.was.State.Run)
	} else {
		err = c.curated(r, f)
	}
	ids := brain.Map(f.was.State.Entries, func(w Written) string { return w.ID })
	redirects := lifecycle.Get(&err, func(ids ...string) ([]brain.Record, error) { return r.Records(brain.RedirectRecord, ids...) }, ids...)
	existing := map[string]bool{} // in any tier, or replaced by another one
	for _, m := range lifecycle.Get(&err, r.Memories, ids...) {
		existing[m.ID] = true
	}
	for _, from := range redirects {
		existing[from.ID] = true
	}
	if err != nil {
		return err
	}
	stones, err := r.ListRecords(brain.TombstoneRecord, brain.RecordFilter{By: brain.ByOwner, Keys: ids})
	f.options.Exists, f.options.Forgotten = func(id string) bool { return existing[id] }, map[string]bool{}
	for _, stone := range stones {
		f.options.Forgotten[stone.Owner] = true
	}
	return err
}

// curated reads the memories that matter most: as many as the file has lines, and
// as many again for those that say the same or were deleted by hand; and those of the reminders
// that are pushed, since of a thousand tasks the urgent ones may not be among them.
func (c *Curator) curated(r brain.Reader, f *facts) error {
	now := f.options.Now
	reminders, _, err := recall.PushedReminders(r, nil, now)
	if err != nil {
		return err
	}
	pushed := brain.Map(reminders, func(s brain.Source) string { return s.ID })
	memoryOf, err := lifecycle.MemoriesOf(r, pushed...)
	also := lifecycle.Get(&err, r.Memories, slices.Collect(maps.Values(memoryOf))...)
	if err != nil {
		return err
	}
	wanted := 2*c.s.Lines + len(f.was.State.Barred)
	all, err := recall.Pushable(r, wanted, now, also...)
	if err != nil {
		return err
	}
	ms := slices.Clone(all[:min(len(all), wanted)])
	for _, s := range all[len(ms):] {
		if slices.Contains(pushed, s.SourceNodeID) {
			ms = append(ms, s)
		}
	}
	var ids []string // of sources; some have none
	for _, m := range ms {
		if ids = append(ids, m.SourceNodeID); m.Older != nil {
			ids = append(ids, m.Older.SourceNodeID)
		}
	}
	sources, err := r.Sources(ids...)
	counts, countsErr := r.Counts(now)
	if len(all) > wanted { // else all that may be shown were read
		f.options.More = max(0, counts.Current()-len(ms))
	}
	sourceOf := map[string]brain.Source{}
	for _, s := range sources {
		sourceOf[s.ID] = s
	}
	date := func(m brain.Memory) string { return m.Created.In(c.s.Location).Format(time.DateOnly) }
	for _, m := range ms {
		s := sourceOf[m.SourceNodeID]
		if group, _ := m.Freshness(); group == "" || !s.Done.IsZero() || s.Kind == brain.Reminder && !slices.Contains(pushed, s.ID) {
			continue // an activity; a reminder that is done, or not urgent
		}
		e := c.entry(m.Memory, s, f.dir)
		e.Statement, e.Was, e.Due = statement.Of(&m.Memory).Title, m.Was, statement.DueText(s.Due, c.s.Location)
		if m.Older == nil {
			f.entries = append(f.entries, e)
			continue
		}
		older := c.entry(*m.Older, sourceOf[m.Older.SourceNodeID], f.dir)
		older.Statement, older.Other = statement.Of(m.Older).Title, Other{ID: m.ID, Date: date(m.Memory), Newer: true}
		e.Other = Other{ID: older.ID, Date: date(*m.Older)}
		f.entries = append(f.entries, e, older)
	}
	return errors.Join(err, countsErr)
}

// entry returns a memory with its source, which may be empty, in the notes directory of an id.
func (c *Curator) entry(m brain.Memory, s brain.Source, dir string) Entry {
	e := Entry{
		ID: m.ID, Type: m.MemoryType, Importance: string(m.Importance),
		Date: m.Created.In(c.s.Location).Format(time.DateOnly), Pointer: c.pointer(s, dir),
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
func (c *Curator) pointer(s brain.Source, dir string) string {
	if s.File == "" || !s.Removed.IsZero() || s.Dir != dir {
		return ""
	}
	file := filepath.Join(c.s.NotesDir, filepath.FromSlash(s.File))
	if rel, err := filepath.Rel(filepath.Dir(c.s.File.Path), file); err == nil {
		file = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("%s:%d", file, s.Line)
}

// full reads the outcomes and bullets of one day, or those of past days that are new or changed.
// lost: the file does not have the block that was written last, so it has nothing of any day.
func (c *Curator) full(r brain.Reader, f *facts, lost bool) error {
	states, err := r.ListRecords(brain.NoteFileRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{f.dir}})
	if err != nil {
		return err
	}
	closed, at := f.was.Closed, f.was.At
	if f.was.State.Form != Full || lost {
		closed, at = "", time.Time{}
	}
	yesterday := f.options.Now.AddDate(0, 0, -1).Format(time.DateOnly)
	var files []string
	for _, rec := range states {
		day := moment.LeadingDay(path.Base(rec.Key))
		isNote := day != "" && !strings.HasPrefix(rec.Key, "knowledge/") && !strings.HasPrefix(rec.Key, "transcripts/")
		changed := c.s.Day == "" && day <= yesterday && (day > closed || !rec.At.Before(at))
		if isNote && (day == c.s.Day || changed) {
			files = append(files, rec.Key)
		}
	}
	f.closes = yesterday
	if c.s.Day != "" {
		f.closes = closed
	}
	slices.Sort(files)
	sources, err := r.ListSources(brain.SourceFilter{By: brain.ByFile, Dir: f.dir, Keys: files})
	if err != nil {
		return err
	}
	sources = slices.DeleteFunc(sources, func(s brain.Source) bool { return !s.Removed.IsZero() })
	of, err := lifecycle.MemoriesOf(r, brain.Map(sources, func(s brain.Source) string { return s.ID })...)
	ms := brain.ByID(lifecycle.Get(&err, r.Memories, slices.Sorted(maps.Values(of))...))
	for _, s := range sources {
		if m := ms[of[s.ID]]; m.SourceNodeID == s.ID && m.Current() {
			f.entries = append(f.entries, c.entry(m, s, f.dir))
		}
	}
	return err
}

// Test renders the entries that may be added for notes that were only read, in the form of
// the options. The curated form shows the most salient of them, as far as its budget allows.
func (c *Curator) Test(ctx context.Context, read []ingest.Note) (out []string, err error) {
	file, err := c.s.File.read()
	if err != nil {
		return nil, err
	}
	f, err := c.facts(ctx, "", file.Text)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, n := range read {
		for _, o := range n.Outcomes {
			s := brain.Source{Kind: brain.Outcome, Date: o.Date, Time: o.Time, Type: o.Type, Description: o.Description, Body: o.Body, Dir: f.dir, File: n.File, Line: o.Line}
			m := o.Memory()
			m.ID, m.Group = o.Key, n.File
			e := c.entry(m, s, f.dir).withDefaults()
			e.Statement = statement.Of(&m).Title
			entries = append(entries, e)
		}
	}
	text := string(file.Text)
	written := marksIn(text)
	for _, e := range byTime(entries) {
		deleted := slices.ContainsFunc(f.was.State.Barred, func(r Ref) bool { return r.Text == e.wholeTitle() })
		if written.take(e) || deleted {
			continue
		}
		if c.s.Form == Full {
			out = append(out, e.whole(f.options.Now.Format(time.DateTime)))
			continue
		}
		line, _, _ := strings.Cut(e.line(""), " (`brainbridge show") // its memory has no id yet
		if head, _, _ := strings.Cut(line, " (`"); !strings.Contains(text, head) {
			out = append(out, strings.Replace(line, "`, `", "", 1)+"\n")
		}
	}
	return out, nil
}
