package services_test

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// A capture that read the numbers just before they changed, and is stored just
// after all was recomputed, gets the new expiry all the same.
func TestWhatIsWrittenByOldNumbersIsRecomputedLater(t *testing.T) {
	l := newLab(t)
	id := l.shelve(1, func(int, *brain.Memory) {})[0]
	stored := func() brain.Memory {
		var ms []brain.Memory
		err := l.Base.Store.View(l.ctx(), func(r brain.Reader) (err error) {
			ms, err = r.Memories(id)
			return err
		})
		if err != nil || len(ms) != 1 {
			t.Fatalf("%d memories, error %v", len(ms), err)
		}
		return ms[0]
	}
	old := stored()
	l.later(time.Hour)
	if err := l.Base.SetPolicy(l.ctx(), "lambda.working", 0.1); err != nil {
		t.Fatal(err)
	}
	want := stored().ExpiresAt
	if want.Equal(old.ExpiresAt) {
		t.Fatal("the change of the numbers changes no expiry")
	}
	if err := l.Base.Store.Update(l.ctx(), func(tx brain.Tx) error { return tx.PutLives(old) }); err != nil {
		t.Fatal(err)
	}
	l.later(61 * time.Second)
	if idle, err := l.Base.Idle(l.ctx(), l.now); err != nil || idle {
		t.Errorf("a minute later there is nothing to do: %v, %v", idle, err)
	}
	if err := l.Base.Recompute(l.ctx()); err != nil {
		t.Fatal(err)
	}
	if got := stored().ExpiresAt; !got.Equal(want) {
		t.Errorf("it expires at %v, want %v", got, want)
	}
	s := l.counted()
	if err := l.Base.Recompute(l.ctx()); err != nil || s.listed != 0 {
		t.Errorf("%d memories are read when all is done, error %v", s.listed, err)
	}
}

// A threshold changes no life: nothing is recomputed, and it counts at once.
func TestAThresholdRecomputesNothing(t *testing.T) {
	l := newLab(t)
	l.shelve(3, func(int, *brain.Memory) {})
	for key, value := range map[string]float64{"forget.afterDays": 60, "merge.alike": 0.8, "core.uses": 5, "relevanceThreshold": 0, "maxMemories": 9} {
		l.later(2 * time.Minute)
		s := l.counted()
		if err := l.Base.SetPolicy(l.ctx(), key, value); err != nil {
			t.Fatal(err)
		}
		if s.listed != 0 {
			t.Errorf("%s: %d memories were read to be recomputed", key, s.listed)
		}
		if idle, err := l.Base.Idle(l.ctx(), l.now); err != nil || !idle {
			t.Errorf("%s: there is something left to do: %v", key, err)
		}
		p, err := l.Base.Numbers(l.ctx())
		if got, _ := p.Get(key); err != nil || got != value {
			t.Errorf("%s is %v, error %v, want %v", key, got, err, value)
		}
	}
}

// A threshold of a file beside the store counts more than that of the store;
// what is no threshold, or out of range, counts for nothing there.
func TestNumbersWithOverrides(t *testing.T) {
	l := newLab(t)
	if err := l.Base.SetPolicy(l.ctx(), "forget.minUses", 4); err != nil {
		t.Fatal(err)
	}
	b := services.New(l.Base.Store, services.Options{Overrides: func() map[string]float64 {
		return map[string]float64{"forget.afterDays": 60, "lambda.working": 9, "core.effectiveness": 7, "nonsense": 1}
	}})
	p, err := b.Base.Numbers(l.ctx())
	if err != nil {
		t.Fatal(err)
	}
	want := tiers.DefaultPolicy()
	want.Forget.MinUses, want.Forget.AfterDays = 4, 60
	want.ValidFrom = p.ValidFrom
	if p != want {
		t.Errorf("the numbers are %+v, want %+v", p, want)
	}
}
