package tiers

import "time"

// Start returns the state of a memory that is written at the instant at, with
// sessions of use it already has. ValidFrom is at; a caller that knows better
// (an import) sets it.
func (tl Timeline) Start(tier Tier, energy float64, sessions int, at time.Time) State {
	s := State{Tier: tier, SessionCount: sessions, ValidFrom: cut(at)}
	s.rebase(energy, millis(at))
	tl.fallDue(&s)
	return s
}

// StartEntity returns the state of an entity made at the instant at: longTerm,
// with the energy that the policy gives entities, which does not fade.
func (tl Timeline) StartEntity(at time.Time) State {
	s := State{Tier: LongTerm, Entity: true, ValidFrom: cut(at)}
	s.rebase(tl.policyAt(millis(at)).InitialEntity, millis(at))
	return s
}

// Event is something that happened to a memory.
type Event struct {
	Add        float64 // energy, finite and not negative; may be 0
	NewSession bool    // counts one more session of use
	MayRevive  bool    // a boost or an access: revives an expired memory
}

// Touch applies e to s as of the instant at and returns the new state, with
// the step if s was revived. It settles nothing: s comes from Settle at the
// same instant. An instant before the last write counts as that write.
//
// Of an expired memory an event that may not revive moves only SessionCount.
// Archived and superseded memories come back unchanged.
func (tl Timeline) Touch(s State, e Event, at time.Time) (State, *Step) {
	if !s.Tier.Live() && s.Tier != Expired {
		return s, nil
	}
	before := s
	if e.NewSession {
		s.SessionCount++
	}
	if s.Tier == Expired && !e.MayRevive {
		return s, nil
	}
	t := s.clock(at)
	left := tl.Energy(before, at)
	if s.Tier == Expired {
		s.Tier, s.ExpiredFrom = Working, ""
		s.ValidTo, s.PromoteDue = time.Time{}, time.Time{}
	}
	s.rebase(left+e.Add, t)
	tl.fallDue(&s)
	if before.Tier != Expired {
		return s, nil
	}
	return s, &Step{
		Kind: Revive, From: Expired, To: Working, At: instant(t), Energy: s.Energy,
		Reason: revivedBecause(before.ValidTo), Before: before, After: s,
	}
}

// Recompute puts ExpiresAt right after a policy began at the instant at, and
// takes in the fading up to then. It may run late, in any order and again: it
// depends on nothing but s and the timeline. PromoteDue stays, as it records
// what happened; expired memories stay expired.
func (tl Timeline) Recompute(s State, at time.Time) State {
	if !s.Tier.fading() || s.Entity {
		return s
	}
	s = tl.Decay(s, at)
	s.ExpiresAt = tl.expiresAt(&s)
	return s
}

// Reset gives s the energy at the instant at, whatever it was, and makes it
// not due: for undo, for changes of tier by hand and for imports. Only a later
// touch makes it due again.
func (tl Timeline) Reset(s State, energy float64, at time.Time) State {
	s.PromoteDue = time.Time{}
	s.rebase(energy, millis(at))
	if s.Tier.fading() {
		s.ExpiresAt = tl.expiresAt(&s)
	} else if s.Tier != Expired {
		s.ExpiresAt = time.Time{}
	}
	return s
}

// Supersede returns s replaced by another memory at the instant at. Its energy
// stays what it was then.
func (tl Timeline) Supersede(s State, at time.Time) State {
	energy, t := tl.Energy(s, at), s.clock(at)
	s.Tier, s.ExpiredFrom = Superseded, ""
	s.ValidTo = cut(at)
	s.ExpiresAt, s.PromoteDue = time.Time{}, time.Time{}
	s.rebase(energy, t)
	return s
}
