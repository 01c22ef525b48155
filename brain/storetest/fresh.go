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

func freshCases() []testCase {
	return []testCase{
		{"live and expired memories are fresh, nothing else", freshTiers},
		{"the freshest come first, ties by id", freshOrder},
		{"groups and projects are lists of their own", freshGroups},
		{"a life makes a memory fresher and takes it out", freshLives},
		{"a text moves a memory to another group", freshTexts},
		{"fresh memories come whole", freshWhole},
		{"any memories are in the order of their freshness", freshProperty},
	}
}

func freshest(b *db, f brain.ListFilter) []string {
	b.t.Helper()
	f.Limit = cmp.Or(f.Limit, 99)
	return brain.IDs(ask(b, brain.Reader.ListMemories, f))
}

func freshNotes(b *db) []string {
	b.t.Helper()
	return freshest(b, brain.ListFilter{Group: brain.FreshOthers})
}

// freshestOf returns the list by freshness according to its contract.
func freshestOf(ms []brain.Memory, f brain.ListFilter) []string {
	var kept []brain.Memory
	fresh := map[string]time.Time{}
	for _, m := range ms {
		group, at := m.Freshness()
		if !at.IsZero() && group == f.Group && (f.Project == nil || *f.Project == m.Project) {
			kept, fresh[m.ID] = append(kept, m), at
		}
	}
	slices.SortFunc(kept, func(a, b brain.Memory) int {
		return cmp.Or(fresh[b.ID].Compare(fresh[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	return brain.IDs(kept[:min(f.Limit, len(kept))])
}

func freshTiers(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	ms := oneOfEachTier("of every tier")
	b.put(ms...)
	b.put(Memory("an activity", func(m *brain.Memory) { m.MemoryType = "activity" }),
		Memory("without a date", func(m *brain.Memory) { m.Created = time.Time{} }))
	same(t, "fresh", currentIDs(ms), sorted(freshNotes(b)...))
	same(t, "fresh in another brain", 0, len(freshNotes(other)))
}

func freshOrder(t *testing.T, h harness) {
	b := h.brain(t)
	var ms []brain.Memory
	for i, created := range []time.Time{time.UnixMilli(-1).UTC(), Hours(0), Hours(0).Add(time.Millisecond), Hours(9), Hours(300)} {
		for _, importance := range []brain.Importance{brain.Critical, brain.Important, brain.Reference} {
			for range 1 + i%2 {
				ms = append(ms, Memory("ordered", func(m *brain.Memory) { m.Created, m.Importance = created, importance }))
			}
		}
	}
	b.put(ms...)
	for _, limit := range []int{1, 5, len(ms) - 1, len(ms), 999} {
		f := brain.ListFilter{Group: brain.FreshOthers, Limit: limit}
		same(t, fmt.Sprint("at most ", limit), freshestOf(ms, f), freshest(b, f))
	}
}

func freshGroups(t *testing.T, h harness) {
	b := h.brain(t)
	var ms []brain.Memory
	for i, kind := range []string{"preference", "decision", "pattern", "belief", "lesson", "learning", "crystallization", "fact", "person", "note"} {
		for _, project := range variedProjects {
			ms = append(ms, Memory("grouped", func(m *brain.Memory) {
				m.MemoryType, m.Project, m.Created = kind, project, Hours(float64(i*7%5))
			}))
		}
	}
	b.put(ms...)
	var all []brain.ListFilter
	for _, group := range brain.FreshGroups() {
		for _, project := range projectFilters() {
			all = append(all, brain.ListFilter{Group: group, Project: project, Limit: 4})
		}
	}
	var want []string
	for _, f := range all {
		want = append(want, freshestOf(ms, f)...)
		same(t, fmt.Sprintf("%+v", f), freshestOf(ms, f), freshest(b, f))
	}
	got := ask(b, brain.Reader.ListMemories, all...)
	same(t, "all lists", want, brain.IDs(got))
}

func freshLives(t *testing.T, h harness) {
	b := h.brain(t)
	m, rival := Memory("lives"), Memory("rival", func(m *brain.Memory) { m.Created = Hours(1) })
	b.put(m, rival)
	same(t, "as captured", []string{rival.ID, m.ID}, freshNotes(b))
	m.AccessCount, m.LastAccessed = 9, Hours(9)
	b.putLives(m)
	same(t, "after an access", []string{rival.ID, m.ID}, freshNotes(b))
	m.LastUsed = Hours(2)
	b.putLives(m)
	same(t, "after a use", []string{m.ID, rival.ID}, freshNotes(b))
	m.Tier = tiers.Expired
	b.putLives(m)
	same(t, "after expiry", []string{m.ID, rival.ID}, freshNotes(b))
	m.Tier = tiers.Superseded
	b.putLives(m)
	same(t, "superseded", []string{rival.ID}, freshNotes(b))
	m.Tier = tiers.Working
	b.putLives(m)
	same(t, "revived", []string{m.ID, rival.ID}, freshNotes(b))
	b.deleteMemories(rival.ID)
	same(t, "deleted", []string{m.ID}, freshNotes(b))
}

func freshTexts(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("judged anew")
	for kind, group := range map[string]brain.FreshGroup{"note": brain.FreshOthers, "decision": brain.FreshDecisions, "activity": ""} {
		m.MemoryType = kind
		b.put(m)
		for _, g := range brain.FreshGroups() {
			want := 0
			if g == group {
				want = 1
			}
			same(t, fmt.Sprintf("%s in %s", kind, g), want, len(freshest(b, brain.ListFilter{Group: g})))
		}
	}
}

func freshWhole(t *testing.T, h harness) {
	b := h.brain(t)
	m := fullMemory()
	m.Tier, m.MemoryType = tiers.Expired, "decision"
	b.put(m)
	f := brain.ListFilter{Group: brain.FreshDecisions, Project: &m.Project, Limit: 1}
	same(t, "memories", []brain.Memory{m}, ask(b, brain.Reader.ListMemories, f))
}

func freshProperty(t *testing.T, h harness) {
	b := h.brain(t)
	ms := variedMemories(30)
	b.law(t, Served, func(rt *rapid.T) {
		vary := func(m *brain.Memory) {
			m.Tier = rapid.SampledFrom([]tiers.Tier{tiers.Expired, tiers.Core, tiers.Working, tiers.Superseded}).Draw(rt, "tier")
			m.LastUsed = rapid.SampledFrom([]time.Time{{}, Hours(2), Hours(400)}).Draw(rt, "used")
		}
		for i := range ms {
			ms[i].MemoryType = rapid.SampledFrom([]string{"note", "fact", "lesson", "preference", "activity"}).Draw(rt, "kind")
			vary(&ms[i])
		}
		b.put(ms...)
		for i := range ms {
			if rapid.Bool().Draw(rt, "lives on") {
				vary(&ms[i])
				b.putLives(ms[i])
			}
		}
		f := brain.ListFilter{
			Group:   rapid.SampledFrom(brain.FreshGroups()).Draw(rt, "group"),
			Project: rapid.SampledFrom(projectFilters()).Draw(rt, "project"),
			Limit:   rapid.IntRange(1, 25).Draw(rt, "limit"),
		}
		same(t, fmt.Sprintf("fresh %+v", f), freshestOf(ms, f), freshest(b, f))
	})
}
