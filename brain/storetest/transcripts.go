package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func transcriptCases() []testCase {
	return []testCase{
		{"talk is found by a search for it and by no other", talkApart},
		{"talk changes no order of notes, notes none of talk", talkScores},
		{"talk is ranked, quoted and bounded like the rest", talkRanked},
		{"sections and talk pass filters that memories have not", talkFilters},
		{"talk stays in step with its sections", talkInStep},
		{"talk of another brain is not found", talkOfOthers},
	}
}

func talkSearch(b *db, q string) []string {
	b.t.Helper()
	return hitIDs(b.search(brain.SearchQuery{Words: words.Parse(q), Transcripts: true}))
}

func talkSection(line int, text string) brain.Section {
	return Talk(Section("d", "transcripts/2026-03-01-transcript.md", line, text))
}

// talks returns n sections of a transcript with the same text.
func talks(n int, text string) []brain.Section {
	ss := make([]brain.Section, n)
	for i := range ss {
		ss[i] = talkSection(i, text)
	}
	return ss
}

func talkApart(t *testing.T, b *db) {
	said := talkSection(1, "an axolotl was mentioned")
	noted, m := Section("d", "a.md", 1, "an axolotl was seen"), Memory("an axolotl")
	odd := Memory("an axolotl", func(m *brain.Memory) { m.MemoryType = brain.SectionType })
	b.putSections(said, noted)
	b.put(m, odd)
	section, note := []string{brain.SectionType}, []string{"note"}
	for name, c := range map[string]struct {
		q    brain.SearchQuery
		want []string
	}{
		"plain":               {brain.SearchQuery{}, []string{m.ID, odd.ID, noted.ID}},
		"at an instant":       {brain.SearchQuery{AsOf: Hours(1)}, []string{m.ID, odd.ID, noted.ID}},
		"by type":             {brain.SearchQuery{Types: section}, []string{noted.ID, odd.ID}},
		"by two types":        {brain.SearchQuery{Types: append(section, "note")}, []string{noted.ID, odd.ID, m.ID}},
		"by another type":     {brain.SearchQuery{Types: note}, []string{m.ID}},
		"by type in a tier":   {brain.SearchQuery{Types: section, Tiers: tiers.All()}, []string{odd.ID}},
		"by type, none":       {brain.SearchQuery{Types: section, NoSections: true}, []string{odd.ID}},
		"no sections":         {brain.SearchQuery{NoSections: true}, []string{m.ID, odd.ID}},
		"talk":                {brain.SearchQuery{Transcripts: true}, []string{said.ID}},
		"talk, no sections":   {brain.SearchQuery{Transcripts: true, NoSections: true}, []string{said.ID}},
		"talk of two types":   {brain.SearchQuery{Transcripts: true, Types: append(section, "note")}, []string{said.ID}},
		"talk of one type":    {brain.SearchQuery{Transcripts: true, Types: note}, nil},
		"talk at an instant":  {brain.SearchQuery{Transcripts: true, AsOf: Hours(9)}, []string{said.ID}},
		"talk that is active": {brain.SearchQuery{Transcripts: true, ActiveOnly: Hours(9)}, []string{said.ID}},
	} {
		c.q.Words = words.Parse("axolotl")
		hits := b.search(c.q)
		same(t, name, sorted(c.want...), sorted(hitIDs(hits)...))
		for _, hit := range hits {
			same(t, name+": section flag", hit.ID == said.ID || hit.ID == noted.ID, hit.Section)
		}
	}
}

// talkScores compares the hits before and after the other collection has grown by much of
// what is rare in this one. Other brains may change their scores.
func talkScores(t *testing.T, b *db) {
	const rare, common = "a wombat beside a house", "a house among houses"
	b.put(append(Memories(12, common), Memory(rare))...)
	ss := append(talks(12, common), talkSection(99, rare))
	for _, s := range slices.Clone(ss) {
		ss = append(ss, Section("d", "a.md", s.Line, s.Text))
	}
	b.putSections(ss...)
	of := func(talk bool) []string {
		return hitIDs(b.search(brain.SearchQuery{Words: words.Parse("wombat house"), Transcripts: talk, Limit: 4}))
	}
	notes := of(false)
	b.putSections(talks(200, strings.Repeat("wombat talk ", 5))...)
	same(t, "notes after much talk", notes, of(false))
	talk := of(true)
	b.put(Memories(200, "wombat "+strings.Repeat("and more ", 20))...)
	same(t, "talk after many notes", talk, of(true))
}

func talkRanked(t *testing.T, b *db) {
	ss := talks(40, "we talked about other things for a while")
	both, one := talkSection(50, "the numbat meets a quoll at night"), talkSection(51, "the numbat alone sleeps at night")
	titled := talkSection(52, "nothing of note was said")
	titled.Heading = "Numbat and quoll"
	b.putSections(append(ss, one, both, titled)...)
	got := talkSearch(b, "numbat quoll")
	same(t, "hits", sorted(both.ID, one.ID, titled.ID), sorted(got...))
	same(t, "the last one", one.ID, got[len(got)-1])
	same(t, "a phrase", []string{both.ID}, talkSearch(b, `"numbat meets"`))
	for _, limit := range []int{7, 100} { // ties by id
		hits := b.search(brain.SearchQuery{Words: words.Parse("talked"), Transcripts: true, Limit: limit})
		same(t, "hits up to a limit", sorted(sectionIDs(ss)...)[:min(limit, len(ss))], hitIDs(hits))
	}
}

func talkFilters(t *testing.T, b *db) {
	talk, note := talkSection(1, "a dugong"), Section("d", "a.md", 1, "a dugong")
	talk.Modified, note.Modified, note.Project = Hours(2), Hours(2), "shop"
	b.putSections(talk, note)
	none, atlas, shop := "", "atlas", "shop"
	for name, c := range map[string]struct {
		q          brain.SearchQuery
		talk, note bool
	}{
		"since then":    {brain.SearchQuery{Since: Hours(2)}, true, true},
		"since later":   {brain.SearchQuery{Since: Hours(2).Add(time.Millisecond)}, false, false},
		"until then":    {brain.SearchQuery{Until: Hours(2)}, false, false},
		"until later":   {brain.SearchQuery{Until: Hours(2).Add(time.Millisecond)}, true, true},
		"a tier":        {brain.SearchQuery{Tiers: []tiers.Tier{tiers.Working}}, false, false},
		"a tag":         {brain.SearchQuery{Tags: []string{"go"}}, false, false},
		"no project":    {brain.SearchQuery{Project: &none}, true, false},
		"its project":   {brain.SearchQuery{Project: &shop}, false, true},
		"other project": {brain.SearchQuery{Project: &atlas}, false, false},
	} {
		for transcripts, found := range map[bool]bool{true: c.talk, false: c.note} {
			c.q.Words, c.q.Transcripts = words.Parse("dugong"), transcripts
			hits := b.search(c.q)
			same(t, name, found, len(hits) == 1)
			for _, hit := range hits {
				same(t, "the project of the hit", map[bool]string{true: "", false: "shop"}[transcripts], hit.Project)
			}
		}
	}
}

func talkInStep(t *testing.T, b *db) {
	s := talkSection(1, "we spoke of a tapir")
	b.putSections(s)
	s.Text = "we spoke of an okapi"
	for _, s.Transcript = range []bool{true, false, true} {
		b.putSections(s)
		same(t, "the old text", 0, len(talkSearch(b, "tapir")))
		same(t, "the new text as talk", s.Transcript, len(talkSearch(b, "okapi")) == 1)
		same(t, "the new text as a note", !s.Transcript, len(b.find("okapi")) == 1)
	}
	b.deleteSections(s.ID)
	same(t, "deleted", 0, len(talkSearch(b, "okapi")))
}

func talkOfOthers(t *testing.T, b *db) {
	mine, other := b, b.h.brain(t)
	s := talkSection(1, "a numbat in a sentence of some length")
	mine.putSections(s)
	other.putSections(talks(150, "numbat numbat")...)
	same(t, "hits", []string{s.ID}, talkSearch(mine, "numbat"))
	other.deleteSections(s.ID)
	same(t, "hits after another brain deleted the id", []string{s.ID}, talkSearch(mine, "numbat"))
}
