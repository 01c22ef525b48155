package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func sectionCases() []testCase {
	return []testCase{
		{"every field comes back", sectionRoundTrip},
		{"ids give their order and missing ones are left out", sectionOrder},
		{"sections of files come by file and line", sectionsByFile},
		{"storing again replaces the whole section", sectionUpsert},
		{"many sections at once", sectionsMany},
	}
}

func sectionRoundTrip(t *testing.T, h harness) {
	b := h.brain(t)
	want := Talk(Section("dir", "notes/2026-03-01.md", 3, "text\nof two lines 🚀"))
	want.Project = "shop"
	allSet(t, want)
	bare := brain.Section{ID: NewID(), Key: Hash("bare"), Modified: Start}
	b.putSections(want, bare)
	got := b.sections(want.ID, bare.ID)
	same(t, "sections", []brain.Section{want, bare}, got)
	for _, s := range got {
		utc(t, s)
	}
}

func sectionOrder(t *testing.T, h harness) {
	b := h.brain(t)
	ss := []brain.Section{Section("d", "a", 1, "x"), Section("d", "a", 2, "y"), Section("d", "a", 3, "z")}
	b.putSections(ss...)
	got := b.sections(ss[2].ID, "missing", ss[0].ID)
	same(t, "ids", []string{ss[2].ID, ss[0].ID}, sectionIDs(got))
}

func sectionsOf(b *db, dir string, files ...string) []brain.Section {
	b.t.Helper()
	return view(b, func(r brain.Reader) ([]brain.Section, error) { return r.SectionsByFile(dir, files...) })
}

func sectionsByFile(t *testing.T, h harness) {
	b := h.brain(t)
	a2, a10, a1 := Section("d", "a.md", 2, "x"), Section("d", "a.md", 10, "x"), Section("d", "a.md", 1, "x")
	b1, elsewhere := Section("d", "b.md", 1, "x"), Section("e", "a.md", 1, "x")
	b.putSections(b1, a10, elsewhere, a2, a1)
	byFile := func(dir string, files ...string) []string {
		return sectionIDs(sectionsOf(b, dir, files...))
	}
	same(t, "one file", []string{a1.ID, a2.ID, a10.ID}, byFile("d", "a.md"))
	same(t, "two files", []string{a1.ID, a2.ID, a10.ID, b1.ID}, byFile("d", "b.md", "a.md", "missing.md"))
	same(t, "another directory", []string{elsewhere.ID}, byFile("e", "a.md"))
	same(t, "no files", 0, len(byFile("d")))
}

func sectionUpsert(t *testing.T, h harness) {
	b := h.brain(t)
	s := Section("d", "a.md", 1, "old text")
	b.putSections(s)
	s.File, s.Line, s.Text, s.Heading, s.Key = "b.md", 9, "new text", "", Hash("new key")
	b.putSections(s)
	same(t, "section", []brain.Section{s}, b.sections(s.ID))
	same(t, "sections of the old file", 0, len(sectionsOf(b, "d", "a.md")))
}

func sectionsMany(t *testing.T, h harness) {
	b := h.brain(t)
	ss := make([]brain.Section, 1200)
	for i := range ss {
		ss[i] = Section("d", "big.md", i+1, "line of a big file")
	}
	b.putSections(ss...)
	same(t, "sections by id", ss, b.sections(sectionIDs(ss)...))
	same(t, "sections by file", ss, sectionsOf(b, "d", "big.md"))
	b.update(func(tx brain.Tx) error { return tx.DeleteSections(sectionIDs(ss)...) })
	same(t, "sections after deleting all", 0, len(b.sections(sectionIDs(ss)...)))
	same(t, "hits after deleting all", 0, len(b.find("big line")))
}
