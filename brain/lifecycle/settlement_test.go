package lifecycle

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// TestIDsOfOneSettlementBeginAlike: they are random UUIDs in all but how they
// begin, in a chain of promotions too, and say that a memory is of a test.
func TestIDsOfOneSettlementBeginAlike(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var ms []brain.Memory
	for i := range 20 {
		m := brain.Memory{ID: []string{"", brain.TestPrefix}[i%2] + brain.NewID()}
		m.Root = m.ID
		m.State = tiers.NewTimeline().Start(tiers.Working, 8, 0, now.Add(-time.Hour))
		ms = append(ms, m)
	}
	begin := map[string]bool{}
	for range 2 {
		s := Settle(tiers.NewTimeline(), ms, now)
		ids := map[string]bool{}
		for _, m := range s.promoted {
			if brain.IsTest(m.ID) != brain.IsTest(m.Root) {
				t.Fatalf("%s was promoted to %s", m.Root, m.ID)
			}
			id, err := uuid.Parse(strings.TrimPrefix(m.ID, brain.TestPrefix))
			if err != nil || id.Version() != 4 || id.Variant() != uuid.RFC4122 {
				t.Fatalf("%s is no random UUID: %v", m.ID, err)
			}
			ids[m.ID], begin[id.String()[:4]] = true, true
		}
		if len(ids) < len(ms) || len(ids) != len(s.promoted) {
			t.Fatalf("%d ids of %d promoted memories", len(ids), len(s.promoted))
		}
	}
	if len(begin) > 2 {
		t.Errorf("ids of two settlements begin in %d ways", len(begin))
	}
}
