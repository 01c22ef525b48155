package review

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestResultOfAMerge(t *testing.T) {
	now := time.Date(2026, 2, 5, 12, 0, 0, 0, time.UTC)
	policy := new(tiers.DefaultPolicy())
	memory := func(id string, energy float64, recalls int) brain.Memory {
		m := brain.Memory{
			ID: id, Name: id, Content: "text of " + id, Version: 1, RecallCount: recalls, Created: now, Tags: []string{id},
			State: policy.Start(tiers.Working, energy, 0, now),
		}
		m.Complete()
		return m
	}
	c := cluster{policy, now, []brain.Memory{memory("keeper", 1, 2), memory("source", 2, 3)}}
	next := c.result(nil)
	if next.ID != "keeper" || next.RecallCount != 5 || next.Energy != 2 || next.Content != c.members[0].Content || next.Version != 2 ||
		!cmp.Equal(next.Tags, []string{"keeper", "source"}) || !cmp.Equal(next.MergedFrom, []string{"source"}) {
		t.Errorf("result %+v", next)
	}
	made := memory("made", 0, 0)
	if next := c.result(&made); next.ID != "keeper" || next.Content != made.Content || next.RecallCount != 5 || !next.ValidFrom.Equal(now) {
		t.Errorf("with a text of its own: %+v", next)
	}
	next = c.replacement()
	if next.ID != "keeper" || next.RecallCount != 5 || next.Energy != 2 || len(next.MergedFrom) > 0 || !next.ConsolidatedAt.IsZero() {
		t.Errorf("replaced: %+v", next)
	}
}
