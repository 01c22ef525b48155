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
		{"any filters give what their words say, in order, one list after the other", listProperty},
		{"a list by id comes whole in pages of any size", listPages},
		{"a fresh list follows lives and texts", listFresh},
	}
}

// listed returns what a filter lists, by a simple implementation of its contract.
func listed(ms []brain.Memory, f brain.ListFilter) []string {
	order := func(a, b brain.Memory) int {
		return cmp.Or(listOrder(a, f).Compare(listOrder(b, f)), cmp.Compare(b.ID, a.ID))
	}
	fallen := func(at, by time.Time) bool { return !at.IsZero() && !at.After(by) }
	kept := slices.DeleteFunc(slices.Clone(ms), func(m brain.Memory) bool {
		return !inList(m, f, fallen) || f.Type != "" && f.Type != m.MemoryType || f.Tag != "" && !slices.Contains(m.Tags, f.Tag) ||
			f.Project != nil && *f.Project != m.Project || m.Created.Before(f.Since) || f.After >= m.ID ||
			!f.Unexpired.IsZero() && fallen(m.ExpiresAt, f.Unexpired) || !f.Faded.IsZero() && !fallen(m.ExpiresAt, f.Faded)
	})
	slices.SortFunc(kept, func(a, b brain.Memory) int { return order(b, a) })
	return brain.IDs(kept[:min(len(kept), cmp.Or(f.Limit, len(kept)))])
}

// inList reports whether a memory is in the kind of list that a filter names.
func inList(m brain.Memory, f brain.ListFilter, fallen func(at, by time.Time) bool) bool {
	group, fresh := m.Freshness()
	switch {
	case f.Group != "":
		return !fresh.IsZero() && group == f.Group
	case len(f.Tiers) > 0:
		return slices.Contains(f.Tiers, m.Tier)
	case !f.Due.IsZero():
		return m.Tier.Live() && (fallen(m.PromoteDue, f.Due) || fallen(m.ExpiresAt, f.Due))
	case f.Tier != "":
		return m.Tier == f.Tier && m.PromoteDue.IsZero() != f.DueOnly
	}
	return m.Current()
}

// listOrder is the instant by which a list is in order, the latest first.
func listOrder(m brain.Memory, f brain.ListFilter) (at time.Time) {
	switch {
	case f.Group != "":
		_, at = m.Freshness()
	case f.Newest:
		at = m.Created
	case f.Tier != "" && m.ExpiresAt.IsZero():
		at = Hours(1 << 20)
	case f.Tier != "":
		at = m.ExpiresAt
	}
	return at
}

func listPages(t *testing.T, b *db) {
	other := b.h.brain(t)
	ms := append(variedMemories(40), oneOfEachTier("listed")...)
	b.put(ms...)
	same(t, "another brain", 0, len(other.list(brain.ListFilter{})))
	for _, f := range []brain.ListFilter{{}, {Tiers: tiers.All()}, {Tiers: []tiers.Tier{tiers.Working, tiers.Superseded}}, {Due: Hours(3)}} {
		want := listed(ms, f)
		for _, size := range []int{1, 7, len(want), 99} {
			f, got := f, []string(nil)
			f.Limit = size
			for {
				page := ask(b, brain.Reader.ListMemories, f)
				got = append(got, brain.IDs(page)...)
				if len(page) < size {
					break
				}
				f.After = page[size-1].ID
			}
			same(t, fmt.Sprintf("pages of %d of %+v", size, f), want, got)
		}
	}
}

// variedMemories are n memories in which every attribute that a filter asks
// for takes a few values, independently and always the same way.
func variedMemories(n int) []brain.Memory {
	ms := make([]brain.Memory, n)
	pick := rapid.Custom(variedMemory)
	for i := range ms {
		ms[i] = pick.Example(i)
		ms[i].ID = NewID()
	}
	return ms
}

var (
	variedProjects = []string{"", "atlas", "borealis"}
	variedTypes    = []string{"note", "decision"}
	variedTags     = [][]string{nil, {"go"}, {"go", "dark mode"}, {"dark mode"}, {"golang", `"go"`, "g%"}}
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

func drawListFilter(t *rapid.T, ms []brain.Memory) brain.ListFilter {
	hour := rapid.IntRange(-1, 6)
	maybe := func(label string) time.Time {
		if rapid.IntRange(0, 2).Draw(t, label+" is asked") > 0 {
			return time.Time{}
		}
		return Hours(float64(hour.Draw(t, label)))
	}
	f := brain.ListFilter{
		Tier:      rapid.SampledFrom(append(variedTiers, "", tiers.Superseded)).Draw(t, "tier"),
		DueOnly:   rapid.Bool().Draw(t, "due only"),
		Type:      rapid.SampledFrom([]string{"", "", "note", "no such"}).Draw(t, "type"),
		Tag:       rapid.SampledFrom([]string{"", "", "go", "dark mode", "dark", "g%", `"go"`, "Go"}).Draw(t, "tag"),
		Project:   rapid.SampledFrom(projectFilters()).Draw(t, "project"),
		Limit:     rapid.SampledFrom([]int{0, 1, 3, 1000}).Draw(t, "limit"),
		Since:     maybe("since"),
		Unexpired: maybe("unexpired"),
		Faded:     maybe("faded"),
	}
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		f.Group, f.Tier = rapid.SampledFrom(brain.FreshGroups()).Draw(t, "group"), ""
	case 2:
		f.Newest, f.Tier = true, ""
	case 1:
		f.After, f.Tier = ms[rapid.IntRange(0, len(ms)-1).Draw(t, "after")].ID, ""
		switch rapid.IntRange(0, 2).Draw(t, "by id") {
		case 0:
			f.Tiers = []tiers.Tier{tiers.Expired, rapid.SampledFrom(variedTiers).Draw(t, "tiers")}
		case 1:
			f.Due = Hours(float64(hour.Draw(t, "due")))
		}
	}
	return f
}

func projectFilters() []*string {
	atlas, none, other := "atlas", "", "no such"
	return []*string{nil, nil, &atlas, &none, &other}
}

// listProperty changes some lives, and asks for up to five lists at once.
func listProperty(t *testing.T, b *db) {
	ms := variedMemories(120)
	b.put(ms...)
	b.law(t, Served, func(rt *rapid.T) {
		var changed []brain.Memory
		for range rapid.IntRange(0, 5).Draw(rt, "changes") {
			m := &ms[rapid.IntRange(0, len(ms)-1).Draw(rt, "which")]
			m.Tier = rapid.SampledFrom([]tiers.Tier{tiers.Expired, tiers.Core, tiers.Working, tiers.Superseded}).Draw(rt, "tier")
			m.LastUsed = rapid.SampledFrom([]time.Time{{}, Hours(2), Hours(400)}).Draw(rt, "used")
			changed = append(changed, *m)
		}
		b.putLives(changed...)
		fs := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) brain.ListFilter { return drawListFilter(rt, ms) }), 0, 5).Draw(rt, "filters")
		var want []string
		for _, f := range fs {
			want = append(want, listed(ms, f)...)
		}
		if got := brain.IDs(ask(b, brain.Reader.ListMemories, fs...)); !slices.Equal(want, got) {
			rt.Fatalf("%+v are %v, want %v", fs, got, want)
		}
	})
}

// listFresh has one memory more than what changes, which is never fresh.
func listFresh(t *testing.T, b *db) {
	m, rival := fullMemory(), Memory("rival", func(m *brain.Memory) { m.Created = Hours(1) })
	m.Tier, m.MemoryType, m.Created, m.LastUsed, m.Importance = tiers.Working, "note", Start, time.Time{}, brain.Important
	b.put(m, rival, Memory("an activity", func(m *brain.Memory) { m.MemoryType = "activity" }),
		Memory("without a date", func(m *brain.Memory) { m.Created = time.Time{} }))
	fresh := func(what string, want ...string) {
		t.Helper()
		same(t, what, want, b.list(brain.ListFilter{Group: brain.FreshOthers}))
	}
	fresh("as captured", rival.ID, m.ID)
	m.AccessCount, m.LastAccessed = 99, Hours(9)
	b.putLives(m)
	fresh("after an access", rival.ID, m.ID)
	m.LastUsed = Hours(2)
	b.putLives(m)
	fresh("after a use", m.ID, rival.ID)
	m.Tier = tiers.Superseded
	b.putLives(m)
	fresh("superseded", rival.ID)
	m.Tier = tiers.Expired
	b.putLives(m)
	fresh("expired", m.ID, rival.ID)
	for kind, group := range map[string]brain.FreshGroup{"note": brain.FreshOthers, "decision": brain.FreshDecisions, "activity": ""} {
		m.MemoryType = kind
		b.put(m)
		for _, g := range brain.FreshGroups() {
			got := ask(b, brain.Reader.ListMemories, brain.ListFilter{Group: g, Project: &m.Project, Limit: 1})
			want := []brain.Memory{m}
			if g != group {
				want = nil
			}
			same(t, fmt.Sprintf("%s in %s", kind, g), want, got)
		}
	}
}
