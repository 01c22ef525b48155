package tiers

import (
	"math"
	"time"
)

// State is what the lifecycle needs to know of one memory. A zero time means
// null. Stores keep every field.
//
// Base and BaseAt are the energy at the last write that gave the memory energy
// or a tier (capture, touch, promotion, revival). E(t) is computed from them.
// Energy and LastDecay are the same energy with the fading up to LastDecay
// taken in, for people who look into the store: taking it in again and again
// rounds, and rounding must not move an instant by a millisecond. Do not set
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
