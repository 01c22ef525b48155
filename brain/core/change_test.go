package core

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestPlan(t *testing.T) {
	now := time.Date(2026, 2, 5, 12, 0, 0, 0, time.UTC)
	tl := tiers.NewTimeline()
	up := brain.Memory{ID: "up", Root: "up", Version: 3, State: tl.Start(tiers.LongTerm, 2, 0, now)}
	down := brain.Memory{ID: "down", Root: "down", Retention: brain.RetainCore, State: tl.Start(tiers.Core, 0.01, 0, now)}
	changes := []Change{{Memory: up, Reason: "proven", Entry: "facts.up"}, {Memory: down, Demote: true, Reason: "by hand"}, {Memory: up}}
	for i, due := range []bool{true, true, true} {
		if got := changes[i].due(changes[i].Memory); got != due {
			t.Errorf("change %d is due: %v", i, got)
		}
	}
	if (Change{Memory: up, Demote: true}).due(up) || (Change{Memory: brain.Memory{ID: "up", Version: 2}}).due(up) {
		t.Error("a change of what is in its place, or changed since, is due")
	}
	actions := plan(tl, changes, brain.ByID([]brain.Memory{up, down}), now)
	if len(actions) != 2 {
		t.Fatalf("%+v", actions)
	}
	if a := actions[0]; a.Kind != ActCore || a.Reason != "proven; entry facts.up" || a.Changes[0].After.Tier != tiers.Core || a.Changes[0].After.Version != 4 {
		t.Errorf("promotion %+v", a)
	}
	if m := actions[1].Changes[0].After; m.Tier != tiers.LongTerm || m.Retention != "" || m.Energy < 1 {
		t.Errorf("demotion %+v", m)
	}
}
