package services_test

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/tiers"
)

// Every number of the rule, on both of its sides.
func TestJudgeForget(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	ago := func(days float64) time.Time { return now.Add(-time.Duration(days * 24 * float64(time.Hour))) }
	usual := tiers.DefaultPolicy().Forget
	for _, c := range []struct {
		what    string
		change  func(*brain.Memory)
		numbers func(*tiers.ForgetNumbers)
		forget  string
	}{
		{what: "never used for 100 days", forget: "never used in 100 days"},
		{what: "made 90 days ago", change: func(m *brain.Memory) { m.Created = ago(90) }},
		{what: "made 90 days and a bit ago", change: func(m *brain.Memory) { m.Created = ago(90.01) }, forget: "never used in 90 days"},
		{what: "used 91 days ago", change: func(m *brain.Memory) { m.Created, m.LastUsed, m.UseCount = ago(400), ago(91), 2 }, forget: "not used for 91 days, used 2 times"},
		{what: "used 89 days ago", change: func(m *brain.Memory) { m.Created, m.LastUsed, m.UseCount = ago(400), ago(89), 2 }},
		{what: "used once", change: func(m *brain.Memory) { m.LastUsed, m.UseCount = ago(100), 1 }, forget: "not used for 100 days, used once"},
		{what: "used once, nobody knows when", change: func(m *brain.Memory) { m.UseCount = 1 }, forget: "not used for 100 days, used once"},
		{what: "used three times", change: func(m *brain.Memory) { m.LastUsed, m.UseCount = ago(100), 3 }},
		{what: "a longer threshold", numbers: func(n *tiers.ForgetNumbers) { n.AfterDays = 100 }},
		{what: "a threshold of no days, used 29 days ago", change: func(m *brain.Memory) { m.LastUsed, m.UseCount = ago(29), 1 }, numbers: func(n *tiers.ForgetNumbers) { n.AfterDays = 0 }},
		{what: "a threshold of no days, used 30 days ago", change: func(m *brain.Memory) { m.LastUsed, m.UseCount = ago(30), 1 }, numbers: func(n *tiers.ForgetNumbers) { n.AfterDays = 0 }},
		{what: "a threshold of no days, used 31 days ago", change: func(m *brain.Memory) { m.LastUsed, m.UseCount = ago(31), 1 }, numbers: func(n *tiers.ForgetNumbers) { n.AfterDays = 0 }, forget: "not used for 31 days, used once"},
		{what: "effectiveness 0.29", change: func(m *brain.Memory) {
			m.LastUsed, m.UseCount, m.HelpfulCount, m.NotHelpfulCount = ago(100), 100, 29, 71
		}, forget: "not used for 100 days, effectiveness 0.29"},
		{what: "effectiveness 0.30", change: func(m *brain.Memory) {
			m.LastUsed, m.UseCount, m.HelpfulCount, m.NotHelpfulCount = ago(100), 10, 3, 7
		}},
		{what: "used ten times, no verdict", change: func(m *brain.Memory) { m.LastUsed, m.UseCount = ago(100), 10 }},

		{what: "temporary, 130 days", change: func(m *brain.Memory) { m.Retention, m.LastUsed, m.UseCount = "temporary", ago(130), 50 }, forget: "temporary, not used for 130 days"},
		{what: "temporary, 129 days", change: func(m *brain.Memory) { m.Retention, m.LastUsed, m.UseCount = "temporary", ago(129), 0 }},
		{what: "temporary, never used, 130 days", change: func(m *brain.Memory) { m.Retention, m.Created = "temporary", ago(130) }, forget: "temporary, never used in 130 days"},
		{what: "permanent", change: func(m *brain.Memory) { m.Retention = "permanent" }},
		{what: "of retention core", change: func(m *brain.Memory) { m.Retention = "core" }},
		{what: "of retention none", change: func(m *brain.Memory) { m.Retention = "none" }, forget: "never used in 100 days"},

		{what: "critical", change: func(m *brain.Memory) { m.Importance = brain.Critical }},
		{what: "important", change: func(m *brain.Memory) { m.Importance = brain.Important }, forget: "never used in 100 days"},
		{what: "of severity critical", change: func(m *brain.Memory) { m.Severity = "critical" }},
		{what: "of severity high", change: func(m *brain.Memory) { m.Severity = "high" }, forget: "never used in 100 days"},

		{what: "working", change: func(m *brain.Memory) { m.Tier = tiers.Working }},
		{what: "core", change: func(m *brain.Memory) { m.Tier = tiers.Core }},
		{what: "archived", change: func(m *brain.Memory) { m.Tier = tiers.ArchivedWorking }},
		{what: "superseded", change: func(m *brain.Memory) { m.Tier = tiers.Superseded }},
		{what: "an entity", change: func(m *brain.Memory) { m.Tier, m.Entity = tiers.LongTerm, true }, forget: "never used in 100 days"},
		{what: "a core entity", change: func(m *brain.Memory) { m.Tier, m.Entity = tiers.Core, true }},
		{what: "a superseded entity", change: func(m *brain.Memory) { m.Tier, m.Entity = tiers.Superseded, true }},
	} {
		m := brain.Memory{Created: ago(100), State: tiers.State{Tier: tiers.Expired}}
		if c.change != nil {
			c.change(&m)
		}
		n := usual
		if c.numbers != nil {
			c.numbers(&n)
		}
		if got := journal.ReasonToForget(m, n, now); got != c.forget {
			t.Errorf("%s: %q, want %q", c.what, got, c.forget)
		}
	}
	if got := journal.ReasonToForget(brain.Memory{State: tiers.State{Tier: tiers.Expired}}, usual, now); got != "" {
		t.Errorf("without any date: %q, want it kept", got)
	}
}
