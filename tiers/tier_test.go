package tiers

import (
	"slices"
	"testing"
)

func TestTiers(t *testing.T) {
	var names []string
	live := map[Tier]bool{Working: true, ShortTerm: true, LongTerm: true, Core: true}
	for _, tier := range All() {
		names = append(names, string(tier))
		if tier.Live() != live[tier] {
			t.Errorf("%s: live %v", tier, tier.Live())
		}
	}
	want := []string{"working", "shortTerm", "longTerm", "core", "archivedWorking", "archivedShortTerm", "expired", "superseded"}
	if !slices.Equal(names, want) {
		t.Errorf("tiers are %v, want %v", names, want)
	}
	for _, tier := range []Tier{"", "Working", "short-term", "archivedLongTerm"} {
		if tier.Live() {
			t.Errorf("%q counts as a live tier", tier)
		}
	}
}

func TestWhereAPromotionLeads(t *testing.T) {
	type move struct{ next, archived Tier }
	moves := map[Tier]move{Working: {ShortTerm, ArchivedWorking}, ShortTerm: {LongTerm, ArchivedShortTerm}}
	for _, tier := range All() {
		next, ok := tier.Next()
		archived, kept := tier.Archived()
		want, promotes := moves[tier]
		if next != want.next || archived != want.archived || ok != promotes || kept != promotes {
			t.Errorf("%s leads to %q, %q", tier, next, archived)
		}
	}
}
