package storetest

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

func sourceCases() []testCase {
	return []testCase{
		{"every field of every kind comes back", sourceRoundTrip},
		{"ids give their order and missing ones are left out", sourceOrder},
		{"storing again replaces the whole source", sourceUpsert},
		{"deleting removes source and relations", sourceDelete},
		{"outcomes are found by key in the order asked", sourcesByKey},
		{"outcomes of files come by file and line", sourcesByFile},
		{"outcomes of titles come latest first, so many a title", sourcesByTitle},
		{"sources are listed newest first", sourcesNewest},
		{"sources are listed by kind, project and open", sourcesFiltered},
		{"5,000 ids, keys and titles at once", sourcesMany},
	}
}

func everySource() []brain.Source {
	return []brain.Source{
		Source(brain.Crystallization), Source(brain.Learning), Source(brain.Reminder), Source(brain.Activity), Source(brain.Outcome),
	}
}

func sourceRoundTrip(t *testing.T, h harness) {
	b := h.brain(t)
	full := everySource()
	allSet(t, full[4], "Trigger", "Insight", "Concept", "Learned", "Text", "Due", "Done", "Description") // of the other kinds
	b.putSources(full...)
	for i, got := range b.sources(sourceIDs(full)...) {
		same(t, string(full[i].Kind), full[i], got)
		utc(t, got)
	}
	for _, s := range full {
		bare := brain.Source{ID: s.ID, Kind: s.Kind, Created: s.Created}
		b.putSources(bare)
		same(t, "bare "+string(s.Kind), []brain.Source{bare}, b.sources(s.ID))
	}
}

func sourceOrder(t *testing.T, h harness) {
	b := h.brain(t)
	ss := everySource()
	b.putSources(ss...)
	got := b.sources(ss[4].ID, "missing", ss[1].ID, ss[3].ID)
	same(t, "ids", []string{ss[4].ID, ss[1].ID, ss[3].ID}, sourceIDs(got))
}

func sourceUpsert(t *testing.T, h harness) {
	b := h.brain(t)
	s := Source(brain.Outcome)
	b.putSources(s)
	oldKey := s.Key
	s.Key, s.Title, s.Removed, s.Tags, s.Line = Hash("new"), "new title", time.Time{}, nil, 99
	b.putSources(s)
	same(t, "source", []brain.Source{s}, b.sources(s.ID))
	same(t, "sources of the old key", 0, len(ask(b, brain.Reader.SourcesByKey, oldKey)))
	same(t, "sources of the new key", []brain.Source{s}, ask(b, brain.Reader.SourcesByKey, s.Key))
}

func sourceDelete(t *testing.T, h harness) {
	b := h.brain(t)
	gone, kept, m := Source(brain.Learning), Source(brain.Learning), Memory("stays")
	b.putSources(gone, kept)
	b.put(m)
	stays := brain.Relation{From: kept.ID, Type: brain.HasMemory, To: m.ID}
	b.putRelations(stays, brain.Relation{From: gone.ID, Type: brain.HasMemory, To: m.ID})
	b.update(func(tx brain.Tx) error { return tx.DeleteSources(gone.ID) })
	same(t, "sources", []brain.Source{kept}, b.sources(gone.ID, kept.ID))
	same(t, "relations", []brain.Relation{stays}, b.relations(m.ID, gone.ID))
	same(t, "memory", m, b.memory(m.ID))
}

func sourcesByKey(t *testing.T, h harness) {
	b := h.brain(t)
	ss := []brain.Source{Source(brain.Outcome), Source(brain.Outcome), Source(brain.Outcome)}
	b.putSources(ss...)
	got := ask(b, brain.Reader.SourcesByKey, ss[2].Key, Hash("missing"), ss[0].Key)
	same(t, "sources", []brain.Source{ss[2], ss[0]}, got)
}

func sourcesByFile(t *testing.T, h harness) {
	b := h.brain(t)
	a2, a10, a1 := OutcomeAt("d", "a.md", 2), OutcomeAt("d", "a.md", 10), OutcomeAt("d", "a.md", 1)
	b3, c1, elsewhere := OutcomeAt("d", "b.md", 3), OutcomeAt("d", "c.md", 1), OutcomeAt("e", "a.md", 1)
	a2.Removed = Hours(2)
	b.putSources(b3, a10, elsewhere, a2, c1, a1)
	byFile := func(dir string, files ...string) []string {
		return sourceIDs(view(b, func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByFile(dir, files...) }))
	}
	same(t, "one file", []string{a1.ID, a2.ID, a10.ID}, byFile("d", "a.md"))
	same(t, "two files", []string{a1.ID, a2.ID, a10.ID, b3.ID}, byFile("d", "b.md", "missing.md", "a.md"))
	same(t, "another directory", []string{elsewhere.ID}, byFile("e", "a.md", "c.md"))
	same(t, "a directory that is not there", 0, len(byFile("f", "a.md")))
	same(t, "no files", 0, len(byFile("d")))
}

func sourcesByTitle(t *testing.T, h harness) {
	b := h.brain(t)
	var daily, weekly []brain.Source
	for day := range 9 {
		s := OutcomeAt("d", fmt.Sprint(day, ".md"), 1)
		s.Date, s.TitleKey = fmt.Sprintf("2026-02-%02d", (day*4)%9+1), Hash("daily")
		daily = append(daily, s)
	}
	once := OutcomeAt("d", "x.md", 1)
	once.TitleKey = Hash("weekly")
	weekly = append(weekly, once)
	b.putSources(append(daily, weekly...)...)
	byTitle := func(limit int, keys ...string) []string {
		got := view(b, func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByTitle(keys, limit) })
		return brain.Map(got, func(s brain.Source) string { return s.Date })
	}
	want := []string{"2026-02-09", "2026-02-08", "2026-02-07"}
	same(t, "dates of one title", want, byTitle(3, Hash("daily")))
	same(t, "how many of one title without need of a limit", 9, len(byTitle(50, Hash("daily"))))
	same(t, "how many of two titles", 4, len(byTitle(3, Hash("weekly"), Hash("missing"), Hash("daily"))))
	same(t, "no titles", 0, len(byTitle(3)))
}

func listSources(b *db, f brain.SourceFilter) []string {
	b.t.Helper()
	f.Limit = cmp.Or(f.Limit, 100)
	return sourceIDs(view(b, func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(f) }))
}

func sourcesNewest(t *testing.T, h harness) {
	b := h.brain(t)
	at := []float64{3, 1, 4, 5, 2}
	ids := make([]string, 6)
	for i, hours := range at {
		s := Source([]brain.SourceKind{brain.Learning, brain.Activity}[i%2])
		s.Created = Hours(hours)
		ids[int(hours)] = s.ID
		b.putSources(s)
	}
	want := []string{ids[5], ids[4], ids[3], ids[2], ids[1]}
	same(t, "all", want, listSources(b, brain.SourceFilter{}))
	same(t, "the newest two", want[:2], listSources(b, brain.SourceFilter{Limit: 2}))
}

func sourcesFiltered(t *testing.T, h harness) {
	b := h.brain(t)
	atlas, none := "atlas", ""
	learning, done, open, loose := Source(brain.Learning), Source(brain.Reminder), Source(brain.Reminder), Source(brain.Reminder)
	open.Done, loose.Done = time.Time{}, time.Time{}
	loose.Project, open.Due = "", time.Time{}
	for i, s := range []*brain.Source{&learning, &done, &open, &loose} {
		s.Created = Hours(float64(-i))
	}
	b.putSources(loose, open, done, learning)
	for name, c := range map[string]struct {
		f    brain.SourceFilter
		want []string
	}{
		"a kind":                  {brain.SourceFilter{Kind: brain.Learning}, []string{learning.ID}},
		"another kind":            {brain.SourceFilter{Kind: brain.Activity}, nil},
		"open reminders":          {brain.SourceFilter{Kind: brain.Reminder, Open: true}, []string{open.ID, loose.ID}},
		"open of any kind":        {brain.SourceFilter{Open: true}, []string{open.ID, loose.ID}},
		"a project":               {brain.SourceFilter{Project: &atlas}, []string{learning.ID, done.ID, open.ID}},
		"no project":              {brain.SourceFilter{Project: &none}, []string{loose.ID}},
		"open of a project":       {brain.SourceFilter{Open: true, Project: &atlas}, []string{open.ID}},
		"a limit after filtering": {brain.SourceFilter{Open: true, Limit: 1}, []string{open.ID}},
	} {
		same(t, name, c.want, listSources(b, c.f))
	}
	open.Done = Hours(30)
	b.putSources(open)
	same(t, "open once one is done", []string{loose.ID}, listSources(b, brain.SourceFilter{Open: true}))
	loose.Removed = Hours(30)
	b.putSources(loose)
	same(t, "open once one is gone from its note", []string{}, listSources(b, brain.SourceFilter{Open: true}))
}

func sourcesMany(t *testing.T, h harness) {
	b := h.brain(t)
	for _, kind := range []brain.SourceKind{brain.Outcome, brain.Reminder} {
		s := Source(brain.Outcome) // a reminder of a note has the fields of an outcome, too
		s.Kind, s.Key, s.File, s.TitleKey = kind, Hash("key "+string(kind)), string(kind)+".md", Hash("title "+string(kind))
		b.putSources(s)
		sourceAmongMany(b, s)
	}
}

func sourceAmongMany(b *db, s brain.Source) {
	many := make([]string, 5000)
	for i := range many {
		many[i] = Hash(fmt.Sprint(i))
	}
	want := []brain.Source{s}
	same(b.t, "by id", want, b.sources(append(many, s.ID)...))
	for what, read := range map[string]func(r brain.Reader) ([]brain.Source, error){
		"by key":   func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByKey(append(many, s.Key)...) },
		"by file":  func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByFile(s.Dir, append(many, s.File)...) },
		"by title": func(r brain.Reader) ([]brain.Source, error) { return r.SourcesByTitle(append(many, s.TitleKey), 2) },
	} {
		same(b.t, what+" of a "+string(s.Kind), want, view(b, read))
	}
}
