package tiers

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A state that was written while the clock was ahead keeps its energy and fades from now on; any
// other is left as it is.
func TestAStateFromTheFutureFades(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		_, at := s.base()
		now := instant(at + int64(rapid.IntRange(-20*365*24, 100).Draw(t, "hours"))*millisPerHour)
		got := p.FromFuture(s, now)
		if !s.fades() || at <= millis(now.Add(24*time.Hour)) {
			if got != s {
				t.Fatalf("changed %+v to %+v", s, got)
			}
			return
		}
		if p.Energy(got, now) != p.Energy(s, now) || got.Tier != s.Tier {
			t.Fatalf("energy %v, was %v", p.Energy(got, now), p.Energy(s, now))
		}
		if got.ExpiresAt.After(s.ExpiresAt) || !got.PromoteDue.IsZero() && got.PromoteDue.After(now) {
			t.Fatalf("of %s: expires %s, was %s, promotes %s", now, got.ExpiresAt, s.ExpiresAt, got.PromoteDue)
		}
		if year := now.AddDate(1, 0, 0); p.Rate(s.fadingTier()) > 0 && p.Energy(got, year) > p.Energy(got, now) {
			t.Fatal("it does not fade")
		}
		if again := p.FromFuture(got, now); again != got {
			t.Fatalf("again: %+v", again)
		}
	})
}
