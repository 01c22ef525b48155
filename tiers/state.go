package tiers

import (
	"math"
	"time"
)

// State has the fields of a memory that its lifecycle depends on. A zero time means
// null. Stores keep every field.
//
// Base and BaseAt are the energy at the last write that gave the memory energy or a tier
// (capture, touch, promotion, revival). E(t) is computed from them. Energy and LastDecay
// are the same energy decayed up to LastDecay, for people who look into the store. Nothing
// is computed from them, because repeated rounding would move instants by a millisecond. Do
// not set either pair by hand: use Start, Touch, Decay or Reset. A State with BaseAt null
// has Energy and LastDecay as its base.
type State struct {
	Tier        Tier `json:"tier"`
	ExpiredFrom Tier `json:"expiredFrom,omitempty"` // the tier that an expired memory was in

	Energy     float64   `json:"energy"`
	PeakEnergy float64   `json:"peakEnergy"` // the highest energy that was ever written
	LastDecay  time.Time `json:"lastDecay"`
	Base       float64   `json:"energyBase"`
	BaseAt     time.Time `json:"energyBaseAt"`

	ExpiresAt  time.Time `json:"expiresAt,omitzero"`  // first millisecond at which E is below the threshold
	PromoteDue time.Time `json:"promoteDue,omitzero"` // first write in this tier that made it due for promotion
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

// clock returns t, or the last write of s if that is later, because the clock may have gone
// back.
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

// due reports whether s is due for promotion.
func (s *State) due() bool {
	_, ok := s.Tier.Next()
	return ok && !s.Entity && !s.PromoteDue.IsZero()
}

// rebase sets the energy from which s fades, starting at the instant at.
func (s *State) rebase(energy float64, at int64) {
	energy = max(0, min(energy, math.MaxFloat64))
	s.Energy, s.Base = energy, energy
	s.LastDecay = instant(at)
	s.BaseAt = s.LastDecay
	s.PeakEnergy = max(s.PeakEnergy, energy)
}

// Start returns the state of a memory that is written at the instant at, with the number of
// sessions that used it already. ValidFrom is at; an import overrides it.
func (p *Policy) Start(tier Tier, energy float64, sessions int, at time.Time) State {
	s := State{Tier: tier, SessionCount: sessions, ValidFrom: cut(at)}
	s.rebase(energy, millis(at))
	p.setDueTimes(&s)
	return s
}

// StartEntity returns the state of an entity created at the instant at: longTerm, with the
// energy for entities, which does not fade.
func (p *Policy) StartEntity(at time.Time) State {
	s := State{Tier: LongTerm, Entity: true, ValidFrom: cut(at)}
	s.rebase(InitialEntity, millis(at))
	return s
}

// Event is something that happened to a memory.
type Event struct {
	Add        float64 // energy, finite and not negative; may be 0
	NewSession bool    // counts one more session that used it
	MayRevive  bool    // a boost or an access: revives an expired memory
}

// Touch applies e to s as of the instant at and returns the new state, with the step if s
// was revived. It does not settle: s must come from Settle at the same instant. An instant
// before the last write counts as that write.
//
// If s is expired and the event may not revive it, only SessionCount changes. Archived and
// superseded memories are returned unchanged.
func (p *Policy) Touch(s State, e Event, at time.Time) (State, *Step) {
	if !s.Tier.Current() {
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
	left := p.Energy(before, at)
	if s.Tier == Expired {
		s.Tier, s.ExpiredFrom = Working, ""
		s.ValidTo, s.PromoteDue = time.Time{}, time.Time{}
	}
	s.rebase(left+e.Add, t)
	p.setDueTimes(&s)
	if before.Tier != Expired {
		return s, nil
	}
	return s, &Step{
		Kind: Revive, From: Expired, To: Working, At: instant(t), Energy: s.Energy,
		Reason: revivedByUse(before.ValidTo), Before: before, After: s,
	}
}

// Reset sets the energy of s at the instant at and makes it not due, for undo, changes of
// tier by hand and imports. Only a later touch makes it due again.
func (p *Policy) Reset(s State, energy float64, at time.Time) State {
	s.PromoteDue = time.Time{}
	s.rebase(energy, millis(at))
	if s.Tier != Expired {
		s.ExpiresAt = p.expiresAt(&s)
	}
	return s
}

// Edited returns a state whose tier, energy or lastDecay a person has changed in the store: the
// energy is that of LastDecay, as of which the memory is due if it is above the threshold.
func (p *Policy) Edited(s State) State {
	s.PromoteDue, s.ExpiresAt = time.Time{}, time.Time{}
	s.rebase(s.Energy, millis(s.LastDecay))
	if s.Tier.Live() {
		s.ValidTo = time.Time{}
		p.setDueTimes(&s)
	}
	return s
}

// Supersede returns s as superseded by another memory at the instant at. Its energy stays
// as it was then.
func (p *Policy) Supersede(s State, at time.Time) State {
	energy, t := p.Energy(s, at), s.clock(at)
	s.Tier, s.ExpiredFrom = Superseded, ""
	s.ValidTo = cut(at)
	s.ExpiresAt, s.PromoteDue = time.Time{}, time.Time{}
	s.rebase(energy, t)
	return s
}

// ToCore returns s as a core memory from the instant at, with its energy of that instant,
// which no longer fades. An expired memory becomes valid again.
func (p *Policy) ToCore(s State, at time.Time) State {
	energy := p.Energy(s, at)
	s.Tier, s.ExpiredFrom, s.ValidTo = Core, "", time.Time{}
	return p.Reset(s, energy, at)
}

// FromCore returns a core memory moved back to longTerm at the instant at. It keeps its
// energy, but gets at least that of an access, so that a faded memory does not expire with
// the next run.
func (p *Policy) FromCore(s State, at time.Time) State {
	energy := p.Energy(s, at)
	if !s.Entity {
		energy = max(energy, Access)
	}
	s.Tier = LongTerm
	return p.Reset(s, energy, at)
}

// millis returns t in whole milliseconds since 1970, truncated. Unlike a time.Duration it
// does not overflow after 292 years.
func millis(t time.Time) int64 { return t.UnixMilli() }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// cut returns t in UTC and whole milliseconds; null stays null.
func cut(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return instant(millis(t))
}
