package storetest

import (
	"fmt"
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
		{"talk passes the filters that sections pass", talkFilters},
		{"talk stays in step with its sections", talkInStep},
		{"talk of another brain is not found", talkOfOthers},
		{"the type section finds sections, any other leaves them out", sectionsByType},
	}
}

func talkSearch(b *db, q string) []string {
	b.t.Helper()
	return hitIDs(b.search(brain.SearchQuery{Words: words.Parse(q), Transcripts: true}))
}

func talkSection(line int, text string) brain.Section {
	return Talk(Section("d", "transcripts/2026-03-01-transcript.md", line, text))
}

func talkApart(t *testing.T, h harness) {
	b := h.brain(t)
	said := talkSection(1, "an axolotl was mentioned")
	noted, m := Section("d", "a.md", 1, "an axolotl was seen"), Memory("an axolotl")
	b.putSections(said, noted)
	b.put(m)
	for name, c := range map[string]struct {
		q    brain.SearchQuery
		want []string
	}{
		"plain":          {brain.SearchQuery{}, sorted(m.ID, noted.ID)},
		"at an instant":  {brain.SearchQuery{AsOf: Hours(1)}, sorted(m.ID, noted.ID)},
		"by type":        {brain.SearchQuery{Types: []string{brain.SectionType}}, []string{noted.ID}},
		"no sections":    {brain.SearchQuery{NoSections: true}, []string{m.ID}},
		"talk":           {brain.SearchQuery{Transcripts: true}, []string{said.ID}},
		"talk with none": {brain.SearchQuery{Transcripts: true, NoSections: true}, []string{said.ID}},
	} {
		c.q.Words = words.Parse("axolotl")
		hits := b.search(c.q)
		same(t, name, c.want, sorted(hitIDs(hits)...))
		for _, hit := range hits {
			same(t, name+": section flag", hit.ID == said.ID || hit.ID == noted.ID, hit.Section)
		}
	}
}

// talkScores compares the hits before and after the other collection has grown by much of
// what is rare in this one. Other brains may change their scores.
func talkScores(t *testing.T, h harness) {
	b := h.brain(t)
	const rare, common = "a wombat beside a house", "a house among houses"
	for i := range 12 {
		b.put(Memory(common))
		b.putSections(talkSection(i, common), Section("d", "a.md", i, common))
	}
	b.put(Memory(rare))
	b.putSections(talkSection(99, rare), Section("d", "a.md", 99, rare))
	of := func(talk bool) []brain.Hit {
		return b.search(brain.SearchQuery{Words: words.Parse("wombat house"), Transcripts: talk, Limit: 4})
	}
	notes := of(false)
	var more []brain.Section
	for i := range 300 {
		more = append(more, talkSection(1000+i, strings.Repeat("wombat talk ", 1+i%9)))
	}
	b.putSections(more...)
	same(t, "notes after much talk", hitIDs(notes), hitIDs(of(false)))
	talk := of(true)
	b.put(Memories(300, "wombat "+strings.Repeat("and more ", 20))...)
	same(t, "talk after many notes", hitIDs(talk), hitIDs(of(true)))
}

func talkRanked(t *testing.T, h harness) {
	b := h.brain(t)
	var ss []brain.Section
	for i := range 40 {
		ss = append(ss, talkSection(i, "we talked about other things for a while"))
	}
	both, one := talkSection(50, "the numbat meets a quoll at night"), talkSection(51, "the numbat alone sleeps at night")
	titled := talkSection(52, "nothing of note was said")
	titled.Heading = "Numbat and quoll"
	b.putSections(append(ss, one, both, titled)...)
	got := talkSearch(b, "numbat quoll")
	same(t, "hits", sorted(both.ID, one.ID, titled.ID), sorted(got...))
	same(t, "the last one", one.ID, got[len(got)-1])
	same(t, "a phrase", []string{both.ID}, talkSearch(b, `"numbat meets"`))
	all := b.search(brain.SearchQuery{Words: words.Parse("talked"), Transcripts: true, Limit: 100})
	same(t, "all", sorted(sectionIDs(ss)...), hitIDs(all))
	few := b.search(brain.SearchQuery{Words: words.Parse("talked"), Transcripts: true, Limit: 7})
	same(t, "at most seven, ties by id", hitIDs(all)[:7], hitIDs(few))
}

func talkFilters(t *testing.T, h harness) {
	b := h.brain(t)
	s := talkSection(1, "a dugong")
	s.Modified = Hours(2)
	b.putSections(s)
	none, atlas := "", "atlas"
	for name, c := range map[string]struct {
		q     brain.SearchQuery
		found bool
	}{
		"since then":      {brain.SearchQuery{Since: Hours(2)}, true},
		"since later":     {brain.SearchQuery{Since: Hours(2).Add(time.Millisecond)}, false},
		"until then":      {brain.SearchQuery{Until: Hours(2)}, false},
		"until later":     {brain.SearchQuery{Until: Hours(3)}, true},
		"type section":    {brain.SearchQuery{Types: []string{"note", brain.SectionType}}, true},
		"another type":    {brain.SearchQuery{Types: []string{"note"}}, false},
		"a tier":          {brain.SearchQuery{Tiers: []tiers.Tier{tiers.Working}}, false},
		"a tag":           {brain.SearchQuery{Tags: []string{"go"}}, false},
		"no project":      {brain.SearchQuery{Project: &none}, true},
		"a project":       {brain.SearchQuery{Project: &atlas}, false},
		"active ones":     {brain.SearchQuery{ActiveOnly: Hours(9)}, true},
		"at some instant": {brain.SearchQuery{AsOf: Hours(9)}, true},
	} {
		c.q.Words, c.q.Transcripts = words.Parse("dugong"), true
		same(t, name, c.found, len(b.search(c.q)) == 1)
	}
}

func talkInStep(t *testing.T, h harness) {
	b := h.brain(t)
	s := talkSection(1, "we spoke of a tapir")
	b.putSections(s)
	s.Text = "we spoke of an okapi"
	b.putSections(s)
	same(t, "the old text", 0, len(talkSearch(b, "tapir")))
	same(t, "the new text", []string{s.ID}, talkSearch(b, "okapi"))
	s.Transcript = false
	b.putSections(s)
	same(t, "talk that became a note", 0, len(talkSearch(b, "okapi")))
	same(t, "as a note", []string{s.ID}, b.find("okapi"))
	s.Transcript = true
	b.putSections(s)
	same(t, "a note that became talk", []string{s.ID}, talkSearch(b, "okapi"))
	same(t, "among notes", 0, len(b.find("okapi")))
	same(t, "stored", []brain.Section{s}, b.sections(s.ID))
	b.deleteSections(s.ID)
	same(t, "deleted", 0, len(talkSearch(b, "okapi")))
}

func talkOfOthers(t *testing.T, h harness) {
	mine, other := h.brain(t), h.brain(t)
	s := talkSection(1, "a numbat in a sentence of some length")
	mine.putSections(s)
	for i := range 150 {
		other.putSections(talkSection(i, "numbat numbat"))
	}
	same(t, "hits", []string{s.ID}, talkSearch(mine, "numbat"))
	other.deleteSections(s.ID)
	same(t, "hits after another brain deleted the id", []string{s.ID}, talkSearch(mine, "numbat"))
}

func sectionsByType(t *testing.T, h harness) {
	b := h.brain(t)
	s, m := Section("d", "a.md", 1, "a kiwi"), Memory("a kiwi")
	odd := Memory("a kiwi", func(m *brain.Memory) { m.MemoryType = brain.SectionType })
	b.putSections(s)
	b.put(m, odd)
	for _, c := range []struct {
		types []string
		want  []string
	}{
		{nil, sorted(s.ID, m.ID, odd.ID)},
		{[]string{brain.SectionType}, sorted(s.ID, odd.ID)},
		{[]string{"note", brain.SectionType}, sorted(s.ID, m.ID, odd.ID)},
		{[]string{"note"}, []string{m.ID}},
		{[]string{"no such"}, nil},
	} {
		q := brain.SearchQuery{Words: words.Parse("kiwi"), Types: c.types}
		same(t, fmt.Sprint("types ", c.types), c.want, sorted(hitIDs(b.search(q))...))
	}
	q := brain.SearchQuery{Words: words.Parse("kiwi"), Types: []string{brain.SectionType}}
	q.Tiers = slices.Clone(tiers.All())
	same(t, "in a tier", []string{odd.ID}, hitIDs(b.search(q)))
	q.Tiers, q.NoSections = nil, true
	same(t, "without sections", []string{odd.ID}, hitIDs(b.search(q)))
}
