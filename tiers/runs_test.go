package tiers

import (
	"testing"

	"pgregory.net/rapid"
)

// history drives two copies of one memory through the same events: nothing
// comes between for quiet, any number of runs at any instants for busy.
type history struct {
	tl          Timeline
	quiet, busy State
	now         int64 // may go back
	latest      int64 // never goes back
}

func (h *history) step(t *rapid.T) {
	h.now += drawSpan(t, "forward")
	if rapid.IntRange(0, 4).Draw(t, "clock") == 0 {
		h.now -= drawSpan(t, "back")
	}
	h.latest = max(h.latest, h.now)
}

func (h *history) touch(t *rapid.T) {
	h.step(t)
	e := Event{
		Add:        rapid.SampledFrom([]float64{0, 0.25, 1, 2.5, 1e9}).Draw(t, "add"),
		NewSession: rapid.Bool().Draw(t, "session"),
		MayRevive:  rapid.Bool().Draw(t, "revive"),
	}
	for _, s := range []*State{&h.quiet, &h.busy} {
		_, settled := h.tl.Settle(*s, instant(h.now))
		*s, _ = h.tl.Touch(settled, e, instant(h.now))
	}
	h.latest = max(h.latest, millis(h.quiet.BaseAt))
}

func (h *history) settle(t *rapid.T) {
	h.step(t)
	_, h.busy = h.tl.Settle(h.busy, instant(h.now))
}

func (h *history) decay(t *rapid.T) {
	h.step(t)
	h.busy = h.tl.Decay(h.busy, instant(h.now))
}

func (h *history) configure(t *rapid.T) {
	h.step(t)
	h.tl = h.tl.Append(drawPolicy(t, h.tl.Current()), instant(h.latest))
	h.latest++
}

// recompute is a chunk after the last change of policy, at whatever time.
func (h *history) recompute(*rapid.T) {
	h.busy = h.tl.Recompute(h.busy, h.tl.Current().ValidFrom)
}

func (h *history) check(t *rapid.T) {
	at := instant(h.now)
	_, a := h.tl.Settle(h.quiet, at)
	_, b := h.tl.Settle(h.busy, at)
	if !near(h.tl.Energy(a, at), h.tl.Energy(b, at)) {
		t.Fatalf("energy %v without runs, %v with", h.tl.Energy(a, at), h.tl.Energy(b, at))
	}
	if h.tl.Energy(h.quiet, at) != h.tl.Energy(a, at) || h.tl.Expired(h.quiet, at) != (a.Tier == Expired) {
		t.Fatalf("what is read before settling differs: %+v, settled %+v", h.quiet, a)
	}
	// The view that decay takes in may be as of different instants.
	a.Energy, a.LastDecay = b.Energy, b.LastDecay
	if a != b {
		t.Fatalf("at %v\nwithout runs %+v\nwith runs    %+v", at, a, b)
	}
}

// TestRunsDoNotMatter is the law of the model: for any events, the settled
// state at any instant is the same however many runs came between. Instants
// and tiers are compared exactly; so are the energies that they come from.
func TestRunsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &history{tl: NewTimeline(), now: millis(start), latest: millis(start)}
		tier := drawTier(t)
		h.quiet = h.tl.Start(tier, drawEnergy(t, "energy"), 0, start)
		if rapid.IntRange(0, 9).Draw(t, "entity") == 0 {
			h.quiet = h.tl.StartEntity(start)
		}
		h.busy = h.quiet
		t.Repeat(map[string]func(*rapid.T){
			"":          h.check,
			"touch":     h.touch,
			"settle":    h.settle,
			"decay":     h.decay,
			"configure": h.configure,
			"recompute": h.recompute,
		})
	})
}

// A run each hour and one run at the end do the same to a memory that is
// touched now and then, whatever the policy does meanwhile.
func TestHourlyRunsAndOneRunAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tl := drawTimeline(t)
		s := drawState(t, tl)
		hourly := s
		at := millis(s.LastDecay)
		for range rapid.IntRange(1, 300).Draw(t, "hours") {
			at += 3_600_000
			_, hourly = tl.Settle(hourly, instant(at))
			hourly = tl.Decay(hourly, instant(at))
		}
		_, once := tl.Settle(s, instant(at))
		once = tl.Decay(once, instant(at))
		if !near(once.Energy, hourly.Energy) {
			t.Fatalf("energy %v at once, %v hourly", once.Energy, hourly.Energy)
		}
		hourly.Energy = once.Energy
		if once != hourly {
			t.Fatalf("\nat once %+v\nhourly  %+v", once, hourly)
		}
	})
}
