package tiers

import "time"

// horizon is the end of the year 9999. A memory that would expire later never expires.
const horizon = 253_402_300_799_999

// expiry returns when s expires, null for never. It returns the stored instant unless a
// policy began since s was written. Then it computes it, so the result does not depend on
// whether Recompute has reached this memory yet.
func (tl Timeline) expiry(s *State) time.Time {
	_, from := s.base()
	if !s.ExpiresAt.IsZero() && s.fades() && !tl.changedAfter(from) {
		return cut(s.ExpiresAt)
	}
	return tl.expiresAt(s)
}

// expiresAt computes the first whole millisecond at which E is below the
// threshold in force, null for never.
func (tl Timeline) expiresAt(s *State) time.Time {
	if !s.fades() {
		return time.Time{}
	}
	f := tl.settled(s)
	for sp := range tl.spans(f.from, horizon+1) {
		if x, ok := f.crossing(tl, sp); ok {
			return instant(x)
		}
	}
	return time.Time{}
}

// crossing returns the first instant of sp at which f is below its threshold.
func (f fading) crossing(tl Timeline, sp span) (int64, bool) {
	below := sp.policy.ExpireBelow
	if f.at(tl, sp.from) < below {
		return sp.from, true
	}
	last := sp.to - 1
	if !(f.at(tl, last) < below) {
		return 0, false
	}
	low, high := sp.from, last
	for high-low > 1 { // f is not below the threshold at low, but it is at high
		if mid := low + (high-low)/2; f.at(tl, mid) < below {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}
