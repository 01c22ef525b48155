package tiers

import (
	"fmt"
	"math"
	"strings"
)

// limits are the values that With accepts; whole excludes fractions.
type limits struct {
	low, high float64
	whole     bool
}

// field is a number of a Policy: its dotted key, a function that returns a pointer to it (a
// *float64 or an *int), its value in a new brain, and its limits.
type field struct {
	key     string
	at      any
	initial float64
	limits  limits
}

// MaxEnergy is the highest energy that a policy or a single write accepts.
const MaxEnergy = 1e9

func fields(p *Policy) []field {
	rate := limits{high: 1000}
	energy := limits{high: MaxEnergy}
	sessions := limits{low: 1, high: 1e6, whole: true}
	batch := limits{low: 1, high: 1e5, whole: true}
	share := limits{high: 1}
	days := limits{high: 36500, whole: true}
	count := limits{high: 1e9, whole: true}
	return []field{
		{"lambda.working", &p.Lambda.Working, 0.5, rate},
		{"lambda.shortTerm", &p.Lambda.ShortTerm, 0.05, rate},
		{"lambda.longTerm", &p.Lambda.LongTerm, 0.001, rate},
		{"promote.energy.working", &p.PromoteEnergy.Working, 2, energy},
		{"promote.energy.shortTerm", &p.PromoteEnergy.ShortTerm, 5, energy},
		{"promote.sessions.working", &p.PromoteSessions.Working, 2, sessions},
		{"promote.sessions.shortTerm", &p.PromoteSessions.ShortTerm, 4, sessions},
		{"expire.below", &p.ExpireBelow, 0.1, energy},
		{"boost", &p.Boost, 1, energy},
		{"batch.promotion", &p.PromotionBatch, 10, batch},
		{"batch.decay", &p.DecayBatch, 100, batch},
		{"merge.nearExact", &p.Merge.NearExact, 0.95, share},
		{"merge.sameWords", &p.Merge.SameWords, 0.85, share},
		{"merge.alike", &p.Merge.Alike, 0.70, share},
		{"forget.afterDays", &p.Forget.AfterDays, 90, days},
		{"forget.minUses", &p.Forget.MinUses, 3, count},
		{"forget.effectiveness", &p.Forget.Effectiveness, 0.3, share},
		{"core.uses", &p.Core.Uses, 15, count},
		{"core.effectiveness", &p.Core.Effectiveness, 0.85, share},
		{"core.ageDays", &p.Core.AgeDays, 30, days},
		{"relevanceThreshold", &p.RelevanceThreshold, 5, limits{high: 1000}},
		{"maxMemories", &p.MaxMemories, 200, count},
	}
}

// Keys returns the dotted names of all lifecycle numbers, always in the same order: rates
// per hour (lambda.*), promotion thresholds (promote.energy.*, promote.sessions.*),
// expire.below, the energy of a boost, sizes of transactions (batch.*), and the thresholds of
// merging, forgetting, core and the relevance filter.
func Keys() (keys []string) {
	for _, f := range fields(&Policy{}) {
		keys = append(keys, f.key)
	}
	return keys
}

// IsThreshold reports whether no life depends on the number key: it concerns merging,
// forgetting, core, the relevance filter, or when a run is due.
func IsThreshold(key string) bool {
	group, _, _ := strings.Cut(key, ".")
	switch group {
	case "merge", "forget", "core", "relevanceThreshold", "maxMemories":
		return true
	}
	return false
}

// SameLives reports whether p and o give memories the same lives: they differ at most in
// thresholds.
func (p Policy) SameLives(o Policy) bool {
	others := fields(&o)
	for i, f := range fields(&p) {
		if !IsThreshold(f.key) && f.value() != others[i].value() {
			return false
		}
	}
	return true
}

// Get returns the number called key; false if there is none.
func (p Policy) Get(key string) (float64, bool) {
	for _, f := range fields(&p) {
		if f.key == key {
			return f.value(), true
		}
	}
	return 0, false
}

// With returns a copy of p in which key is v. It returns an error that names the key if
// there is no such key, or if v is not finite, out of range, or not whole although the
// number is a count.
func (p Policy) With(key string, v float64) (Policy, error) {
	for _, f := range fields(&p) {
		if f.key != key {
			continue
		}
		if err := f.limits.check(v); err != nil {
			return Policy{}, fmt.Errorf("%s: %w", key, err)
		}
		f.set(v)
		return p, nil
	}
	if constant, ok := Constants()[key]; ok {
		return Policy{}, fmt.Errorf("%s: it is %v in every brain and cannot be set", key, constant)
	}
	return Policy{}, fmt.Errorf("%s: there is no such lifecycle number", key)
}

// Constants returns the numbers that earlier versions could set, by the keys that they had.
func Constants() map[string]float64 {
	return map[string]float64{
		"access": Access, "recall": Recall,
		"initial.crystallization": InitialCrystallization, "initial.learning": InitialLearning, "initial.reminder": InitialReminder,
		"initial.outcome.critical": InitialOutcomeCritical, "initial.outcome.important": InitialOutcomeImportant,
		"initial.outcome.reference": InitialOutcomeReference, "initial.bullet": InitialBullet, "initial.other": InitialOther,
		"initial.entity": InitialEntity, "merge.tolerance": MergeTolerance, "merge.maxCluster": MaxCluster,
		"forget.idleDays": ForgetIdleDays, "forget.temporaryDays": ForgetTemporaryDays,
	}
}

func (f field) value() float64 {
	switch at := f.at.(type) {
	case *int:
		return float64(*at)
	case *float64:
		return *at
	}
	return 0
}

func (f field) set(v float64) {
	switch at := f.at.(type) {
	case *int:
		*at = int(v)
	case *float64:
		*at = v
	}
}

func (l limits) check(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%v is not a finite number", v)
	case v < l.low || v > l.high:
		return fmt.Errorf("%v is not between %v and %v", v, l.low, l.high)
	case l.whole && v != math.Trunc(v):
		return fmt.Errorf("%v is not a whole number", v)
	}
	return nil
}

// CheckEnergy returns an error for an energy that a memory cannot have: NaN, infinite,
// negative, or above MaxEnergy.
func CheckEnergy(v float64) error {
	return limits{high: MaxEnergy}.check(v)
}
