package neo4j

import (
	"fmt"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// The database hits of the list depend on its length, not on the size of the group.
func TestFreshListsReadOnlyWhatItReturns(t *testing.T) {
	s := openTest(t, fresh(t))
	hits := func() int64 {
		n, err := s.profile(t, listCypher(brain.ListFilter{Group: brain.FreshDecisions}), map[string]any{
			"brain": s.brain, "limit": 5, "lists": []any{map[string]any{"no": 0, "group": "decision"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	fill := func(n int, prefix string) {
		ms := make([]brain.Memory, n)
		for i := range ms {
			ms[i] = brain.Memory{ID: fmt.Sprintf("%s-%04d", prefix, i), Name: "n", MemoryType: "decision"}
			ms[i].Tier, ms[i].Created = tiers.Expired, time.UnixMilli(int64(i)*1000).UTC()
		}
		store(t, s, ms)
	}
	fill(20, "few")
	few := hits()
	fill(500, "many")
	if many := hits(); many > few+few/2 || few == 0 {
		t.Errorf("a list of 5 costs %d database hits among 20 memories, %d among 520", few, many)
	}
}
