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

// A number that a person changes in the store counts from the next run on, also beside one
// that is changed by command and one that is out of range.
func TestANumberChangedInTheStoreCountsFromTheNextRun(t *testing.T) {
	l := newLab(t)
	if _, err := l.Base.StoreNumbers(l.ctx()); err != nil {
		t.Fatal(err)
	}
	edit := func(key string, v float64) {
		t.Helper()
		err := l.Base.Store.Update(l.ctx(), func(tx brain.Tx) error {
			recs, err := tx.Records(brain.ConfigRecord, brain.CurrentPolicy)
			if err != nil || len(recs) != 1 {
				t.Fatalf("%d records of the numbers, error %v", len(recs), err)
			}
			body, err := brain.Body[brain.PolicyBody](recs[0])
			if err != nil {
				t.Fatal(err)
			}
			body.Numbers[key] = v
			rec, err := brain.NewRecord(brain.ConfigRecord, recs[0].ID, recs[0].Owner, "", recs[0].At, body)
			if err != nil {
				t.Fatal(err)
			}
			return tx.PutRecords(rec)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	numbers := func() [2]float64 {
		p, err := l.Base.Numbers(l.ctx())
		if err != nil {
			t.Fatal(err)
		}
		return [2]float64{p.Lambda.Working, p.Boost}
	}
	l.later(time.Hour)
	edit("lambda.working", 0.25)
	edit("boost", -3)
	if got := numbers(); got != [2]float64{0.5, 1} {
		t.Errorf("before the run %v counts", got)
	}
	if wrong, err := l.Base.InvalidNumbers(l.ctx()); err != nil || len(wrong) != 1 {
		t.Errorf("invalid are %q, error %v", wrong, err)
	}
	if idle, err := l.Base.Idle(l.ctx(), l.now); err != nil || idle {
		t.Errorf("a changed number leaves nothing to do: %v", err)
	}
	if err := l.Base.AdoptNumbers(l.ctx(), func(err error) { t.Error(err) }); err != nil {
		t.Fatal(err)
	}
	if got := numbers(); got != [2]float64{0.25, 1} {
		t.Errorf("after the run %v counts", got)
	}
	edit("lambda.working", 0.125)
	if err := l.Base.SetPolicy(l.ctx(), "boost", 2); err != nil {
		t.Fatal(err)
	}
	if got := numbers(); got != [2]float64{0.125, 2} {
		t.Errorf("after a change by command %v counts", got)
	}
	tl, err := l.Base.Timeline(l.ctx())
	if err != nil || len(tl) != 3 || tl.At(l.now.Add(-time.Minute)).Lambda.Working != 0.5 {
		t.Errorf("the history is %+v, error %v", tl, err)
	}
}
