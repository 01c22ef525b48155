package tiers

import (
	"math"
	"time"
)

// State has the fields of a memory that its lifecycle depends on. A zero time means
// null. Stores keep every field.
//
// Base and BaseAt are the energy at the last write that gave the memory energy
// or a tier (capture, touch, promotion, revival). E(t) is computed from them.
// Energy and LastDecay are the same energy decayed up to LastDecay, for people who
// look into the store. Nothing is computed from them: repeated rounding would move
// an instant by a millisecond. Do not set
// either pair by hand: use Start, Touch, Decay or Reset. A State with BaseAt
// null has Energy and LastDecay as its base.
type State struct {
	Tier        Tier `json:"tier"`
	ExpiredFrom Tier `json:"expiredFrom,omitempty"` // the tier that an expired memory was in

	Energy     float64   `json:"energy"`
	PeakEnergy float64   `json:"peakEnergy"` // the highest energy that it was ever written with
	LastDecay  time.Time `json:"lastDecay"`
	Base       float64   `json:"energyBase"`
	BaseAt     time.Time `json:"energyBaseAt"`

	ExpiresAt  time.Time `json:"expiresAt,omitzero"`  // first millisecond at which E is below the threshold
	PromoteDue time.Time `json:"promoteDue,omitzero"` // first write in this tier that made it due to move up
	ValidFrom  time.Time `json:"validFrom"`
	ValidTo    time.Time `json:"validTo,omitzero"`

	SessionCount int  `json:"sessionCount"`
	Entity       bool `json:"entity,omitempty"` // made by graph tools: does not fade, is never due
}

// base returns the energy from which E is computed, and its instant.
func (s *State) base() (float64, int64) {
	if s.BaseAt.IsZero() {
		return s.Energy, millis(s.LastDecay)
	}
	return s.Base, millis(s.BaseAt)
}

// clock returns the instant that t counts as for s: a clock that went back
// does not go behind the last write.
func (s *State) clock(t time.Time) int64 {
	_, from := s.base()
	return max(millis(t), from)
}

// fades reports whether the energy of s depends on time.
func (s *State) fades() bool {
	return !s.Entity && (s.Tier.fading() || s.Tier == Expired)
}

// fadingTier returns the tier whose lambda s fades with.
func (s *State) fadingTier() Tier {
	switch {
	case s.Tier != Expired:
		return s.Tier
	case s.ExpiredFrom.fading():
		return s.ExpiredFrom
	}
	return Working
}

// due reports whether s waits for its promotion to be written.
func (s *State) due() bool {
	_, ok := s.Tier.Next()
	return ok && !s.Entity && !s.PromoteDue.IsZero()
}

// rebase sets the energy from which s fades, from the instant at on.
func (s *State) rebase(energy float64, at int64) {
	energy = max(0, min(energy, math.MaxFloat64))
	s.Energy, s.Base = energy, energy
	s.LastDecay = instant(at)
	s.BaseAt = s.LastDecay
	s.PeakEnergy = max(s.PeakEnergy, energy)
}

// Start returns the state of a memory that is written at the instant at, with
// sessions of use it already has. ValidFrom is at; a caller that knows better
// (an import) sets it.
func (tl Timeline) Start(tier Tier, energy float64, sessions int, at time.Time) State {
	s := State{Tier: tier, SessionCount: sessions, ValidFrom: cut(at)}
	s.rebase(energy, millis(at))
	tl.setDueTimes(&s)
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
	tl.setDueTimes(&s)
	if before.Tier != Expired {
		return s, nil
	}
	return s, &Step{
		Kind: Revive, From: Expired, To: Working, At: instant(t), Energy: s.Energy,
		Reason: revivedBecause(before.ValidTo), Before: before, After: s,
	}
}

// Recompute puts ExpiresAt right after a policy began at the instant at, and
// applies the decay up to then. It may run late, in any order and again: it
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

// millis returns t in whole milliseconds since 1970, finer parts cut off. Unlike a
// time.Duration it does not overflow after 292 years.
func millis(t time.Time) int64 { return t.UnixMilli() }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// cut returns t in UTC and whole milliseconds; null stays null.
func cut(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return instant(millis(t))
}
