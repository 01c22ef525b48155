package storetest

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func searchAsOfCases() []testCase {
	return []testCase{
		{"valid from its first millisecond to before its last", asOfBounds},
		{"filters hold at an instant too", asOfFilters},
		{"any chain has one answer at any instant, and an expiry ends no validity", asOfProperty},
	}
}

func asOfBounds(t *testing.T, b *db) {
	m := Memory("a lemur", InTier(tiers.Superseded))
	m.ValidFrom, m.ValidTo = Hours(1), Hours(2)
	b.put(m)
	for name, c := range map[string]struct {
		at   time.Time
		want int
	}{
		"a millisecond before":         {Hours(1).Add(-time.Millisecond), 0},
		"the first millisecond":        {Hours(1), 1},
		"the last millisecond":         {Hours(2).Add(-time.Millisecond), 1},
		"the end":                      {Hours(2), 0},
		"the first, in another zone":   {Hours(1).In(time.FixedZone("east", 7200)), 1},
		"the end to the nanosecond":    {Hours(2).Add(-1), 1},
		"long before the epoch itself": {time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC), 0},
	} {
		q := brain.SearchQuery{Words: words.Parse("lemur"), AsOf: c.at}
		same(t, name, c.want, len(b.search(q)))
	}
	same(t, "now", 0, len(b.find("lemur")))
}

func asOfFilters(t *testing.T, b *db) {
	archived := Memory("an ibex", InTier(tiers.ArchivedWorking), func(m *brain.Memory) {
		m.Project, m.MemoryType, m.Tags, m.ValidTo = "atlas", "decision", []string{"horned"}, Hours(5)
	})
	other := Memory("an ibex")
	b.put(archived, other)
	atlas := "atlas"
	for name, q := range map[string]brain.SearchQuery{
		"project": {Project: &atlas}, "type": {Types: []string{"decision"}}, "tag": {Tags: []string{"horned"}},
		"tier": {Tiers: []tiers.Tier{tiers.ArchivedWorking}},
	} {
		q.Words, q.AsOf = words.Parse("ibex"), Hours(1)
		same(t, name, []string{archived.ID}, hitIDs(b.search(q)))
		q.AsOf = Hours(6)
		same(t, name+" later", 0, len(b.search(q)))
	}
}

// asOfProperty stores chains of memories with the same text that take over
// from each other at some instants, and asks at any other.
func asOfProperty(t *testing.T, b *db) {
	var ms []brain.Memory
	for chain := range 6 {
		m := Memory("a caracal")
		for link := range chain {
			old, next := promoted(m, float64(link+1)*1.5)
			old.Tier = tiers.ArchivedShortTerm
			next.Tier = tiers.ShortTerm
			ms = append(ms, old)
			m = next
		}
		if chain%2 == 1 {
			m.Tier, m.ExpiredFrom, m.ValidTo = tiers.Expired, tiers.ShortTerm, Hours(9)
		}
		ms = append(ms, m)
	}
	b.put(ms...)
	b.law(t, Served, func(rt *rapid.T) {
		at := Start.Add(time.Duration(rapid.IntRange(-3_600_000, 40_000_000).Draw(rt, "ms")) * time.Millisecond)
		var want []string
		for _, m := range ms {
			ended := m.Tier != tiers.Expired && !m.ValidTo.IsZero() && !at.Before(m.ValidTo)
			if !at.Before(m.ValidFrom) && !ended {
				want = append(want, m.ID)
			}
		}
		got := hitIDs(b.search(brain.SearchQuery{Words: words.Parse("caracal"), AsOf: at}))
		if !slices.Equal(sorted(got...), sorted(want...)) {
			rt.Fatalf("at %v: hits are %v, want %v", at, got, want)
		}
	})
}
