package lifecycle

import (
	"cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// CaptureRelations returns the relations of a memory that its capture asks for.
func CaptureRelations(r brain.Reader, from string, relate []brain.Relate) ([]brain.Relation, error) {
	var rels []brain.Relation
	for _, ask := range relate {
		to, err := Resolve(r, ask.To)
		if err != nil {
			return nil, err
		}
		rels = append(rels, brain.Relation{From: from, Type: ask.Type, To: to.Memory.ID})
	}
	return rels, nil
}

// ApplyCapture gives a memory what only its capture knows. The life of one that was
// not used since its note was read begins at the capture.
func ApplyCapture(tl tiers.Timeline, c brain.Capture, m *brain.Memory) {
	begins := m.LastAccessed.IsZero() || isUnused(m)
	if !m.Entity { // which may have been discovered before
		m.Created = c.Memory.Created
	}
	m.Project = cmp.Or(m.Project, c.Memory.Project)
	m.SessionID = cmp.Or(m.SessionID, c.Memory.SessionID)
	m.Agent = cmp.Or(m.Agent, c.Memory.Agent)
	if begins {
		m.LastAccessed = c.At
		m.State = initialState(tl, c)
	}
}

// isUnused reports whether a memory lives as its note began it.
func isUnused(m *brain.Memory) bool {
	return m.Tier == tiers.Working && m.ValidFrom.Equal(m.Created) && m.AccessCount == 1 &&
		m.RecallCount+m.UseCount+m.HelpfulCount+m.NotHelpfulCount+m.Confirmations == 0
}

// initialState returns the state of a memory at its capture.
func initialState(tl tiers.Timeline, c brain.Capture) tiers.State {
	m := c.Memory
	at, tier := c.At, cmp.Or(m.Tier, tiers.Working)
	if !m.LastDecay.IsZero() { // a test memory of some age
		at = m.LastDecay
	}
	if m.Retention == brain.RetainCore {
		tier = tiers.Core
	}
	energy := initialEnergy(c, tl.At(at))
	if m.Entity {
		return tl.StartEntity(at)
	}
	return tl.Start(tier, energy, 0, at)
}

func initialEnergy(c brain.Capture, p tiers.Policy) float64 {
	if c.Energy != nil {
		return *c.Energy
	}
	if c.Source != nil {
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

// SameNameLimit is the number of memories of one name that are compared with a text.
const SameNameLimit = 16
