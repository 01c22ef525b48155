package review

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestPlanOfAMerge(t *testing.T) {
	now := time.Date(2026, 2, 5, 12, 0, 0, 0, time.UTC)
	tl := tiers.NewTimeline()
	memory := func(id string, energy float64, recalls int) brain.Memory {
		m := brain.Memory{
			ID: id, Name: id, Content: "text of " + id, Version: 1, RecallCount: recalls, Created: now, Tags: []string{id},
			State: tl.Start(tiers.Working, energy, 0, now),
		}
		m.Complete()
		return m
	}
	members := []brain.Memory{memory("keeper", 1, 2), memory("source", 2, 3)}
	a, sources := Merging{Reason: "same"}.plan(cluster{tl, now, members})
	if !cmp.Equal(a.IDs, []string{"keeper", "source"}) || a.Root != "keeper" || len(a.Changes) != 2 || len(sources) != 1 {
		t.Fatalf("action %+v, sources %+v", a, sources)
	}
	next := a.Changes[0].After
	if next.RecallCount != 5 || next.Energy != 2 || next.Content != members[0].Content || next.Version != 2 ||
		!cmp.Equal(next.Tags, []string{"keeper", "source"}) || !cmp.Equal(next.MergedFrom, []string{"source"}) {
		t.Errorf("result %+v", next)
	}
	if sources[0].Tier != tiers.Superseded || sources[0].Version != 2 || members[1].Tier != tiers.Working {
		t.Errorf("source %+v", sources[0])
	}

	made := memory("made", 0, 0)
	a, sources = Merging{Result: &made}.plan(cluster{tl, now, members})
	if a.Changes[0].Before != nil || a.Root != "made" || len(sources) != 2 || a.Changes[0].After.RecallCount != 5 {
		t.Errorf("with a result: %+v", a)
	}
}
