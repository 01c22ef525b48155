package tiers

import (
	"math"
	"time"
)

const millisPerHour = 3_600_000

// fading is an energy that fades with the lambda of one tier from an instant.
type fading struct {
	tier   Tier
	energy float64
	from   int64
}

// at returns energy * exp(-lambda * hours).
func (f fading) at(p *Policy, t int64) float64 {
	if t <= f.from || f.energy == 0 {
		return f.energy
	}
	return f.energy * math.Exp(-p.Rate(f.tier)*(float64(t-f.from)/millisPerHour))
}

// own returns how s fades in its stored tier.
func (s *State) own() fading {
	energy, from := s.base()
	return fading{s.fadingTier(), energy, from}
}

// settled returns how s fades after the promotions for which it is due: it is promoted at
// the instant at which it fell due, as far as the rules allow, and fades from there.
func (p *Policy) settled(s *State) fading {
	f := s.own()
	if !s.due() {
		return f
	}
	at := max(millis(s.PromoteDue), f.from)
	f.energy, f.from = f.at(p, at), at
	f.tier, _ = f.tier.Next()
	for p.promotes(f.tier, f.energy, s.SessionCount) {
		f.tier, _ = f.tier.Next()
	}
	return f
}

// Energy returns E(at). An instant before the last write counts as that write. From
// PromoteDue on, a memory that is due for promotion fades with the lambda of the tier it is
// promoted to. An expired one fades with that of the tier it expired from. Core memories,
// entities, archived and superseded memories do not fade.
func (p *Policy) Energy(s State, at time.Time) float64 {
	if !s.fades() {
		return s.Energy
	}
	t := s.clock(at)
	if s.due() && t >= millis(s.PromoteDue) {
		return p.settled(&s).at(p, t)
	}
	return s.own().at(p, t)
}

// Decay writes the current energy into Energy and moves LastDecay. It does not change E,
// ExpiresAt or PromoteDue, and promotes nothing. It is idempotent, and one call has the same
// result as several. A state that does not fade is returned unchanged.
func (p *Policy) Decay(s State, at time.Time) State {
	t := s.clock(at)
	if !s.fades() || t <= millis(s.LastDecay) {
		return s
	}
	s.Base, _ = s.base()
	if s.BaseAt.IsZero() {
		s.BaseAt = cut(s.LastDecay)
	}
	s.Energy = p.Energy(s, instant(t))
	s.LastDecay = instant(t)
	return s
}

// FromFuture lets s fade from now on, with its energy, if its last write is more than a day in the
// future: the clock was ahead then, and s would not fade until that time has come. Otherwise it
// returns s.
func (p *Policy) FromFuture(s State, now time.Time) State {
	const skew = 24 * time.Hour // of other machines' clocks
	if _, at := s.base(); !s.fades() || at <= millis(now.Add(skew)) {
		return s
	}
	s.PromoteDue = time.Time{}
	s.rebase(s.Energy, millis(now))
	if s.Tier.fading() {
		p.setDueTimes(&s)
	}
	return s
}

// Rebase lets s fade from its energy at the instant at, so that other numbers can count from
// then on. s must come from Settle at the same instant. A state that does not fade is
// returned unchanged.
func (p *Policy) Rebase(s State, at time.Time) State {
	if s.fades() {
		s.rebase(p.Energy(s, at), s.clock(at))
	}
	return s
}
