package tiers

import "time"

// horizon is the end of the year 9999. A memory that would expire later never expires.
const horizon = 253_402_300_799_999

// expiresAt returns the first whole millisecond at which E is below the threshold, null for
// never.
func (p *Policy) expiresAt(s *State) time.Time {
	if !s.fades() {
		return time.Time{}
	}
	f := p.settled(s)
	below := func(t int64) bool { return f.at(p, t) < p.ExpireBelow }
	low, high := f.from, int64(horizon)
	switch {
	case below(low):
		return instant(low)
	case !below(high):
		return time.Time{}
	}
	for high-low > 1 { // f is not below the threshold at low, but it is at high
		if mid := low + (high-low)/2; below(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return instant(high)
}

// Expired reports whether s is expired at the instant at, whether it is settled or not. If
// a run whose clock was ahead expired s, it is not expired before its ValidTo.
func (p *Policy) Expired(s State, at time.Time) bool {
	if s.Tier == Expired {
		return !s.tooEarly(s.clock(at))
	}
	x := p.expiresAt(&s)
	return !x.IsZero() && s.clock(at) >= millis(x)
}

// tooEarly reports whether a run whose clock was ahead expired s too early.
func (s *State) tooEarly(now int64) bool {
	return s.Tier == Expired && s.ExpiredFrom.fading() &&
		!s.ValidTo.IsZero() && now < millis(s.ValidTo)
}

// Recompute corrects ExpiresAt after the numbers have changed. PromoteDue stays, because it
// records the past; expired memories stay expired.
func (p *Policy) Recompute(s State) State {
	if s.Tier.fading() {
		s.ExpiresAt = p.expiresAt(&s)
	}
	return s
}
