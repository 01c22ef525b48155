package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func searchFilterCases() []testCase {
	return []testCase{
		{"any filter gives what its words say", searchProperty},
		{"filters follow a life", searchFilterLives},
		{"300 better hits that do not pass starve none that do", searchStarvation},
	}
}

func drawSearchFilter(t *rapid.T) brain.SearchQuery {
	hour := rapid.IntRange(-1, 6)
	maybe := func(label string) time.Time {
		if rapid.IntRange(0, 2).Draw(t, label+" is asked") > 0 {
			return time.Time{}
		}
		return Hours(float64(hour.Draw(t, label)))
	}
	return brain.SearchQuery{
		Words:      words.Parse("comet orbit"),
		NoSections: true,
		ActiveOnly: maybe("active only"),
		Types:      rapid.SampledFrom([][]string{nil, nil, {"note"}, {"note", "decision"}, {"no such"}}).Draw(t, "types"),
		Tiers: rapid.SampledFrom([][]tiers.Tier{
			nil, nil, {tiers.Working}, {tiers.Expired, tiers.Core},
		}).Draw(t, "tiers"),
		Tags:    rapid.SampledFrom([][]string{nil, nil, {"go"}, {"dark mode", "go"}, {"dark"}, {"g%"}, {`"go"`, "golang"}, {"go", "golang"}, {"Go"}}).Draw(t, "tags"),
		Project: rapid.SampledFrom(projectFilters()).Draw(t, "project"),
		Shared:  rapid.Bool().Draw(t, "shared"),
		Since:   maybe("since"),
		Until:   maybe("until"),
		Limit:   rapid.SampledFrom([]int{1, 5, 1000}).Draw(t, "limit"),
	}
}

// passes says whether a live or expired memory passes the filter of a query,
// in plain words.
func passes(m brain.Memory, q brain.SearchQuery) bool {
	active := m.Tier != tiers.Expired && (m.ExpiresAt.IsZero() || m.ExpiresAt.After(q.ActiveOnly))
	all := true
	for _, tag := range q.Tags {
		all = all && slices.Contains(m.Tags, tag)
	}
	return all &&
		(q.ActiveOnly.IsZero() || active) &&
		(len(q.Types) == 0 || slices.Contains(q.Types, m.MemoryType)) &&
		(len(q.Tiers) == 0 || slices.Contains(q.Tiers, m.Tier)) &&
		(q.Project == nil || *q.Project == m.Project || q.Shared && m.Project == "") &&
		!m.Created.Before(q.Since) &&
		(q.Until.IsZero() || m.Created.Before(q.Until))
}

func searchProperty(t *testing.T, b *db) {
	ms := variedMemories(150)
	for i := range ms { // an expired memory is past its expiresAt
		if ms[i].Tier == tiers.Expired {
			ms[i].ExpiresAt = Hours(-5)
		}
	}
	b.put(ms...)
	b.law(t, LivedServed, func(rt *rapid.T) {
		q := drawSearchFilter(rt)
		want := map[string]brain.Memory{}
		for _, m := range ms {
			if passes(m, q) {
				want[m.ID] = m
			}
		}
		got := b.search(q)
		if len(got) != min(q.Limit, len(want)) {
			rt.Fatalf("query %+v: %d hits, want %d of %d", q, len(got), min(q.Limit, len(want)), len(want))
		}
		for _, hit := range got {
			if m, ok := want[hit.ID]; !ok || m.MemoryType != hit.MemoryType || m.Project != hit.Project {
				rt.Fatalf("query %+v: %+v does not pass, or is not what it says", q, hit)
			}
		}
	})
}

func searchFilterLives(t *testing.T, b *db) {
	m := Memory("a pangolin", Expiring(Hours(1)))
	b.put(m)
	atlas := "atlas"
	active := brain.SearchQuery{Words: words.Parse("pangolin"), ActiveOnly: Hours(1)}
	short := brain.SearchQuery{Words: active.Words, Tiers: []tiers.Tier{tiers.ShortTerm}}
	text := brain.SearchQuery{Words: active.Words, Types: []string{"decision"}, Tags: []string{"new"}, Project: &atlas}
	found := func(what string, want ...int) {
		t.Helper()
		same(t, what, want, []int{len(b.search(active)), len(b.search(short)), len(b.search(text))})
	}
	found("at its end", 0, 0, 0)
	m.ExpiresAt = Hours(2)
	b.putLives(m)
	found("after a boost", 1, 0, 0)
	m.Tier = tiers.ShortTerm
	b.putLives(m)
	found("after it moved", 1, 1, 0)
	m.MemoryType, m.Project, m.Tags = "decision", "atlas", []string{"new"}
	b.put(m)
	found("after its attributes changed", 1, 1, 1)
}

// searchStarvation has 300 hits that are better in words but pass no filter.
func searchStarvation(t *testing.T, b *db) {
	pass := Memories(12, "a platypus in a long text of many other words that say very little", func(m *brain.Memory) {
		m.MemoryType, m.Project, m.Tags = "rare", "atlas", []string{"rare"}
		m.Tier, m.ExpiresAt, m.Created = tiers.LongTerm, Hours(100), Hours(10)
	})
	better := Memories(300, "platypus platypus platypus", func(m *brain.Memory) {
		m.Name, m.Tags, m.ExpiresAt = "platypus", []string{"platypus"}, Hours(1)
	})
	b.put(append(better, pass...)...)
	want := sorted(brain.IDs(pass)...)[:10]
	finds := func(what string, q brain.SearchQuery) {
		t.Helper()
		q.Words, q.Limit = words.Parse("platypus"), 10
		same(t, what, want, hitIDs(b.search(q)))
	}
	atlas := "atlas"
	finds("type", brain.SearchQuery{Types: []string{"rare"}})
	finds("tag", brain.SearchQuery{Tags: []string{"rare"}})
	finds("project", brain.SearchQuery{Project: &atlas})
	finds("tier", brain.SearchQuery{Tiers: []tiers.Tier{tiers.LongTerm}})
	finds("since", brain.SearchQuery{Since: Hours(10)})
	finds("active only", brain.SearchQuery{ActiveOnly: Hours(1)})
	finds("all of them", brain.SearchQuery{Types: []string{"rare"}, Tags: []string{"rare"}, Since: Hours(9), Project: &atlas})
	for i := range better { // now they are found at an instant only
		better[i].Tier, better[i].ValidTo = tiers.Superseded, Hours(1)
		if i%2 == 0 {
			better[i].Tier = tiers.ArchivedWorking
		}
	}
	b.putLives(better...)
	finds("archived and superseded ones", brain.SearchQuery{})
	finds("ones that were valid earlier", brain.SearchQuery{AsOf: Hours(2)})
	sections := make([]brain.Section, 300)
	for i := range sections {
		sections[i] = Section("d", "f", i, "platypus platypus")
		sections[i].Heading = fmt.Sprint("platypus ", i)
	}
	b.putSections(sections...)
	finds("sections", brain.SearchQuery{NoSections: true})
}
