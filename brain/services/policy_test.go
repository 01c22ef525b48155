package services_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/tiers"
)

// A change that fails at any call after the number was stored is completed by the next run: until then the numbers of before
// count, and afterwards the memories are as after a change that did not fail.
func TestAChangeOfNumbersIsCompletedAfterAFailure(t *testing.T) {
	var want []brain.Memory
	for failAt := 0; ; failAt = max(3, failAt+1) { // the first two are before anything is stored
		l := newLab(t)
		ids := l.shelve(110, func(i int, m *brain.Memory) {
			m.ID = fmt.Sprint("shelved-", i)
			if i%5 == 0 {
				m.PromoteDue = m.LastDecay
			}
		})
		l.later(3 * time.Hour)
		s := storetest.Failing(l.Base.Store, storetest.Plan{FailAt: failAt})
		changed := services.New(s, services.Options{Now: func() time.Time { return l.now }}).Base.SetNumber(l.ctx(), "lambda.working", 0.1)
		p := must[*tiers.Policy](l)(l.Base.Policy(l.ctx()))
		if changed == nil && p.Lambda.Working != 0.1 {
			t.Fatalf("it is %v after the change", p.Lambda.Working)
		}
		if p.Lambda.Working != 0.1 && p.Lambda.Working != 0.5 {
			t.Fatalf("it is %v while it changes", p.Lambda.Working)
		}
		if _, err := l.run.Run(l.ctx(), consolidate.Request{Kind: brain.RunSettle, Background: true}); err != nil {
			t.Fatal(err)
		}
		got := must[[]brain.Memory](l)(l.Base.Memories(l.ctx(), ids...))
		if failAt == 0 {
			want = got
			continue
		}
		for i := range got {
			if got[i].State != want[i].State {
				t.Fatalf("failed at call %d (%v):\n%+v, want\n%+v", failAt, changed, got[i].State, want[i].State)
			}
		}
		if changed == nil {
			return
		}
	}
}

// When a number changes, what is due is promoted and expires as of its instant under the numbers
// before, and the rest fades from its energy at the change.
func TestAChangeOfNumbersSettlesUnderThoseBefore(t *testing.T) {
	l := newLab(t)
	ids := l.shelve(3, func(i int, m *brain.Memory) { // expires after 3.2 h, is due, fades
		m.Tier, m.Energy, m.Base = tiers.Working, 0.5, 0.5
		switch i {
		case 1:
			m.PromoteDue = m.LastDecay
		case 2:
			m.Energy, m.Base = 2, 2
		}
	})
	began := l.now
	l.later(4 * time.Hour)
	if err := l.Base.SetNumber(l.ctx(), "lambda.working", 0); err != nil {
		t.Fatal(err)
	}
	ms := must[[]brain.Memory](l)(l.Base.Memories(l.ctx(), ids...))
	if got := ms[0].ValidTo.Sub(began).Round(time.Minute); ms[0].Tier != tiers.Expired || got != 3*time.Hour+13*time.Minute {
		t.Errorf("the first is %s after %v", ms[0].Tier, got)
	}
	if ms[1].Tier != tiers.ShortTerm || !ms[1].ValidFrom.Equal(began) {
		t.Errorf("the second is %s since %v", ms[1].Tier, ms[1].ValidFrom)
	}
	if !ms[2].ExpiresAt.IsZero() {
		t.Errorf("the third expires at %v", ms[2].ExpiresAt)
	}
	l.later(100 * time.Hour)
	if got, want := l.energy(ids[2]), 2*math.Exp(-0.5*4); math.Abs(got-want) > 1e-9 {
		t.Errorf("the third has %v, want %v", got, want)
	}
	if _, events, err := l.Journal.History(l.ctx(), ids[0]); err != nil || events[len(events)-1].Kind != string(brain.ActExpire) {
		t.Errorf("the history of the first is %+v, error %v", events, err)
	}
}

// A threshold changes no life: nothing is recomputed, and it counts at once.
func TestAThresholdRecomputesNothing(t *testing.T) {
	l := newLab(t)
	l.shelve(3, func(int, *brain.Memory) {})
	for key, value := range map[string]float64{"forget.afterDays": 60, "merge.alike": 0.8, "core.uses": 5, "relevanceThreshold": 0, "maxMemories": 9} {
		l.later(2 * time.Minute)
		s := l.counted()
		if err := l.Base.SetNumber(l.ctx(), key, value); err != nil {
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
	if err := l.Base.SetNumber(l.ctx(), "forget.minUses", 4); err != nil {
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
	edit("access", 3) // of an earlier version, a constant now
	if got := numbers(); got != [2]float64{0.5, 1} {
		t.Errorf("before the run %v counts", got)
	}
	if wrong, err := l.Base.InvalidNumbers(l.ctx()); err != nil || len(wrong) != 2 || wrong[1] != "access: it is 1 in every brain now; 3 does not count" {
		t.Errorf("invalid are %q, error %v", wrong, err)
	}
	if idle, err := l.Base.Idle(l.ctx(), l.now); err != nil || idle {
		t.Errorf("a changed number leaves nothing to do: %v", err)
	}
	if err := l.Base.ApplyNumbers(l.ctx()); err != nil {
		t.Fatal(err)
	}
	if got := numbers(); got != [2]float64{0.25, 1} {
		t.Errorf("after the run %v counts", got)
	}
	edit("lambda.working", 0.125)
	if err := l.Base.SetNumber(l.ctx(), "boost", 2); err != nil {
		t.Fatal(err)
	}
	if got := numbers(); got != [2]float64{0.125, 2} {
		t.Errorf("after a change by command %v counts", got)
	}
	history := must[[]brain.Record](l)(lifecycle.Read(l.ctx(), l.Base, func(r brain.Reader) ([]brain.Record, error) {
		return r.ListRecords(brain.ConfigRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{brain.PolicyOwner}})
	}))
	if first, err := brain.Body[brain.PolicyBody](history[0]); err != nil || len(history) != 3 || first.Numbers["lambda.working"] != 0.5 || !first.ValidTo.Equal(l.now) {
		t.Errorf("the history is %+v, error %v", history, err)
	}
}

// An undo computes nothing back through a change of the numbers: the memory keeps the energy of
// now. A threshold is no such change.
func TestUndoAfterAChangeOfNumbers(t *testing.T) {
	for _, c := range []struct {
		what, key string
		value     float64
		promoted  bool
	}{
		{"a correction, lambda falls", "lambda.working", 0.1, false},
		{"a promotion, lambda rises", "lambda.working", 2, true},
		{"a promotion, a threshold changes", "forget.minUses", 4, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			l := newLab(t)
			id, undone := l.learn("port", "staging listens on port 5433"), ""
			if c.promoted {
				id = l.crystallize("port", "staging listens on port 5433")
				undone = l.consolidate().RunID
			} else {
				_, run, err := l.Capture.Correct(l.ctx(), id, "", "staging listens on port 5500")
				undone = must[brain.Run](l)(run, err).ID
			}
			l.later(2 * time.Hour)
			must[int](l)(0, l.Base.SetNumber(l.ctx(), c.key, c.value))
			l.later(30 * time.Minute)
			want := l.energy(id)
			if c.key == "forget.minUses" { // as if it had never been promoted
				want = 3 * math.Exp(-0.5*2.5)
			}
			if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), undone, nil, nil)); u.Undone != 1 {
				t.Fatalf("undone: %+v", u)
			}
			got := l.show(id).Memory
			if math.Abs(*got.Energy-want) > 1e-9 || *got.Tier != tiers.Working || !got.ExpiresAt.After(l.now) {
				t.Errorf("it has %v in %s until %v, want %v", *got.Energy, *got.Tier, got.ExpiresAt, want)
			}
			if p := l.life(id).Points; math.Abs(p[0].Energy*math.Exp(-p[0].Lambda*l.now.Sub(p[0].At).Hours())-want) > 1e-6 {
				t.Errorf("its life is %+v, want %v now", p, want)
			}
		})
	}
}

// What is left of a boost after a change of the numbers is not known, so that it is not taken back.
func TestABoostBeforeAChangeOfNumbersStays(t *testing.T) {
	l := newLab(t)
	id := l.learn("port", "staging listens on port 5433")
	l.later(2 * time.Hour) // so that nothing makes it rise
	_, run, err := l.Capture.BoostUndoably(l.ctx(), id, 0.5)
	boosted := must[brain.Run](l)(run, err)
	l.later(time.Hour)
	must[int](l)(0, l.Base.SetNumber(l.ctx(), "lambda.working", 0.1))
	want := l.node(id)
	u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), boosted.ID, nil, nil))
	if got := l.node(id); u.Undone != 0 || len(u.Skipped) != 1 || got.State != want.State || got.UseCount != want.UseCount {
		t.Errorf("%+v, it is %+v, was %+v", u, got, want)
	}
}

// A memory that was forgotten before a change of the numbers comes back with its energy of then,
// which fades from the change on.
func TestForgottenBeforeAChangeOfNumbers(t *testing.T) {
	l := newLab(t)
	id := l.learn("port", "staging listens on port 5433")
	_, run, err := l.Journal.Forget(l.ctx(), id, "asked for")
	must[brain.Run](l)(run, err)
	l.later(time.Hour)
	must[int](l)(0, l.Base.SetNumber(l.ctx(), "lambda.working", 2))
	l.later(time.Hour)
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil))
	if got, want := l.energy(id), 2*math.Exp(-2); math.Abs(got-want) > 1e-6 {
		t.Errorf("it has %v, want %v", got, want)
	}
}

// The curve of a memory begins where its energy follows from the numbers in force, and has no energy
// that it never had.
func TestLifeBeginsAtAChangeOfNumbers(t *testing.T) {
	for _, lambda := range []float64{0.3, 5} {
		l := newLab(t)
		id := l.learn("port", "staging listens on port 5433")
		l.later(2 * time.Hour)
		changed := l.now
		must[int](l)(0, l.Base.SetNumber(l.ctx(), "lambda.working", lambda))
		l.later(15 * time.Minute)
		got := l.life(id).Points
		if len(got) != 2 || got[0].Kind != "begin" || !got[0].At.Equal(changed) || math.Abs(got[0].Energy-2*math.Exp(-0.5*2)) > 1e-6 {
			t.Errorf("lambda %v: %+v", lambda, got)
		}
	}
}

func (l *lab) life(id string) journal.Life {
	l.t.Helper()
	return must[journal.Life](l)(l.Journal.Life(l.ctx(), id))
}
