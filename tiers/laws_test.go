package tiers

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const year = 365.25 * 24 * float64(time.Hour/time.Millisecond)

// near reports whether two energies are the same to 1e-9, relative for those
// above 1.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

func drawEnergy(t *rapid.T, name string) float64 {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, 0.05, 0.1, math.Nextafter(0.1, 1), 0.25, 1, 2, math.Nextafter(2, 3), 3, 5, 6, 1e9}),
		rapid.Float64Range(0, 10),
		rapid.Float64Range(0, 1e9),
	).Draw(t, name)
}

// drawSpan draws milliseconds from 0 to 100 years, short ones as often as long.
func drawSpan(t *rapid.T, name string) int64 {
	top := rapid.SampledFrom([]float64{0, 10, 60_000, 3_600_000, 864e5, 30 * 864e5, year, 100 * year}).Draw(t, name+" scale")
	return rapid.Int64Range(0, int64(top)).Draw(t, name)
}

func drawTier(t *rapid.T) Tier {
	return rapid.SampledFrom([]Tier{Working, ShortTerm, LongTerm, Core}).Draw(t, "tier")
}

// drawPolicy draws up to three changes of a policy.
func drawPolicy(t *rapid.T, p Policy) *Policy {
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		key := rapid.SampledFrom(Keys()[:8]).Draw(t, "key")
		v := rapid.SampledFrom([]float64{0, 0.001, 0.05, 0.1, 0.5, 1, 2, 3, 5}).Draw(t, "value")
		if changed, err := p.With(key, v); err == nil {
			p = changed
		}
	}
	return &p
}

func drawState(t *rapid.T, p *Policy) State {
	at := instant(millis(start) + drawSpan(t, "written after"))
	return p.Start(drawTier(t), drawEnergy(t, "energy"), rapid.IntRange(0, 5).Draw(t, "sessions"), at)
}

func TestDecayIsIdempotentAndSplitInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		end := millis(s.LastDecay)
		split := s
		for range rapid.IntRange(0, 5).Draw(t, "runs") {
			end += drawSpan(t, "run after")
			split = p.Decay(split, instant(end))
		}
		once := p.Decay(s, instant(end))
		if !near(split.Energy, once.Energy) {
			t.Fatalf("in parts %v, at once %v", split.Energy, once.Energy)
		}
		if again := p.Decay(once, instant(end)); again != once {
			t.Fatalf("decay again: %+v, was %+v", again, once)
		}
		if split.ExpiresAt != s.ExpiresAt || split.PromoteDue != s.PromoteDue || split.Tier != s.Tier {
			t.Fatalf("decay changed the meaning: %+v, was %+v", split, s)
		}
	})
}

// The plain formula, for people who read the store: what Energy and LastDecay
// hold gives the same as what E is computed from.
func TestEnergyIsTheFormulaOfTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := new(DefaultPolicy())
		s := drawState(t, p)
		s.PromoteDue = time.Time{}
		taken := p.Decay(s, instant(millis(s.BaseAt)+drawSpan(t, "taken in after")))
		at := instant(millis(taken.LastDecay) + drawSpan(t, "read after"))
		hours := float64(millis(at)-millis(taken.LastDecay)) / 3_600_000
		lambda := map[Tier]float64{Working: 0.5, ShortTerm: 0.05, LongTerm: 0.001}[s.Tier]
		want := taken.Energy * math.Exp(-lambda*hours)
		if got := p.Energy(taken, at); !near(got, want) {
			t.Fatalf("E = %v, want %v", got, want)
		}
	})
}

func TestEnergyNeverRisesByItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		a := millis(s.LastDecay) + drawSpan(t, "first")
		b := a + drawSpan(t, "second")
		if ea, eb := p.Energy(s, instant(a)), p.Energy(s, instant(b)); eb > ea {
			t.Fatalf("energy rose from %v to %v", ea, eb)
		}
	})
}

func TestExpiresAtIsTheFirstMillisecondBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		below := func(at int64) bool {
			return p.Energy(s, instant(at)) < p.ExpireBelow
		}
		if s.ExpiresAt.IsZero() {
			if s.Tier != Core && below(horizon) {
				t.Fatalf("never expires, but E is %v in the year 9999", p.Energy(s, instant(horizon)))
			}
			return
		}
		x := millis(s.ExpiresAt)
		if !below(x) {
			t.Fatalf("E(expiresAt) = %v is not below", p.Energy(s, s.ExpiresAt))
		}
		if x > millis(s.LastDecay) && below(x-1) {
			t.Fatalf("E is below already at the millisecond before expiresAt")
		}
		if p.Expired(s, instant(x-1)) != (x == millis(s.LastDecay)) || !p.Expired(s, s.ExpiresAt) {
			t.Fatalf("Expired disagrees with expiresAt %v", s.ExpiresAt)
		}
	})
}

// Within a tier the order of expiresAt is the order of energy,
// but for memories that were written when already below the threshold.
func TestOrderOfExpiryIsOrderOfEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := new(DefaultPolicy())
		tier := rapid.SampledFrom([]Tier{Working, ShortTerm, LongTerm}).Draw(t, "tier")
		draw := func(name string) State {
			s := p.Start(tier, 0.1+drawEnergy(t, name), 0, instant(millis(start)+drawSpan(t, name+" at")))
			return p.Reset(s, s.Energy, s.LastDecay)
		}
		a, b := draw("a"), draw("b")
		at := instant(max(millis(a.LastDecay), millis(b.LastDecay)))
		ea, eb := p.Energy(a, at), p.Energy(b, at)
		if a.ExpiresAt.Before(b.ExpiresAt) && ea > eb*(1+1e-9) && eb > 0 {
			t.Fatalf("a expires at %v before b at %v, but has %v against %v", a.ExpiresAt, b.ExpiresAt, ea, eb)
		}
	})
}

func TestPromoteDueAgreesWithTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		var want bool
		switch s.Tier {
		case Working:
			want = s.Energy > p.PromoteEnergy.Working || s.SessionCount >= p.PromoteSessions.Working
		case ShortTerm:
			want = s.Energy > p.PromoteEnergy.ShortTerm || s.SessionCount >= p.PromoteSessions.ShortTerm
		}
		if got := !s.PromoteDue.IsZero(); got != want {
			t.Fatalf("due %v, want %v: %+v", got, want, s)
		}
		if want && s.PromoteDue != s.LastDecay {
			t.Fatalf("due at %v, written at %v", s.PromoteDue, s.LastDecay)
		}
	})
}

// What a due memory says of itself before its promotion is written is what
// Settle makes of it.
func TestADueMemoryAlreadyFadesAsSettled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		now := instant(millis(s.LastDecay) + drawSpan(t, "settled after"))
		steps, settled := p.Settle(s, now)
		at := instant(millis(now) + drawSpan(t, "read after"))
		if a, b := p.Energy(s, at), p.Energy(settled, at); a != b {
			t.Fatalf("E was %v and is %v after %+v", a, b, steps)
		}
		if s.ExpiresAt != settled.ExpiresAt {
			t.Fatalf("expires at %v, settled at %v", s.ExpiresAt, settled.ExpiresAt)
		}
		if !s.PromoteDue.IsZero() && len(steps) == 0 {
			t.Fatalf("a due memory stayed: %+v", s)
		}
		if again, same := p.Settle(settled, now); len(again) != 0 || same != settled {
			t.Fatalf("settled twice: %+v", again)
		}
	})
}

func TestStepsAreAChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		steps, settled := p.Settle(s, instant(millis(s.LastDecay)+drawSpan(t, "settled after")))
		last := s
		for _, step := range steps {
			if step.Before.Tier != last.Tier || step.From != last.Tier || step.To != step.After.Tier {
				t.Fatalf("broken chain: %+v", steps)
			}
			if step.Reason == "" || step.Energy != p.Energy(s, step.At) {
				t.Fatalf("reason %q, energy %v, E %v", step.Reason, step.Energy, p.Energy(s, step.At))
			}
			last = step.After
		}
		if last.Tier != settled.Tier {
			t.Fatalf("ends in %s, settled in %s", last.Tier, settled.Tier)
		}
	})
}
