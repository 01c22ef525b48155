package lifecycle

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

func FuzzObservations(f *testing.F) {
	for _, line := range []string{
		"Applied in x: HELPFUL\nApplied in x: NOT HELPFUL", "Discovered: 2026-02-05", "Last used: 2026-02-05T10:00:00Z",
		"Applies to: a,,b , a", "critical: true", "Applied in ::", "Discovered: 0000-00-00",
	} {
		f.Add(line, line+"\nmore")
	}
	now := time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, before, after string) {
		m := brain.Memory{Observations: []string{after}, Created: now, Importance: brain.Reference}
		m.Entity = true
		ApplyObservations(&m, []string{before}, now)
		if m.HelpfulCount < 0 || m.NotHelpfulCount < 0 || m.UseCount < m.HelpfulCount+m.NotHelpfulCount {
			t.Errorf("%d helpful, %d not, %d uses", m.HelpfulCount, m.NotHelpfulCount, m.UseCount)
		}
		if m.Created.After(now) || m.LastUsed.After(now) {
			t.Errorf("created %v, last used %v: after now", m.Created, m.LastUsed)
		}
		again := m
		ApplyObservations(&again, []string{before, after}, now)
		if again.UseCount != m.UseCount || len(again.AppliesTo) != len(m.AppliesTo) {
			t.Errorf("the same again: %d uses, %d before", again.UseCount, m.UseCount)
		}
	})
}
