package storetest

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

func sourceCases() []testCase {
	return append(nodeCases(kind[brain.Source]{
		full: func(id string) brain.Source {
			s := Source(brain.Outcome)
			s.ID = id
			return s
		},
		bare:   func(id string) brain.Source { return brain.Source{ID: id, Kind: brain.Learning, Created: Start} },
		except: []string{"Trigger", "Insight", "Concept", "Learned", "Text", "Due", "Done", "Description"}, // of other kinds
		put:    brain.Tx.PutSources, read: brain.Reader.Sources, remove: brain.Tx.DeleteNodes,
	}),
		testCase{"every field of every kind comes back", sourceKinds},
		testCase{"deleting removes source and relations", sourceDelete},
		testCase{"outcomes and reminders of notes are found by key, file and title", sourcesOfNotes},
		testCase{"sources are listed newest first by kind, project and open", sourcesListed},
	)
}

func sectionCases() []testCase {
	return append(nodeCases(kind[brain.Section]{
		full: func(id string) brain.Section {
			s := Talk(Section("dir", "notes/2026-03-01.md", 3, "text\nof two lines 🚀"))
			s.ID, s.Project = id, "shop"
			return s
		},
		bare: func(id string) brain.Section { return brain.Section{ID: id, Key: Hash(id), Modified: Start} },
		put:  brain.Tx.PutSections, read: brain.Reader.Sections, remove: brain.Tx.DeleteNodes,
	}), testCase{"sections of files come by file and line", sectionsByFile})
}

func everySource() []brain.Source {
	return []brain.Source{
		Source(brain.Crystallization), Source(brain.Learning), Source(brain.Reminder), Source(brain.Activity), Source(brain.Outcome),
	}
}

func sourceKinds(t *testing.T, b *db) {
	ss := everySource()
	for _, s := range ss {
		ss = append(ss, brain.Source{ID: NewID(), Kind: s.Kind, Created: s.Created})
	}
	b.putSources(ss...)
	for i, got := range b.sources(sourceIDs(ss)...) {
		same(t, string(ss[i].Kind), ss[i], got)
		utc(t, got)
	}
}

func sourceDelete(t *testing.T, b *db) {
	gone, kept, m := Source(brain.Learning), Source(brain.Learning), Memory("stays")
	b.putSources(gone, kept)
	b.put(m)
	stays := brain.Relation{From: kept.ID, Type: brain.HasMemory, To: m.ID}
	b.putRelations(stays, brain.Relation{From: gone.ID, Type: brain.HasMemory, To: m.ID})
	b.update(func(tx brain.Tx) error { return tx.DeleteNodes(gone.ID) })
	same(t, "sources", []brain.Source{kept}, b.sources(gone.ID, kept.ID))
	same(t, "relations", []brain.Relation{stays}, b.relations(m.ID, gone.ID))
	same(t, "memory", m, b.memory(m.ID))
}

// sourcesOfNotes has outcomes in three files of one directory and in one of another, and a
// reminder between them, and asks for many keys, files and titles that nothing has.
func sourcesOfNotes(t *testing.T, b *db) {
	ss := []brain.Source{
		OutcomeAt("d", "a.md", 1), OutcomeAt("d", "a.md", 2), OutcomeAt("d", "a.md", 10),
		OutcomeAt("d", "b.md", 3), OutcomeAt("d", "c.md", 1), OutcomeAt("e", "a.md", 1),
	}
	ss[1].Removed, ss[2].Kind = Hours(2), brain.Reminder
	b.putSources(ss[3], ss[2], ss[5], ss[1], ss[4], ss[0])
	many := make([]string, 3000)
	for i := range many {
		many[i] = Hash(fmt.Sprint(i))
	}
	for what, c := range map[string]struct {
		f    brain.SourceFilter
		want []brain.Source
	}{
		"no keys":           {brain.SourceFilter{By: brain.ByKey}, nil},
		"keys":              {brain.SourceFilter{By: brain.ByKey, Keys: append(many, ss[2].Key, ss[0].Key)}, []brain.Source{ss[0], ss[2]}},
		"no files":          {brain.SourceFilter{By: brain.ByFile, Dir: "d"}, nil},
		"files":             {brain.SourceFilter{By: brain.ByFile, Dir: "d", Keys: append(many, "b.md", "a.md")}, ss[:4]},
		"another directory": {brain.SourceFilter{By: brain.ByFile, Dir: "e", Keys: []string{"a.md", "c.md"}}, ss[5:]},
		"no directory":      {brain.SourceFilter{By: brain.ByFile, Dir: "f", Keys: []string{"a.md"}}, nil},
		"no titles":         {brain.SourceFilter{By: brain.ByTitle}, nil},
		"titles":            {brain.SourceFilter{By: brain.ByTitle, Keys: append(many, ss[2].TitleKey, ss[4].TitleKey)}, []brain.Source{ss[2], ss[4]}},
		"one of each title": {brain.SourceFilter{By: brain.ByTitle, Keys: append(many, ss[2].TitleKey, ss[4].TitleKey), Limit: 1}, []brain.Source{ss[2], ss[4]}},
		"a kind of a title": {brain.SourceFilter{By: brain.ByTitle, Keys: []string{ss[2].TitleKey}, Kind: brain.Outcome}, nil},
	} {
		same(t, what, c.want, b.outcomes(c.f))
	}
	old := ss[0].Key
	ss[0].Key, ss[0].File = Hash("new"), "new.md"
	b.putSources(ss[0])
	same(t, "sources of a key that was given up", ss[:1], b.outcomes(brain.SourceFilter{By: brain.ByKey, Keys: []string{old, ss[0].Key}}))
	same(t, "sources of the old file", ss[1:3], b.outcomes(brain.SourceFilter{By: brain.ByFile, Dir: "d", Keys: []string{"a.md"}}))
}

func listSources(b *db, f brain.SourceFilter) []string {
	b.t.Helper()
	f.Limit = cmp.Or(f.Limit, 100)
	return sourceIDs(view(b, func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(f) }))
}

func sourcesListed(t *testing.T, b *db) {
	atlas, none := "atlas", ""
	learning, done, open, loose := Source(brain.Learning), Source(brain.Reminder), Source(brain.Reminder), Source(brain.Reminder)
	open.Done, loose.Done = time.Time{}, time.Time{}
	loose.Project, open.Due = "", time.Time{}
	for i, s := range []*brain.Source{&learning, &done, &open, &loose} {
		s.Created = Hours(float64(-i))
	}
	b.putSources(loose, learning, open, done)
	for name, c := range map[string]struct {
		f    brain.SourceFilter
		want []string
	}{
		"all":                     {brain.SourceFilter{}, []string{learning.ID, done.ID, open.ID, loose.ID}},
		"the newest two":          {brain.SourceFilter{Limit: 2}, []string{learning.ID, done.ID}},
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

func sectionsByFile(t *testing.T, b *db) {
	ss := []brain.Section{
		Section("d", "a.md", 1, "x"), Section("d", "a.md", 2, "x"), Section("d", "a.md", 10, "x"),
		Section("d", "b.md", 1, "x"), Section("e", "a.md", 1, "x"),
	}
	b.putSections(ss[3], ss[2], ss[4], ss[1], ss[0])
	byFile := func(dir string, files ...string) []brain.Section {
		return view(b, func(r brain.Reader) ([]brain.Section, error) { return r.SectionsByFile(dir, files...) })
	}
	same(t, "one file", ss[:3], byFile("d", "a.md"))
	same(t, "two files", ss[:4], byFile("d", "b.md", "a.md", "missing.md"))
	same(t, "another directory", ss[4:], byFile("e", "a.md"))
	same(t, "no files", 0, len(byFile("d")))
	ss[0].File, ss[0].Key = "c.md", Hash("new key")
	b.putSections(ss[0])
	same(t, "the old file of a section that moved", ss[1:3], byFile("d", "a.md"))
	same(t, "its new file", ss[:1], byFile("d", "c.md"))
	b.deleteSections(sectionIDs(ss)...)
	same(t, "hits of deleted sections", 0, len(b.find("x")))
}
