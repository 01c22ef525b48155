package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func searchPassageCases() []testCase {
	return []testCase{
		{"statistics follow every write", statisticsFollow},
		{"reranked hits have their passages", passagesOfHits},
		{"neighbours are the nearest current ones of a group", neighboursNearest},
	}
}

// statistics fails unless the texts that a search covers are counted right.
func (b *db) statistics(what string, transcripts bool, texts ...brain.IndexedText) {
	b.t.Helper()
	want := brain.Statistics{Records: len(texts), With: map[string]int{"zebra": 0, "okapi": 0}}
	for _, x := range texts {
		want.Length += x.Length()
		for term := range want.With {
			if x.Content == term || x.Content == "zebra okapi" {
				want.With[term]++
			}
		}
	}
	got := view(b, func(r brain.Reader) (brain.Statistics, error) { return r.Statistics(transcripts, "zebra", "okapi") })
	got.Records = max(got.Records, len(texts)) // a store may count an empty collection as one
	same(b.t, what, want, got)
}

func passagesOfHits(t *testing.T, b *db) {
	m := Memory("zebra", func(m *brain.Memory) {
		m.Group, m.Position, m.Project, m.Tags = "g", 3, "atlas", []string{"a", "b"}
	})
	past := Memory("okapi", InTier(tiers.Superseded))
	s := Section("d", "f.md", 1, "okapi")
	b.put(m, past)
	b.putSections(s)
	want := map[string]brain.Passage{
		s.ID: {ID: s.ID, Section: true, Group: s.Group, Position: s.Position, Project: s.Project, Text: s.Indexed()},
		m.ID: {ID: m.ID, Group: "g", Position: 3, Project: "atlas", Text: m.Indexed()},
	}
	q := brain.SearchQuery{Words: words.Parse("zebra okapi"), Limit: 9}
	for _, q.Reranked = range []bool{false, true} {
		for _, hit := range b.search(q) {
			passage := brain.Passage{}
			if q.Reranked {
				passage = want[hit.ID]
			}
			same(t, "the passage of a hit", passage, hit.Passage)
		}
	}
}

func (b *db) neighbours(reach int, of ...brain.Passage) []string {
	b.t.Helper()
	near := view(b, func(r brain.Reader) ([]brain.Passage, error) { return r.Neighbours(reach, of...) })
	return brain.Map(near, func(p brain.Passage) string { return p.ID })
}

func statisticsFollow(t *testing.T, b *db) {
	other := b.h.brain(t)
	other.put(Memory("zebra"))
	m, n := Memory("zebra okapi"), Memory("zebra")
	s, talk := Section("d", "f.md", 1, "okapi"), Talk(Section("d", "t.md", 1, "zebra okapi"))
	b.put(m, n)
	b.putSections(s, talk)
	b.statistics("after the first writes", false, m.Indexed(), n.Indexed(), s.Indexed())
	b.statistics("of transcripts", true, talk.Indexed())
	n.Content, n.Tags = "okapi", []string{"striped", "horse"}
	s.Text = "zebra"
	b.put(n)
	b.putSections(s)
	b.statistics("after new texts", false, m.Indexed(), n.Indexed(), s.Indexed())
	m.Tier, n.Energy = tiers.Superseded, 3
	b.putLives(m, n)
	b.statistics("without a superseded memory", false, n.Indexed(), s.Indexed())
	m.Tier = tiers.Working
	b.putLives(m)
	b.statistics("with it again", false, m.Indexed(), n.Indexed(), s.Indexed())
	b.deleteMemories(n.ID)
	b.deleteSections(s.ID)
	b.statistics("after deletions", false, m.Indexed())
}

// neighboursNearest has a group of memories and sections in turn, with gaps and two
// records at one place, and memories between them that are past, of another group or of none.
func neighboursNearest(t *testing.T, b *db) {
	at := func(position int, tier tiers.Tier) brain.Memory {
		return Memory("memory", InTier(tier), func(m *brain.Memory) { m.Group, m.Position = "g", position })
	}
	all := make([]brain.Passage, 8)
	var ms []brain.Memory
	var ss []brain.Section
	for i := range all {
		if i%2 == 0 {
			m := at(10*(i/3), []tiers.Tier{tiers.LongTerm, tiers.Expired}[i/2%2])
			m.ID = fmt.Sprint("id", i)
			ms, all[i] = append(ms, m), m.Passage()
			continue
		}
		s := Section("d", "f.md", i, "section")
		s.ID, s.Group, s.Position = fmt.Sprint("id", i), "g", 10*(i/3)
		ss, all[i] = append(ss, s), s.Passage()
	}
	b.put(append(ms, at(9, tiers.ArchivedWorking), at(11, tiers.Superseded), Memory("of none"),
		Memory("of another group", func(m *brain.Memory) { m.Group, m.Position = "h", 10 }))...)
	b.putSections(ss...)
	for i := range all {
		near := b.neighbours(2, all[i])
		for at := max(0, i-2); at < min(len(all), i+3); at++ {
			if found := slices.Contains(near, all[at].ID); found != (at != i) {
				t.Errorf("neighbours of %s are %v: %s found %t", all[i].ID, near, all[at].ID, found)
			}
		}
		if slices.ContainsFunc(near, func(id string) bool { return id[:2] != "id" }) || len(near) > 8 {
			t.Errorf("neighbours of %s are %v", all[i].ID, near)
		}
	}
	same(t, "two neighbours of each other", false, slices.Contains(b.neighbours(1, all[3], all[4]), all[4].ID))
	same(t, "of one without a group", 0, len(b.neighbours(2, brain.Passage{ID: "x"})))
}
