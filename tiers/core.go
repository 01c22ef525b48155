package tiers

import "time"

// ToCore returns s as a core memory from the instant at on: with the energy of
// that instant, which fades no more; an expired one is valid again.
func (tl Timeline) ToCore(s State, at time.Time) State {
	energy := tl.Energy(s, at)
	s.Tier, s.ExpiredFrom, s.ValidTo = Core, "", time.Time{}
	return tl.Reset(s, energy, at)
}

// FromCore returns a core memory put back into longTerm at the instant at. It
// keeps its energy, but has at least that of an access: one that came to core
// faded does not vanish with the next run.
func (tl Timeline) FromCore(s State, at time.Time) State {
	energy := tl.Energy(s, at)
	if !s.Entity {
		energy = max(energy, tl.At(at).Access)
	}
	s.Tier = LongTerm
	return tl.Reset(s, energy, at)
}
