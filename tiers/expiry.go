package tiers

import (
	"math"
	"time"
)

// horizon is the end of the year 9999: what would expire later never does.
const horizon = 253_402_300_799_999

// expiry returns when s expires, null for never. What is stored counts, unless
// a policy began since it was written: then it is computed, so that it does
// not matter whether Recompute has reached this memory yet.
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
	var found time.Time
	tl.spans(f.from, horizon+1, func(sp span) bool {
		x, ok := f.crossing(tl, sp)
		if ok {
			found = instant(x)
		}
		return !ok
	})
	return found
}

// crossing returns the first instant of sp at which f is below its threshold.
func (f fading) crossing(tl Timeline, sp span) (int64, bool) {
	below := sp.policy.ExpireBelow
	start := f.at(tl, sp.from)
	if start < below {
		return sp.from, true
	}
	last := sp.to - 1
	if !(f.at(tl, last) < below) {
		return 0, false
	}
	hours := math.Log(start/below) / sp.policy.Rate(f.tier)
	guess := last
	if g := float64(sp.from) + hours*millisPerHour; g < float64(last) {
		guess = max(sp.from, int64(g))
	}
	return firstBelow(sp.from, last, guess, func(t int64) bool { return f.at(tl, t) < below }), true
}

// firstBelow returns the t in (low, high] with below(t) and not below(t-1),
// given that below(high) and not below(low). The logarithm behind guess is
// good to about a millisecond, so the bounds are drawn close around it first.
func firstBelow(low, high, guess int64, below func(int64) bool) int64 {
	if below(guess) {
		high = guess
		for step := int64(1); high-step > low; step *= 2 {
			if !below(high - step) {
				low = high - step
				break
			}
			high -= step
		}
	} else {
		low = guess
		for step := int64(1); low+step < high; step *= 2 {
			if below(low + step) {
				high = low + step
				break
			}
			low += step
		}
	}
	for high-low > 1 {
		mid := low + (high-low)/2
		if below(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
