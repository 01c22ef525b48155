package tiers

import (
	"iter"
	"math"
	"slices"
	"time"
)

// Timeline is the history of policies, oldest first and without gaps: each one is in force
// until the next begins, the first one also before its ValidFrom. Create it with
// NewTimeline; it is never empty.
//
// History is not rewritten: a new policy begins after every instant at which memories were
// written or settled under the one before it. Append ensures that if the clock only goes
// forward.
type Timeline []Policy

// NewTimeline sorts policies by ValidFrom. Each ends where the next begins, and the last
// has no end. If several have the same ValidFrom, the last one given counts. Without
// policies it has DefaultPolicy.
func NewTimeline(policies ...Policy) Timeline {
	if len(policies) == 0 {
		return Timeline{DefaultPolicy()}
	}
	sorted := slices.Clone(policies)
	for i := range sorted {
		sorted[i].ValidFrom = cut(sorted[i].ValidFrom)
		sorted[i].ValidTo = time.Time{}
	}
	slices.SortStableFunc(sorted, func(a, b Policy) int { return a.ValidFrom.Compare(b.ValidFrom) })
	tl := make(Timeline, 0, len(sorted))
	for _, p := range sorted {
		if n := len(tl); n > 0 && tl[n-1].ValidFrom.Equal(p.ValidFrom) {
			tl = tl[:n-1]
		}
		if n := len(tl); n > 0 {
			tl[n-1].ValidTo = p.ValidFrom
		}
		tl = append(tl, p)
	}
	return tl
}

// Append returns tl with p in force from the next whole millisecond after the instant at,
// or after the beginning of the last policy if that is later.
func (tl Timeline) Append(p Policy, at time.Time) Timeline {
	p.ValidFrom = instant(max(millis(at), millis(tl.Current().ValidFrom)) + 1)
	return NewTimeline(append(slices.Clone(tl), p)...)
}

// At returns the policy in force at t.
func (tl Timeline) At(t time.Time) Policy {
	return *tl.policyAt(millis(t))
}

// Current returns the last policy.
func (tl Timeline) Current() Policy { return tl[len(tl)-1] }

func (tl Timeline) policyAt(at int64) *Policy {
	i := len(tl) - 1
	for i > 0 && millis(tl[i].ValidFrom) > at {
		i--
	}
	return &tl[i]
}

// changedAfter reports whether a policy began later than at.
func (tl Timeline) changedAfter(at int64) bool {
	return len(tl) > 1 && millis(tl[len(tl)-1].ValidFrom) > at
}

// span is a part of the timeline in which one policy is in force:
// from (inclusive) to (exclusive), in milliseconds.
type span struct {
	policy   *Policy
	from, to int64
}

// spans returns the spans of [from, to) in which one policy is in force, oldest first.
func (tl Timeline) spans(from, to int64) iter.Seq[span] {
	return func(yield func(span) bool) {
		for i := range tl {
			sp := span{&tl[i], from, to}
			if i > 0 {
				sp.from = max(from, millis(tl[i].ValidFrom))
			}
			if i+1 < len(tl) {
				sp.to = min(to, millis(tl[i+1].ValidFrom))
			}
			if sp.from < sp.to && !yield(sp) {
				return
			}
		}
	}
}

const millisPerHour = 3_600_000

// fading is an energy that fades with the lambda of one tier from an instant.
type fading struct {
	tier   Tier
	energy float64
	from   int64
}

// at returns energy * exp(-sum of lambda * hours), with the lambda that was in
// force in each part of the time.
func (f fading) at(tl Timeline, t int64) float64 {
	if t <= f.from || f.energy == 0 {
		return f.energy
	}
	exponent := 0.0
	for sp := range tl.spans(f.from, t) {
		exponent += sp.policy.Rate(f.tier) * (float64(sp.to-sp.from) / millisPerHour)
	}
	return f.energy * math.Exp(-exponent)
}

// own returns how s fades in its stored tier.
func (s *State) own() fading {
	energy, from := s.base()
	return fading{s.fadingTier(), energy, from}
}

// settled returns how s fades after the promotions for which it is due: it is promoted at
// the instant at which it fell due, as far as the rules of that instant allow, and fades
// from there.
func (tl Timeline) settled(s *State) fading {
	f := s.own()
	if !s.due() {
		return f
	}
	at := max(millis(s.PromoteDue), f.from)
	f.energy, f.from = f.at(tl, at), at
	f.tier, _ = f.tier.Next()
	rules := tl.policyAt(at)
	for rules.promotes(f.tier, f.energy, s.SessionCount) {
		f.tier, _ = f.tier.Next()
	}
	return f
}

// Energy returns E(at), with the policies that were in force in between. An instant before
// the last write counts as that write. From PromoteDue on, a memory that is due for
// promotion fades with the lambda of the tier it is promoted to. An expired one fades with
// that of the tier it expired from. Core memories, entities, archived and superseded
// memories do not fade.
func (tl Timeline) Energy(s State, at time.Time) float64 {
	if !s.fades() {
		return s.Energy
	}
	t := s.clock(at)
	if s.due() && t >= millis(s.PromoteDue) {
		return tl.settled(&s).at(tl, t)
	}
	return s.own().at(tl, t)
}

// Expired reports whether s is expired at the instant at, whether it is settled or not. If
// a run whose clock was ahead expired s, it is not expired before its ValidTo.
func (tl Timeline) Expired(s State, at time.Time) bool {
	if s.Tier == Expired {
		return !tl.tooEarly(&s, s.clock(at))
	}
	x := tl.expiry(&s)
	return !x.IsZero() && s.clock(at) >= millis(x)
}

// tooEarly reports whether a run whose clock was ahead expired s too early.
func (tl Timeline) tooEarly(s *State, now int64) bool {
	return s.Tier == Expired && s.ExpiredFrom.fading() &&
		!s.ValidTo.IsZero() && now < millis(s.ValidTo)
}

// Decay writes the current energy into Energy and moves LastDecay. It does not change E,
// ExpiresAt or PromoteDue, and promotes nothing. It is idempotent, and one call has the same
// result as several. A state that does not fade is returned unchanged.
func (tl Timeline) Decay(s State, at time.Time) State {
	t := s.clock(at)
	if !s.fades() || t <= millis(s.LastDecay) {
		return s
	}
	s.Base, _ = s.base()
	if s.BaseAt.IsZero() {
		s.BaseAt = cut(s.LastDecay)
	}
	s.Energy = tl.Energy(s, instant(t))
	s.LastDecay = instant(t)
	return s
}
