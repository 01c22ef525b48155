package tiers

import (
	"testing"

	"pgregory.net/rapid"
)

// history drives two copies of one memory through the same events: nothing
// comes between for quiet, any number of runs at any instants for busy.
type history struct {
	p           *Policy
	quiet, busy State
	now         int64 // may go back
}

func (h *history) step(t *rapid.T) {
	h.now += drawSpan(t, "forward")
	if rapid.IntRange(0, 4).Draw(t, "clock") == 0 {
		h.now -= drawSpan(t, "back")
	}
}

func (h *history) touch(t *rapid.T) {
	h.step(t)
	e := Event{
		Add:        rapid.SampledFrom([]float64{0, 0.25, 1, 2.5, 1e9}).Draw(t, "add"),
		NewSession: rapid.Bool().Draw(t, "session"),
		MayRevive:  rapid.Bool().Draw(t, "revive"),
	}
	for _, s := range []*State{&h.quiet, &h.busy} {
		_, settled := h.p.Settle(*s, instant(h.now))
		*s, _ = h.p.Touch(settled, e, instant(h.now))
	}
}

func (h *history) settle(t *rapid.T) {
	h.step(t)
	_, h.busy = h.p.Settle(h.busy, instant(h.now))
}

func (h *history) decay(t *rapid.T) {
	h.step(t)
	h.busy = h.p.Decay(h.busy, instant(h.now))
}

// configure changes the numbers: all is settled under the old ones first.
func (h *history) configure(t *rapid.T) {
	h.step(t)
	at := instant(h.now)
	for _, s := range []*State{&h.quiet, &h.busy} {
		_, settled := h.p.Settle(*s, at)
		*s = h.p.Rebase(settled, at)
	}
	h.p = drawPolicy(t, *h.p)
}

// recompute is a chunk after a change of the numbers, at whatever time.
func (h *history) recompute(*rapid.T) { h.busy = h.p.Recompute(h.busy) }

func (h *history) check(t *rapid.T) {
	at := instant(h.now)
	_, a := h.p.Settle(h.quiet, at)
	_, b := h.p.Settle(h.busy, at)
	if !near(h.p.Energy(a, at), h.p.Energy(b, at)) {
		t.Fatalf("energy %v without runs, %v with", h.p.Energy(a, at), h.p.Energy(b, at))
	}
	if h.p.Energy(h.quiet, at) != h.p.Energy(a, at) || h.p.Expired(h.quiet, at) != (a.Tier == Expired) {
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
		h := &history{p: new(DefaultPolicy()), now: millis(start)}
		tier := drawTier(t)
		h.quiet = h.p.Start(tier, drawEnergy(t, "energy"), 0, start)
		if rapid.IntRange(0, 9).Draw(t, "entity") == 0 {
			h.quiet = h.p.StartEntity(start)
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

// A run each hour and one run at the end do the same to a memory.
func TestHourlyRunsAndOneRunAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t, DefaultPolicy())
		s := drawState(t, p)
		hourly := s
		at := millis(s.LastDecay)
		for range rapid.IntRange(1, 300).Draw(t, "hours") {
			at += 3_600_000
			_, hourly = p.Settle(hourly, instant(at))
			hourly = p.Decay(hourly, instant(at))
		}
		_, once := p.Settle(s, instant(at))
		once = p.Decay(once, instant(at))
		if !near(once.Energy, hourly.Energy) {
			t.Fatalf("energy %v at once, %v hourly", once.Energy, hourly.Energy)
		}
		hourly.Energy = once.Energy
		if once != hourly {
			t.Fatalf("\nat once %+v\nhourly  %+v", once, hourly)
		}
	})
}
