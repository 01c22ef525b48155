package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func listCases() []testCase {
	return []testCase{
		{"live and expired memories come by id in pages of any size", listAll},
		{"what never expires comes first, then the latest, ties by id", listOrder},
		{"a list comes whole in pages of any size", listPages},
		{"tags are compared whole", listTags},
		{"several lists come one after the other", listSeveral},
		{"any filter gives what its words say", listProperty},
	}
}

// strength is the order of a list as the contract has it.
func strength(a, b brain.Memory) int {
	switch {
	case a.ExpiresAt.IsZero() != b.ExpiresAt.IsZero():
		if a.ExpiresAt.IsZero() {
			return -1
		}
		return 1
	case !a.ExpiresAt.Equal(b.ExpiresAt):
		return b.ExpiresAt.Compare(a.ExpiresAt)
	}
	return cmp.Compare(a.ID, b.ID)
}

func listOrder(t *testing.T, h harness) {
	b := h.brain(t)
	var ms []brain.Memory
	for i := range 12 {
		m := Memory("listed", InTier(tiers.LongTerm), Expiring(Hours(float64(i*5%4))))
		if i%4 == 0 {
			m.ExpiresAt = time.Time{}
		}
		ms = append(ms, m)
	}
	b.put(ms...)
	slices.SortFunc(ms, strength)
	f := brain.ListFilter{Tier: tiers.LongTerm, Limit: 100}
	got := ask(b, brain.Reader.ListMemories, f)
	same(t, "memories", ms, got)
	f.Limit = 5
	same(t, "the strongest five", brain.IDs(ms[:5]), b.list(f))
	f.Tier = tiers.Working
	same(t, "another tier", 0, len(b.list(f)))
}

func listAll(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	var ms []brain.Memory
	for range 3 {
		ms = append(ms, oneOfEachTier("listed")...)
	}
	for i := range ms {
		ms[i].ID, ms[i].PromoteDue = NewID(), Hours(float64(i%2))
		ms[i].MemoryType = []string{"note", "decision"}[i%2]
	}
	b.put(ms...)
	same(t, "another brain", 0, len(other.list(brain.ListFilter{Limit: 99})))
	for _, size := range []int{1, 7, 99} {
		same(t, fmt.Sprint("pages of ", size), currentIDs(ms), listInPages(b, brain.ListFilter{Limit: size}))
	}
	notes := slices.DeleteFunc(slices.Clone(ms), func(m brain.Memory) bool { return m.MemoryType != "note" })
	same(t, "of a type", currentIDs(notes), b.list(brain.ListFilter{Type: "note", Limit: 99}))
}

func listPages(t *testing.T, h harness) {
	b := h.brain(t)
	ms := variedMemories(60)
	for i := range ms {
		ms[i].Tier, ms[i].PromoteDue = tiers.Working, time.Time{}
	}
	b.put(ms...)
	slices.SortFunc(ms, strength)
	for _, size := range []int{1, 7, 59, 60, 61} {
		same(t, fmt.Sprint("pages of ", size), brain.IDs(ms), listInPages(b, brain.ListFilter{Tier: tiers.Working, Limit: size}))
	}
}

func listInPages(b *db, f brain.ListFilter) []string {
	b.t.Helper()
	return inPages(b, f.Limit, func(r brain.Reader, after *brain.Memory) ([]brain.Memory, error) {
		if after != nil {
			f.After = &brain.Memory{ID: after.ID, State: tiers.State{ExpiresAt: after.ExpiresAt}}
		}
		return r.ListMemories(f)
	})
}

// inPages returns the ids of a list that is read page by page, each after a memory.
func inPages(b *db, limit int, read func(r brain.Reader, after *brain.Memory) ([]brain.Memory, error)) (ids []string) {
	b.t.Helper()
	for after := (*brain.Memory)(nil); ; {
		page := view(b, func(r brain.Reader) ([]brain.Memory, error) { return read(r, after) })
		ids = append(ids, brain.IDs(page)...)
		if len(page) < limit {
			return ids
		}
		after = &page[len(page)-1]
	}
}

func listTags(t *testing.T, h harness) {
	b := h.brain(t)
	tags := []string{"go", "golang", "a go", "go,x", `"go"`, "g%", "Go", "gö"}
	byTag := map[string]string{}
	for _, tag := range tags {
		m := Memory("tagged", func(m *brain.Memory) { m.Tags = []string{"other", tag} })
		byTag[tag] = m.ID
		b.put(m)
	}
	for _, tag := range tags {
		f := brain.ListFilter{Tier: tiers.Working, Tag: tag, Limit: 100}
		same(t, "tag "+tag, []string{byTag[tag]}, b.list(f))
	}
	same(t, "a tag of all", len(tags), len(b.list(brain.ListFilter{Tier: tiers.Working, Tag: "other", Limit: 100})))
	same(t, "a tag of none", 0, len(b.list(brain.ListFilter{Tier: tiers.Working, Tag: "o", Limit: 100})))
}

// variedMemories are n memories in which every attribute that a filter asks
// for takes a few values, independently and always the same way.
func variedMemories(n int) []brain.Memory {
	ms := make([]brain.Memory, n)
	pick := rapid.Custom(variedMemory)
	for i := range ms {
		ms[i] = pick.Example(i)
		ms[i].ID = NewID()
		ms[i].Root = ms[i].ID
	}
	return ms
}

var (
	variedProjects = []string{"", "atlas", "borealis"}
	variedTypes    = []string{"note", "decision"}
	variedTags     = [][]string{nil, {"go"}, {"go", "dark mode"}, {"dark mode"}}
	variedTiers    = []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.Expired, tiers.Core}
)

func variedMemory(t *rapid.T) brain.Memory {
	hour := rapid.IntRange(0, 5)
	maybe := func(label string) time.Time {
		if rapid.Bool().Draw(t, label+" is none") {
			return time.Time{}
		}
		return Hours(float64(hour.Draw(t, label)))
	}
	return Memory("the orbit of a comet", func(m *brain.Memory) {
		m.Tier = rapid.SampledFrom(variedTiers).Draw(t, "tier")
		m.Project = rapid.SampledFrom(variedProjects).Draw(t, "project")
		m.MemoryType = rapid.SampledFrom(variedTypes).Draw(t, "type")
		m.Tags = rapid.SampledFrom(variedTags).Draw(t, "tags")
		m.ExpiresAt = maybe("expiresAt")
		m.PromoteDue = maybe("promoteDue")
		m.Created = Hours(float64(hour.Draw(t, "created")))
	})
}

func drawListFilter(t *rapid.T) brain.ListFilter {
	hour := rapid.IntRange(-1, 6)
	f := brain.ListFilter{
		Tier:    rapid.SampledFrom(variedTiers).Draw(t, "tier"),
		DueOnly: rapid.Bool().Draw(t, "due only"),
		Type:    rapid.SampledFrom([]string{"", "", "note", "no such"}).Draw(t, "type"),
		Tag:     rapid.SampledFrom([]string{"", "", "go", "dark mode", "dark"}).Draw(t, "tag"),
		Project: rapid.SampledFrom(projectFilters()).Draw(t, "project"),
		Limit:   rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "limit"),
	}
	if rapid.Bool().Draw(t, "with since") {
		f.Since = Hours(float64(hour.Draw(t, "since")))
	}
	if rapid.Bool().Draw(t, "with unexpired") {
		f.Unexpired = Hours(float64(hour.Draw(t, "unexpired")))
	}
	if rapid.IntRange(0, 3).Draw(t, "with faded") == 0 {
		f.Faded = Hours(float64(hour.Draw(t, "faded")))
	}
	return f
}

func projectFilters() []*string {
	atlas, none, other := "atlas", "", "no such"
	return []*string{nil, nil, &atlas, &none, &other}
}

// listed returns the expected list by strength by a simple implementation.
func listed(ms []brain.Memory, f brain.ListFilter) []string {
	var kept []brain.Memory
	for _, m := range ms {
		if m.Tier == f.Tier && m.PromoteDue.IsZero() != f.DueOnly &&
			(f.Type == "" || f.Type == m.MemoryType) &&
			(f.Tag == "" || slices.Contains(m.Tags, f.Tag)) &&
			(f.Project == nil || *f.Project == m.Project) &&
			!m.Created.Before(f.Since) &&
			(f.Unexpired.IsZero() || m.ExpiresAt.IsZero() || m.ExpiresAt.After(f.Unexpired)) &&
			(f.Faded.IsZero() || !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(f.Faded)) &&
			(f.After == nil || strength(*f.After, m) < 0) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, strength)
	return brain.IDs(kept[:min(len(kept), f.Limit)])
}

func listSeveral(t *testing.T, h harness) {
	b := h.brain(t)
	ms := variedMemories(150)
	b.put(ms...)
	b.law(t, Served, func(rt *rapid.T) {
		fs := rapid.SliceOfN(rapid.Custom(drawListFilter), 0, 12).Draw(rt, "filters")
		var want []string
		for _, f := range fs {
			want = append(want, listed(ms, f)...)
		}
		got := ask(b, brain.Reader.ListMemories, fs...)
		if !slices.Equal(want, brain.IDs(got)) {
			rt.Fatalf("%d lists are %v, want %v", len(fs), brain.IDs(got), want)
		}
	})
}

func listProperty(t *testing.T, h harness) {
	b := h.brain(t)
	ms := variedMemories(150)
	b.put(ms...)
	b.law(t, Served, func(rt *rapid.T) {
		f := drawListFilter(rt)
		if rapid.Bool().Draw(rt, "with after") {
			f.After = &ms[rapid.IntRange(0, len(ms)-1).Draw(rt, "after")]
		}
		same(t, fmt.Sprintf("list %+v", f), listed(ms, f), b.list(f))
	})
}
