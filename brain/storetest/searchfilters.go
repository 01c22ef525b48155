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
		{"tags are compared whole, and all are asked for", searchTags},
		{"times of a section are when it was modified", searchSectionTimes},
		{"filters follow a life", searchFilterLives},
		{"500 better hits that do not pass starve none that do", searchStarvation},
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
		Tags:    rapid.SampledFrom([][]string{nil, nil, {"go"}, {"dark mode", "go"}, {"dark"}}).Draw(t, "tags"),
		Project: rapid.SampledFrom(projectFilters()).Draw(t, "project"),
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
		(q.Project == nil || *q.Project == m.Project) &&
		!m.Created.Before(q.Since) &&
		(q.Until.IsZero() || m.Created.Before(q.Until))
}

func searchProperty(t *testing.T, h harness) {
	b := h.brain(t)
	ms := variedMemories(150)
	for i := range ms { // an expired memory is past its expiresAt
		if ms[i].Tier == tiers.Expired {
			ms[i].ExpiresAt = Hours(-5)
		}
		ms[i].Tags = slices.Clone(ms[i].Tags)
	}
	b.put(ms...)
	b.law(t, Served, func(rt *rapid.T) {
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

func searchTags(t *testing.T, h harness) {
	b := h.brain(t)
	byTag := map[string]string{}
	for _, tag := range []string{"go", "golang", "go lang", "Go", `"go"`, "g%", "gö", "go,c"} {
		m := Memory("a tagged text", func(m *brain.Memory) { m.Tags = []string{"shared", tag} })
		byTag[tag] = m.ID
		b.put(m)
	}
	for tag, id := range byTag {
		q := brain.SearchQuery{Words: words.Parse("text"), Tags: []string{tag}}
		same(t, "tag "+tag, []string{id}, hitIDs(b.search(q)))
		q.Tags = []string{tag, "shared"}
		same(t, "two tags with "+tag, []string{id}, hitIDs(b.search(q)))
		q.Tags = []string{tag, "nobody has this"}
		same(t, "a tag too many with "+tag, 0, len(b.search(q)))
	}
}

func searchSectionTimes(t *testing.T, h harness) {
	b := h.brain(t)
	s := Section("d", "f", 1, "a manatee")
	s.Modified = Hours(2)
	b.putSections(s)
	for name, c := range map[string]struct {
		since, until time.Time
		want         int
	}{
		"since then":                  {since: Hours(2), want: 1},
		"since a millisecond later":   {since: Hours(2).Add(time.Millisecond)},
		"until then":                  {until: Hours(2)},
		"until a millisecond later":   {until: Hours(2).Add(time.Millisecond), want: 1},
		"since before and until then": {since: Hours(1), until: Hours(2)},
		"around it":                   {since: Hours(1), until: Hours(3), want: 1},
	} {
		q := brain.SearchQuery{Words: words.Parse("manatee"), Since: c.since, Until: c.until}
		same(t, name, c.want, len(b.search(q)))
	}
}

func searchFilterLives(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("a pangolin", Expiring(Hours(1)))
	b.put(m)
	active := brain.SearchQuery{Words: words.Parse("pangolin"), ActiveOnly: Hours(1)}
	same(t, "at its end", 0, len(b.search(active)))
	m.ExpiresAt = Hours(2)
	b.putLives(m)
	same(t, "after a boost", 1, len(b.search(active)))
	short := brain.SearchQuery{Words: words.Parse("pangolin"), Tiers: []tiers.Tier{tiers.ShortTerm}}
	same(t, "in another tier", 0, len(b.search(short)))
	m.Tier = tiers.ShortTerm
	b.putLives(m)
	same(t, "after it moved", 1, len(b.search(short)))
	m.MemoryType, m.Project, m.Tags = "decision", "atlas", []string{"new"}
	b.put(m)
	atlas := "atlas"
	q := brain.SearchQuery{
		Words: words.Parse("pangolin"), Types: []string{"decision"}, Tags: []string{"new"}, Project: &atlas,
	}
	same(t, "after its attributes changed", 1, len(b.search(q)))
}

// searchStarvation has 500 hits that are better in words but pass no filter.
func searchStarvation(t *testing.T, h harness) {
	b := h.brain(t)
	pass := Memories(12, "a platypus in a long text of many other words that say very little", func(m *brain.Memory) {
		m.MemoryType, m.Project, m.Tags = "rare", "atlas", []string{"rare"}
		m.Tier, m.ExpiresAt, m.Created = tiers.LongTerm, Hours(100), Hours(10)
	})
	better := Memories(500, "platypus platypus platypus", func(m *brain.Memory) {
		m.Name, m.Tags, m.ExpiresAt = "platypus", []string{"platypus"}, Hours(1)
	})
	b.put(append(better, pass...)...)
	atlas := "atlas"
	want := brain.IDs(pass)
	for name, c := range map[string]struct {
		q    brain.SearchQuery
		want []string
	}{
		"type":        {brain.SearchQuery{Types: []string{"rare"}}, want},
		"tag":         {brain.SearchQuery{Tags: []string{"rare"}}, want},
		"project":     {brain.SearchQuery{Project: &atlas}, want},
		"tier":        {brain.SearchQuery{Tiers: []tiers.Tier{tiers.LongTerm}}, want},
		"since":       {brain.SearchQuery{Since: Hours(10)}, want},
		"active only": {brain.SearchQuery{ActiveOnly: Hours(1)}, want},
		"all of them": {brain.SearchQuery{Types: []string{"rare"}, Tags: []string{"rare"}, Since: Hours(9), Project: &atlas}, want},
	} {
		c.q.Words, c.q.Limit = words.Parse("platypus"), 10
		got := hitIDs(b.search(c.q))
		slices.Sort(c.want)
		same(t, name, c.want[:10], got)
	}
	starvedByTier(b, better, pass)
}

// starvedByTier turns the better ones into what is found at an instant only.
func starvedByTier(b *db, better, pass []brain.Memory) {
	b.t.Helper()
	for i := range better {
		better[i].Tier, better[i].ValidTo = tiers.Superseded, Hours(1)
		if i%2 == 0 {
			better[i].Tier = tiers.ArchivedWorking
		}
	}
	b.putLives(better...)
	want := sorted(brain.IDs(pass)...)[:10]
	q := brain.SearchQuery{Words: words.Parse("platypus"), Limit: 10}
	same(b.t, "archived and superseded ones", want, hitIDs(b.search(q)))
	q.AsOf = Hours(2)
	same(b.t, "ones that were valid earlier", want, hitIDs(b.search(q)))
	sections := make([]brain.Section, 500)
	for i := range sections {
		sections[i] = Section("d", "f", i, "platypus platypus")
		sections[i].Heading = fmt.Sprint("platypus ", i)
	}
	b.putSections(sections...)
	q = brain.SearchQuery{Words: words.Parse("platypus"), NoSections: true, Limit: 10}
	same(b.t, "sections", want, hitIDs(b.search(q)))
}
