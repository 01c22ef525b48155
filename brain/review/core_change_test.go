package review

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestMoves(t *testing.T) {
	now := time.Date(2026, 2, 5, 12, 0, 0, 0, time.UTC)
	policy := new(tiers.DefaultPolicy())
	up := brain.Memory{ID: "up", Version: 3, State: policy.Start(tiers.LongTerm, 2, 0, now)}
	down := brain.Memory{ID: "down", Retention: brain.RetainCore, State: policy.Start(tiers.Core, 0.01, 0, now)}
	changes := []CoreChange{{Memory: up, Reason: "proven", Entry: "facts.up"}, {Memory: down, Demote: true, Reason: "by hand"}}
	for i, applies := range []bool{true, true} {
		if got := changes[i].applies(changes[i].Memory); got != applies {
			t.Errorf("change %d applies: %v", i, got)
		}
	}
	if (CoreChange{Memory: up, Demote: true}).applies(up) || (CoreChange{Memory: brain.Memory{ID: "up", Version: 2}}).applies(up) {
		t.Error("a change of what is in its place, or changed since, applies")
	}
	if a := changes[0].action(policy, up, now); a.Kind != ActCore || a.Reason != "proven; entry facts.up" || a.Changes[0].After.Tier != tiers.Core || a.Changes[0].After.Version != 4 {
		t.Errorf("promotion %+v", a)
	}
	if m := changes[1].action(policy, down, now).Changes[0].After; m.Tier != tiers.LongTerm || m.Retention != "" || m.Energy < 1 {
		t.Errorf("demotion %+v", m)
	}
}
