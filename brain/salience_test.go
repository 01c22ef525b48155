package brain

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/tiers"
)

func TestSalience(t *testing.T) {
	now := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	days := func(n float64) time.Time { return now.Add(-time.Duration(n * 24 * float64(time.Hour))) }
	for _, c := range []struct {
		name   string
		m      Memory
		energy float64
		want   float64
	}{
		{"a decision of now", Memory{MemoryType: "decision", Created: now}, 0, 1},
		{"a decision of two weeks ago", Memory{MemoryType: "decision", Created: days(14)}, 0, 0.5},
		{"a preference of two months ago", Memory{MemoryType: "preference", Created: days(60)}, 0, 0.5},
		{"a belief of four months ago", Memory{MemoryType: "belief", Created: days(120)}, 0, 0.25},
		{"a fact", Memory{MemoryType: "Fact", Created: now}, 0, 0.7},
		{"a critical lesson", Memory{MemoryType: "lesson", Importance: Critical, Created: days(14)}, 0, 0.75},
		{"an important note", Memory{MemoryType: "note", Importance: Important, Created: now}, 0, 0.5},
		{"an activity", Memory{MemoryType: "activity", Importance: Critical, Created: now}, 0, 0},
		{"an activity that was used", Memory{MemoryType: "activity", Created: now}, 2.5, 0.5},
		{"energy above 5", Memory{MemoryType: "note", Created: days(100)}, 12, 1},
		{"a use counts like a creation", Memory{MemoryType: "decision", Created: days(100), LastUsed: days(14)}, 0, 0.5},
		{"a date in the future", Memory{MemoryType: "decision", Created: days(-3)}, 0, 1},
		{"no date", Memory{MemoryType: "decision"}, 1, 0.2},
	} {
		if got := c.m.Salience(c.energy, now); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Within a group, memories are in the order of their salience, at any time.
func TestFreshnessOrdersBySalience(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		draw := func(label string) Memory {
			hours := func(part string) time.Time {
				return start.Add(time.Duration(rapid.IntRange(0, 2000).Draw(rt, label+part)) * time.Hour)
			}
			return Memory{
				MemoryType: rapid.SampledFrom([]string{"decision", "lesson", "fact", "note", "preference", "pattern"}).Draw(rt, label+"kind"),
				Importance: rapid.SampledFrom([]Importance{Critical, Important, Reference}).Draw(rt, label+"importance"),
				Created:    hours("created"), LastUsed: hours("used"), State: tiers.State{Tier: tiers.Expired},
			}
		}
		a, b := draw("a"), draw("b")
		groupA, freshA := a.Freshness()
		groupB, freshB := b.Freshness()
		if freshA.IsZero() || freshB.IsZero() {
			rt.Fatal("an expired memory has no freshness")
		}
		now := start.Add(time.Duration(rapid.IntRange(2000, 9000).Draw(rt, "now")) * time.Hour)
		apart := freshA.Sub(freshB)
		if groupA == groupB && apart > time.Second && a.Salience(0, now) <= b.Salience(0, now) {
			rt.Fatalf("%+v is fresher by %v and less salient than %+v", a, apart, b)
		}
	})
}

func TestOnlyCurrentMemoriesAreFresh(t *testing.T) {
	for _, tier := range tiers.All() {
		m := Memory{MemoryType: "decision", Created: time.Now(), State: tiers.State{Tier: tier}}
		if _, at := m.Freshness(); at.IsZero() == m.Current() {
			t.Errorf("%s: fresh since %v", tier, at)
		}
	}
}
