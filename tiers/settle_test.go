package tiers

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func TestStrictThresholds(t *testing.T) {
	p := new(DefaultPolicy())
	for _, c := range []struct {
		name     string
		tier     Tier
		energy   float64
		sessions int
		want     Tier
	}{
		{"2.0 in working stays", Working, 2, 0, Working},
		{"just above 2.0 moves", Working, math.Nextafter(2, 3), 0, ShortTerm},
		{"3.0 moves", Working, 3, 0, ShortTerm},
		{"6.0 moves twice", Working, 6, 0, LongTerm},
		{"5.0 in shortTerm stays", ShortTerm, 5, 0, ShortTerm},
		{"5.1 in shortTerm moves", ShortTerm, 5.1, 0, LongTerm},
		{"1 session stays", Working, 1, 1, Working},
		{"2 sessions move", Working, 1, 2, ShortTerm},
		{"3 sessions in shortTerm stay", ShortTerm, 1, 3, ShortTerm},
		{"4 sessions move twice", Working, 1, 4, LongTerm},
		{"0.1 stays", Working, 0.1, 0, Working},
		{"just below 0.1 expires", Working, math.Nextafter(0.1, 0), 0, Expired},
		{"nothing expires", Working, 0, 0, Expired},
		{"nothing, used in 2 sessions, expires further up", Working, 0, 2, Expired},
		{"longTerm never moves up", LongTerm, 1e9, 99, LongTerm},
		{"core never moves", Core, 0, 99, Core},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, s := p.Settle(p.Start(c.tier, c.energy, c.sessions, start), start)
			if s.Tier != c.want {
				t.Errorf("settled in %s, want %s", s.Tier, c.want)
			}
		})
	}
}

// A crystallization captured just before the lid is closed for 12 hours ends
// as it does with a run every ten minutes.
func TestLidClosedForTwelveHours(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, InitialCrystallization, 0, start)
	_, late := p.Settle(s, hours(12))
	often := s
	for at := start; !at.After(hours(12)); at = at.Add(10 * time.Minute) {
		_, often = p.Settle(often, at)
		often = p.Decay(often, at)
	}
	for _, s := range []State{late, often} {
		want := 3 * math.Exp(-0.05*12)
		if got := p.Energy(s, hours(12)); s.Tier != ShortTerm || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s with %v, want shortTerm with %v", s.Tier, got, want)
		}
		if s.ValidFrom != start {
			t.Errorf("valid from %v, want the instant of promotion %v", s.ValidFrom, start)
		}
	}
	if late.ExpiresAt != often.ExpiresAt {
		t.Errorf("expires at %v or %v", late.ExpiresAt, often.ExpiresAt)
	}
}

// The journal as people read it: tier, instant, energy and reason of each step.
func TestReasons(t *testing.T) {
	p := new(DefaultPolicy())
	used := p.Start(Working, 1, 2, start)
	old := p.Start(ShortTerm, 2, 0, start)
	barely := p.Start(Working, 2.0001, 0, start)
	_, expired := p.Settle(p.Start(Working, 1, 0, start), hours(6))
	ahead := expired
	low, _ := DefaultPolicy().With("expire.below", 1e-6)
	_, revived := p.Touch(expired, Event{Add: 1, MayRevive: true}, hours(8))
	first := func(steps []Step, _ State) []Step { return steps }
	for _, c := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"strong", first(p.Settle(p.Start(Working, 3, 0, start), start)), `
promote working→shortTerm 2026-03-01T09:00:00.000 3.0000 energy 3.00 rose above 2.00`},
		{"very strong", first(p.Settle(p.Start(Working, 6, 0, start), hours(1))), `
promote working→shortTerm 2026-03-01T09:00:00.000 6.0000 energy 6.00 rose above 2.00
promote shortTerm→longTerm 2026-03-01T09:00:00.000 6.0000 energy 6.00 rose above 5.00`},
		{"barely", first(p.Settle(barely, start)), `
promote working→shortTerm 2026-03-01T09:00:00.000 2.0001 energy rose above 2.00`},
		{"used, then left alone", first(p.Settle(used, hours(1000))), `
promote working→shortTerm 2026-03-01T09:00:00.000 1.0000 used in 2 sessions
expire shortTerm→expired 2026-03-03T07:03:06.127 0.1000 energy fell below 0.10 at 2026-03-03T07:03:06Z`},
		{"left alone", first(p.Settle(old, hours(1000))), `
expire shortTerm→expired 2026-03-03T20:54:52.724 0.1000 energy fell below 0.10 at 2026-03-03T20:54:52Z`},
		{"lower threshold", first(low.Settle(p.Reset(old, 0, start), hours(0))), `
expire shortTerm→expired 2026-03-01T09:00:00.000 0.0000 energy fell below 1e-06 at 2026-03-01T09:00:00Z`},
		{"used after it expired", []Step{*revived}, `
revive expired→working 2026-03-01T17:00:00.000 1.0183 used again after it expired at 2026-03-01T13:36:18Z`},
		{"expired by a clock ahead", first(p.Settle(ahead, hours(1))), `
revive expired→working 2026-03-01T10:00:00.000 0.6065 the clock went back: it expires at 2026-03-01T13:36:18Z`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got strings.Builder
			for _, s := range c.steps {
				fmt.Fprintf(&got, "\n%s %s→%s %s %.4f %s", s.Kind, s.From, s.To,
					s.At.Format("2006-01-02T15:04:05.000"), s.Energy, s.Reason)
			}
			if got.String() != c.want {
				t.Errorf("steps are:%s\nwant:%s", got.String(), c.want)
			}
		})
	}
}

func TestExpiryIsWrittenAsOfItsInstant(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, 1, 0, start)
	steps, settled := p.Settle(s, hours(100))
	if len(steps) != 1 || settled.ValidTo != s.ExpiresAt || settled.ExpiredFrom != Working {
		t.Fatalf("settled %+v by %+v", settled, steps)
	}
	if steps[0].Before != s || steps[0].After != settled {
		t.Errorf("before and after are not those of the memory: %+v", steps[0])
	}
	if want := math.Exp(-0.5 * 10); math.Abs(p.Energy(settled, hours(10))-want) > 1e-12 {
		t.Errorf("an expired memory has %v, want the fading of its tier, %v", p.Energy(settled, hours(10)), want)
	}
}

func TestAPromotionArchivesTheOriginal(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, 3, 1, start)
	steps, _ := p.Settle(s, hours(5))
	original := Archive(steps[0].Before, steps[0].At)
	if original.Tier != ArchivedWorking || original.ValidTo != start || original.Energy != 3 {
		t.Errorf("original is %+v", original)
	}
	if more, same := p.Settle(original, hours(1e6)); len(more) != 0 || same != original {
		t.Errorf("something swept the original: %+v", more)
	}
	if got := p.Energy(original, hours(1e6)); got != 3 {
		t.Errorf("an archived memory fades to %v", got)
	}
	promoted := steps[0].After
	if promoted.SessionCount != 1 || !promoted.ValidTo.IsZero() || !promoted.PromoteDue.IsZero() || promoted.PeakEnergy != 3 {
		t.Errorf("promoted is %+v", promoted)
	}
	if kept := Archive(p.Start(LongTerm, 1, 0, start), start); kept.Tier != LongTerm || !kept.ValidTo.IsZero() {
		t.Errorf("longTerm was archived: %+v", kept)
	}
}

// An instant of promotion that is still to come fades in the old tier until then.
func TestADueMemoryIsNotYetDueBefore(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, 1, 0, start)
	s.PromoteDue = hours(2) // as another machine with a clock ahead may write
	if steps, _ := p.Settle(s, hours(1)); len(steps) != 0 {
		t.Errorf("moved before it was due: %+v", steps)
	}
	steps, settled := p.Settle(s, hours(3))
	if len(steps) != 1 || steps[0].At != hours(2) || settled.Tier != ShortTerm {
		t.Fatalf("settled %+v by %+v", settled, steps)
	}
	want := math.Exp(-0.5*2 - 0.05)
	if a, b := p.Energy(s, hours(3)), p.Energy(settled, hours(3)); math.Abs(a-want) > 1e-12 || a != b {
		t.Errorf("has %v, settled %v, want %v", a, b, want)
	}
	if steps[0].Reason != "was due for promotion" {
		t.Errorf("reason %q", steps[0].Reason)
	}
}

// A state from a store that knows only energy and lastDecay, with lastDecay
// after the instant at which it fell due.
func TestBareStateSettles(t *testing.T) {
	p := new(DefaultPolicy())
	s := State{Tier: Working, Energy: 1, LastDecay: hours(1), PromoteDue: start}
	steps, settled := p.Settle(s, hours(3))
	if len(steps) != 1 || steps[0].At != start || settled.Tier != ShortTerm {
		t.Fatalf("settled %+v by %+v", settled, steps)
	}
	if want := math.Exp(-0.05 * 2); math.Abs(p.Energy(settled, hours(3))-want) > 1e-12 {
		t.Errorf("has %v, want %v", p.Energy(settled, hours(3)), want)
	}
	if settled.ExpiresAt.IsZero() {
		t.Error("a missing expiresAt was not put right")
	}
}

func TestEntitiesNeitherFadeNorMove(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.StartEntity(start)
	for range 9 {
		s, _ = p.Touch(s, Event{Add: 1, NewSession: true}, hours(1))
	}
	if steps, settled := p.Settle(s, hours(1e6)); len(steps) != 0 || settled != s {
		t.Errorf("an entity moved: %+v", steps)
	}
	if got := p.Energy(s, hours(1e6)); s.Tier != LongTerm || got != 14 || s.SessionCount != 9 {
		t.Errorf("%s with %v after %d sessions", s.Tier, got, s.SessionCount)
	}
	if !s.ExpiresAt.IsZero() || !s.PromoteDue.IsZero() {
		t.Errorf("an entity is due: %+v", s)
	}
}
