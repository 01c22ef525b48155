package tiers

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The numbers of a new brain, by the names that a person configures.
func TestDefaultPolicy(t *testing.T) {
	want := []struct {
		key   string
		value float64
	}{
		{"lambda.working", 0.5},
		{"lambda.shortTerm", 0.05},
		{"lambda.longTerm", 0.001},
		{"promote.energy.working", 2},
		{"promote.energy.shortTerm", 5},
		{"promote.sessions.working", 2},
		{"promote.sessions.shortTerm", 4},
		{"expire.below", 0.1},
		{"boost", 1},
		{"batch.promotion", 10},
		{"batch.decay", 100},
		{"merge.nearExact", 0.95},
		{"merge.sameWords", 0.85},
		{"merge.alike", 0.7},
		{"forget.afterDays", 90},
		{"forget.minUses", 3},
		{"forget.effectiveness", 0.3},
		{"core.uses", 15},
		{"core.effectiveness", 0.85},
		{"core.ageDays", 30},
		{"relevanceThreshold", 5},
		{"maxMemories", 200},
	}
	p := DefaultPolicy()
	var keys []string
	for _, w := range want {
		keys = append(keys, w.key)
		if got, ok := p.Get(w.key); !ok || got != w.value {
			t.Errorf("%s is %v (%v), want %v", w.key, got, ok, w.value)
		}
		if _, err := p.With(w.key, w.value); err != nil {
			t.Errorf("a default is refused: %v", err)
		}
	}
	if !slices.Equal(Keys(), keys) {
		t.Errorf("keys are %v", Keys())
	}
	if _, err := p.With("initial.learning", 3); err == nil || err.Error() != "initial.learning: it is 2 in every brain and cannot be set" {
		t.Errorf("a constant: %v", err)
	}
}

func TestHalfLives(t *testing.T) {
	p := DefaultPolicy()
	for tier, want := range map[Tier]float64{Working: 1.39, ShortTerm: 13.9, LongTerm: 28.9 * 24} {
		if got := p.HalfLife(tier); math.Abs(got-want) > want/200 {
			t.Errorf("half-life of %s is %v h, want %v", tier, got, want)
		}
	}
	if got := p.HalfLife(Core); !math.IsInf(got, 1) {
		t.Errorf("core fades: half-life %v", got)
	}
}

func TestWithChangesOneNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := DefaultPolicy()
		key := rapid.SampledFrom(Keys()).Draw(t, "key")
		v := float64(rapid.IntRange(2, 1000).Draw(t, "value"))
		if _, err := p.With(key, 2); err != nil {
			v /= 1000 // shares are at most 1
		}
		changed, err := p.With(key, v)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range Keys() {
			want, _ := p.Get(k)
			if k == key {
				want = v
			}
			if got, _ := changed.Get(k); got != want {
				t.Fatalf("%s is %v after setting %s, want %v", k, got, key, want)
			}
		}
		if p != DefaultPolicy() {
			t.Fatal("With changed the policy it was called on")
		}
	})
}

func TestWithRefuses(t *testing.T) {
	for _, c := range []struct {
		key   string
		value float64
		says  string
	}{
		{"lambda.working", math.NaN(), "NaN is not a finite number"},
		{"lambda.working", math.Inf(1), "+Inf is not a finite number"},
		{"lambda.working", -0.5, "-0.5 is not between 0 and 1000"},
		{"expire.below", 2e9, "2e+09 is not between 0 and 1e+09"},
		{"promote.sessions.working", 0, "0 is not between 1 and 1e+06"},
		{"promote.sessions.shortTerm", 2.5, "2.5 is not a whole number"},
		{"batch.decay", 0, "0 is not between 1 and 100000"},
		{"lambda.core", 1, "there is no such lifecycle number"},
		{"", 1, "there is no such lifecycle number"},
	} {
		p, err := DefaultPolicy().With(c.key, c.value)
		if err == nil {
			t.Errorf("%s = %v was taken: %+v", c.key, c.value, p)
			continue
		}
		if want := c.key + ": " + c.says; err.Error() != want {
			t.Errorf("says %q, want %q", err, want)
		}
	}
	if _, ok := DefaultPolicy().Get("lambda.core"); ok {
		t.Error("lambda.core can be read")
	}
}

func TestCheckEnergy(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 1.1e9} {
		if CheckEnergy(v) == nil {
			t.Errorf("%v was taken", v)
		}
	}
	for _, v := range []float64{1e-9, 1, 1e9} {
		if err := CheckEnergy(v); err != nil {
			t.Error(err)
		}
	}
	if CheckEnergy(0) != nil {
		t.Error("energy 0 was refused")
	}
}
