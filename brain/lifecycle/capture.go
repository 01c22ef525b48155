package lifecycle

import (
	"cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// InitialState is the life that a capture begins with.
func InitialState(tl tiers.Timeline, c brain.Capture) tiers.State {
	m := c.Memory
	if m.Entity {
		return tl.StartEntity(c.At)
	}
	at, tier := c.At, cmp.Or(m.Tier, tiers.Working)
	if !m.LastDecay.IsZero() { // a test memory of some age
		at = m.LastDecay
	}
	if m.Retention == "core" {
		tier = tiers.Core
	}
	return tl.Start(tier, initialEnergy(c, tl.At(at)), 0, at)
}

func initialEnergy(c brain.Capture, p tiers.Policy) float64 {
	switch {
	case c.Energy != nil:
		return *c.Energy
	case c.Source == nil:
		return p.InitialOther
	}
	switch c.Source.Kind {
	case brain.Crystallization:
		return p.InitialCrystallization
	case brain.Learning:
		return p.InitialLearning
	case brain.Reminder:
		return p.InitialReminder
	case brain.Outcome:
		return OutcomeEnergy(p, c.Source.Importance)
	}
	return p.InitialOther
}

// OutcomeEnergy returns the initial energy of an outcome.
func OutcomeEnergy(p tiers.Policy, i brain.Importance) float64 {
	switch i {
	case brain.Critical:
		return p.InitialOutcomeCritical
	case brain.Important:
		return p.InitialOutcomeImportant
	}
	return p.InitialOutcomeReference
}

// ApplyCapture gives a memory that was made from a note what its capture knows
// besides. Its life begins at the capture, if nothing was done with it since.
func ApplyCapture(tl tiers.Timeline, c brain.Capture, m *brain.Memory) {
	if isUnused(m) {
		m.State = InitialState(tl, c)
		m.LastAccessed = c.At
	}
	m.Created = c.Memory.Created
	m.Project = cmp.Or(m.Project, c.Memory.Project)
	m.SessionID = cmp.Or(m.SessionID, c.Memory.SessionID)
	m.Agent = cmp.Or(m.Agent, c.Memory.Agent)
}

// isUnused reports whether a memory lives as its note began it.
func isUnused(m *brain.Memory) bool {
	return m.Tier == tiers.Working && m.ValidFrom.Equal(m.Created) && m.AccessCount == 1 &&
		m.RecallCount+m.UseCount+m.HelpfulCount+m.NotHelpfulCount+m.Confirmations == 0
}

// SameNameLimit is how many memories of one name are compared with a text.
const SameNameLimit = 16
