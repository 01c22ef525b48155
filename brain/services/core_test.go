package services_test

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

// Every number of the rule, on both of its sides.
func TestJudgeCore(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	days := func(n float64) time.Time { return now.Add(-time.Duration(n * 24 * float64(time.Hour))) }
	usual := tiers.DefaultPolicy().Core
	for _, c := range []struct {
		what   string
		change func(*brain.Memory)
		earns  bool
	}{
		{"15 verdicts, 13 helpful", func(*brain.Memory) {}, true},
		{"14 verdicts", func(m *brain.Memory) { m.HelpfulCount, m.NotHelpfulCount = 14, 0 }, false},
		{"20 uses without a verdict", func(m *brain.Memory) { m.HelpfulCount, m.NotHelpfulCount, m.UseCount = 0, 0, 20 }, false},
		{"effectiveness 0.85", func(m *brain.Memory) { m.HelpfulCount, m.NotHelpfulCount = 17, 3 }, true},
		{"effectiveness 0.84", func(m *brain.Memory) { m.HelpfulCount, m.NotHelpfulCount = 84, 16 }, false},
		{"30 days old", func(m *brain.Memory) { m.Created = days(30) }, true},
		{"a bit younger", func(m *brain.Memory) { m.Created = days(29.99) }, false},
		{"of unknown age", func(m *brain.Memory) { m.Created = time.Time{} }, false},
		{"expired", func(m *brain.Memory) { m.Tier = tiers.Expired }, true},
		{"working", func(m *brain.Memory) { m.Tier = tiers.Working }, true},
		{"core", func(m *brain.Memory) { m.Tier = tiers.Core }, false},
		{"archived", func(m *brain.Memory) { m.Tier = tiers.ArchivedWorking }, false},
		{"superseded", func(m *brain.Memory) { m.Tier = tiers.Superseded }, false},
	} {
		m := brain.Memory{Created: days(40), HelpfulCount: 13, NotHelpfulCount: 2, State: tiers.State{Tier: tiers.LongTerm}}
		c.change(&m)
		if got := review.ReasonToPromote(m, usual, now); (got != "") != c.earns {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}

// A faded memory that goes to core and comes back does not vanish, and undo
// gives it the life it would have had.
func TestCoreAndBack(t *testing.T) {
	l := newLab(t)
	id := l.shelve(1, func(int, *brain.Memory) {})[0]
	l.later(100 * time.Hour)
	l.consolidate()
	was := l.node(id)
	m, promoted, err := l.Review.SetCore(l.ctx(), id, false)
	if err != nil || m.Tier != tiers.Core || !m.ValidTo.IsZero() || !m.ExpiresAt.IsZero() {
		t.Fatalf("in core it is %+v, %v", m.State, err)
	}
	l.later(10_000 * time.Hour)
	if got := l.energy(id); !near(got, m.Energy) {
		t.Errorf("it faded from %v to %v", m.Energy, got)
	}
	m, demoted, err := l.Review.SetCore(l.ctx(), id, true)
	if err != nil || m.Tier != tiers.LongTerm || !near(m.Energy, 1) || m.ExpiresAt.IsZero() {
		t.Fatalf("back it is %+v, %v", m.State, err)
	}
	for _, run := range []brain.Run{demoted, promoted} {
		if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil)); u.Undone != 1 {
			t.Fatalf("undo left %v", u.Skipped)
		}
	}
	if got := l.node(id); got.State != was.State || got.Version != was.Version {
		t.Errorf("after both undos it is %+v, was %+v", got.State, was.State)
	}
}

// A run promotes by the numbers of the brain, and takes entities only for a person.
func TestARunPromotesToCore(t *testing.T) {
	l := newLab(t)
	ids := l.shelve(4, func(i int, m *brain.Memory) {
		m.Created = l.now.Add(-40 * 24 * time.Hour)
		m.HelpfulCount, m.NotHelpfulCount = 15, i%2*15
		m.Entity = i >= 2
	})
	run := func(byPerson bool) consolidate.Report {
		r := consolidate.New(l.Base, l.Journal, consolidate.Options{Steps: []consolidate.Step{consolidate.NewCore(l.Review, testlab.NoCoreFile{})}})
		return must[consolidate.Report](l)(r.Run(l.ctx(), consolidate.Request{Kind: brain.RunConsolidate, ByPerson: byPerson}))
	}
	if rep := run(false); rep.PromotedToCore != 1 || l.tier(ids[0]) != tiers.Core || l.tier(ids[2]) == tiers.Core {
		t.Errorf("a scheduled run promoted %d", rep.PromotedToCore)
	}
	if rep := run(true); rep.PromotedToCore != 1 || l.tier(ids[2]) != tiers.Core {
		t.Errorf("a run by a person promoted %d", rep.PromotedToCore)
	}
	if l.tier(ids[1]) == tiers.Core || l.tier(ids[3]) == tiers.Core {
		t.Error("what did not help became core")
	}
}
