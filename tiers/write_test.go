package tiers

import (
	"math"
	"testing"
	"time"
)

func TestALearningNeedsOneUse(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, InitialLearning, 0, start)
	if !s.PromoteDue.IsZero() {
		t.Fatal("due at once")
	}
	s, _ = p.Touch(s, Event{Add: 1, NewSession: true}, hours(1))
	if s.PromoteDue != hours(1) {
		t.Errorf("due at %v, want the instant of the use", s.PromoteDue)
	}
}

func TestTouchTakesInTheFading(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, 2, 0, start)
	s, step := p.Touch(s, Event{Add: 0.25}, hours(1))
	want := 2*math.Exp(-0.5) + 0.25
	if step != nil || math.Abs(s.Energy-want) > 1e-12 || s.LastDecay != hours(1) {
		t.Errorf("energy %v at %v, want %v", s.Energy, s.LastDecay, want)
	}
	if s.PeakEnergy != 2 {
		t.Errorf("peak %v, want 2", s.PeakEnergy)
	}
	if p.Expired(s, s.ExpiresAt.Add(-time.Millisecond)) || !p.Expired(s, s.ExpiresAt) {
		t.Errorf("expires at %v", s.ExpiresAt)
	}
}

func TestTouchBeforeTheLastWrite(t *testing.T) {
	p := new(DefaultPolicy())
	s, _ := p.Touch(p.Start(Working, 1, 0, start), Event{Add: 0.5}, hours(-3))
	if s.Energy != 1.5 || s.LastDecay != start {
		t.Errorf("energy %v at %v, want 1.5 at the last write", s.Energy, s.LastDecay)
	}
}

func TestFadingDoesNotUndoAPromotion(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, 2.5, 0, start)
	_, settled := p.Settle(s, hours(20))
	if settled.Tier != ShortTerm || settled.ValidFrom != start {
		t.Errorf("settled %+v", settled)
	}
}

func TestRevival(t *testing.T) {
	p := new(DefaultPolicy())
	_, gone := p.Settle(p.Start(ShortTerm, 1, 1, start), hours(100))
	left := math.Exp(-0.05 * 100)

	back, step := p.Touch(gone, Event{Add: 1, MayRevive: true}, hours(100))
	if step == nil || step.Before != gone || step.After != back {
		t.Fatalf("no step of its own: %+v", step)
	}
	if back.Tier != Working || !back.ValidTo.IsZero() || back.ExpiredFrom != "" || math.Abs(back.Energy-1-left) > 1e-12 {
		t.Errorf("revived as %+v", back)
	}
	if back.ExpiresAt.Before(hours(100)) || !back.PromoteDue.IsZero() {
		t.Errorf("expires %v, due %v", back.ExpiresAt, back.PromoteDue)
	}

	again, _ := p.Touch(gone, Event{Add: 1, MayRevive: true, NewSession: true}, hours(100))
	if again.PromoteDue != hours(100) {
		t.Errorf("revived in its second session, due %v", again.PromoteDue)
	}
}

func TestARecallDoesNotRevive(t *testing.T) {
	p := new(DefaultPolicy())
	_, gone := p.Settle(p.Start(Working, 1, 0, start), hours(100))
	got, step := p.Touch(gone, Event{Add: 0.25, NewSession: true}, hours(101))
	gone.SessionCount++
	if step != nil || got != gone {
		t.Errorf("more than the counter moved: %+v, was %+v", got, gone)
	}
}

func TestTouchLeavesWhatIsReplaced(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(Working, 1, 0, start)
	for _, s := range []State{Archive(s, start), p.Supersede(s, start)} {
		if got, step := p.Touch(s, Event{Add: 1, NewSession: true, MayRevive: true}, hours(1)); got != s || step != nil {
			t.Errorf("%s was touched: %+v", s.Tier, got)
		}
	}
}

func TestSupersedeKeepsTheEnergyOfThatInstant(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Supersede(p.Start(Working, 2, 0, start), hours(1))
	want := 2 * math.Exp(-0.5)
	if s.Tier != Superseded || s.ValidTo != hours(1) || math.Abs(p.Energy(s, hours(9))-want) > 1e-12 {
		t.Errorf("superseded as %+v, want energy %v", s, want)
	}
	if steps, _ := p.Settle(s, hours(1e6)); len(steps) != 0 {
		t.Errorf("something swept it: %+v", steps)
	}
}

// Undoing a promotion clears promoteDue; only a later use sets it again.
func TestResetIsNotDueUntilTouched(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Reset(p.Start(Working, 3, 2, start), 2.7, hours(1))
	if steps, _ := p.Settle(s, hours(2)); len(steps) != 0 {
		t.Fatalf("moved again: %+v", steps)
	}
	if got := p.Energy(s, hours(2)); math.Abs(got-2.7*math.Exp(-0.5)) > 1e-12 {
		t.Errorf("energy %v", got)
	}
	if s, _ = p.Touch(s, Event{}, hours(2)); s.PromoteDue != hours(2) {
		t.Errorf("used, but due %v", s.PromoteDue)
	}
}

func TestEnergyStaysFinite(t *testing.T) {
	p := new(DefaultPolicy())
	s := p.Start(LongTerm, math.MaxFloat64, 0, start)
	s, _ = p.Touch(s, Event{Add: math.MaxFloat64}, start)
	if math.IsInf(s.Energy, 0) || math.IsInf(s.PeakEnergy, 0) {
		t.Errorf("energy %v, peak %v", s.Energy, s.PeakEnergy)
	}
}

// A change of lambda counts from its instant on: 2 h at 0.5, 3 h at 0.1.
func TestDecayAcrossAChangeOfPolicy(t *testing.T) {
	old, slow := new(DefaultPolicy()), new(DefaultPolicy())
	slow.Lambda.Working = 0.1
	_, s := old.Settle(old.Start(Working, 1, 0, start), hours(2))
	s = old.Rebase(s, hours(2))
	if math.Abs(s.Energy-math.Exp(-1)) > 1e-12 || s.LastDecay != hours(2) {
		t.Errorf("took in %v at %v", s.Energy, s.LastDecay)
	}
	want := math.Exp(-0.5*2 - 0.1*3)
	if got := slow.Energy(s, hours(5)); math.Abs(got-want) > 1e-12 {
		t.Errorf("E = %v, want %v", got, want)
	}
	// It would have expired after 4.6 h; with the new numbers after 15 h.
	if slow.Expired(s, hours(5)) {
		t.Error("expired by the numbers of before the change")
	}
	done := slow.Recompute(s)
	if got := done.ExpiresAt.Sub(start).Hours(); math.Abs(got-(2+(math.Log(10)-1)/0.1)) > 1e-6 {
		t.Errorf("expires after %v h", got)
	}
	if _, settled := slow.Settle(s, hours(5)); settled.ExpiresAt != done.ExpiresAt {
		t.Errorf("settled with a stale expiry %v", settled.ExpiresAt)
	}
}

// What is left of an expired memory fades on with the new numbers.
func TestWhatExpiredBeforeAChangeStaysExpired(t *testing.T) {
	old, never := new(DefaultPolicy()), new(DefaultPolicy())
	never.ExpireBelow, never.Lambda.Working = 0, 0
	_, s := old.Settle(old.Start(Working, 1, 0, start), hours(10))
	changed := never.Recompute(old.Rebase(s, hours(10)))
	if changed.Tier != Expired || changed.ExpiresAt != s.ExpiresAt || changed.ValidTo != s.ValidTo {
		t.Errorf("is %+v, was %+v", changed, s)
	}
	if got, want := never.Energy(changed, hours(20)), math.Exp(-0.5*10); math.Abs(got-want) > 1e-12 {
		t.Errorf("E = %v, want %v", got, want)
	}
	if got := never.Start(Working, 1, 0, hours(11)); !got.ExpiresAt.IsZero() {
		t.Errorf("with a threshold of 0 it expires at %v", got.ExpiresAt)
	}
}

func TestExpiryBeyondTheCalendarIsNever(t *testing.T) {
	for _, lambda := range []float64{0, 1e-300, 1e-9} {
		p := new(DefaultPolicy())
		p.Lambda.LongTerm = lambda
		s := p.Start(LongTerm, 1e9, 0, start)
		if !s.ExpiresAt.IsZero() || p.Expired(s, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("lambda %v: expires at %v", lambda, s.ExpiresAt)
		}
	}
	s := new(DefaultPolicy()).Start(LongTerm, 1e9, 0, start)
	if got := s.ExpiresAt.Sub(start).Hours(); math.Abs(got-math.Log(1e10)/0.001) > 1e-3 {
		t.Errorf("1e9 in longTerm expires after %v h", got)
	}
}

func TestInstantsAreWholeMillisecondsInUTC(t *testing.T) {
	zone := time.FixedZone("", 3*3600)
	fine := start.Add(1_234_567 * time.Nanosecond).In(zone)
	s := new(DefaultPolicy()).Start(Working, 3, 0, fine)
	want := start.Add(time.Millisecond)
	if s.LastDecay != want || s.BaseAt != want || s.PromoteDue != want || s.ValidFrom != want {
		t.Errorf("%+v", s)
	}
}
