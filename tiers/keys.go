package tiers

import (
	"fmt"
	"math"
	"strings"
)

// limits of what With accepts; whole ones take no fractions.
type limits struct {
	low, high float64
	whole     bool
}

// field ties a dotted key to its place in a Policy: exactly one of number and
// count is set.
type field struct {
	key    string
	number *float64
	count  *int
	limits limits
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
		{"lambda.working", &p.Lambda.Working, nil, rate},
		{"lambda.shortTerm", &p.Lambda.ShortTerm, nil, rate},
		{"lambda.longTerm", &p.Lambda.LongTerm, nil, rate},
		{"promote.energy.working", &p.PromoteEnergy.Working, nil, energy},
		{"promote.energy.shortTerm", &p.PromoteEnergy.ShortTerm, nil, energy},
		{"promote.sessions.working", nil, &p.PromoteSessions.Working, sessions},
		{"promote.sessions.shortTerm", nil, &p.PromoteSessions.ShortTerm, sessions},
		{"expire.below", &p.ExpireBelow, nil, energy},
		{"boost", &p.Boost, nil, energy},
		{"access", &p.Access, nil, energy},
		{"recall", &p.Recall, nil, energy},
		{"initial.crystallization", &p.InitialCrystallization, nil, energy},
		{"initial.learning", &p.InitialLearning, nil, energy},
		{"initial.reminder", &p.InitialReminder, nil, energy},
		{"initial.outcome.critical", &p.InitialOutcomeCritical, nil, energy},
		{"initial.outcome.important", &p.InitialOutcomeImportant, nil, energy},
		{"initial.outcome.reference", &p.InitialOutcomeReference, nil, energy},
		{"initial.bullet", &p.InitialBullet, nil, energy},
		{"initial.other", &p.InitialOther, nil, energy},
		{"initial.entity", &p.InitialEntity, nil, energy},
		{"batch.promotion", nil, &p.PromotionBatch, batch},
		{"batch.decay", nil, &p.DecayBatch, batch},
		{"merge.nearExact", &p.Merge.NearExact, nil, share},
		{"merge.sameWords", &p.Merge.SameWords, nil, share},
		{"merge.alike", &p.Merge.Alike, nil, share},
		{"merge.tolerance", &p.Merge.Tolerance, nil, share},
		{"merge.maxCluster", nil, &p.Merge.MaxCluster, limits{low: 2, high: 1000, whole: true}},
		{"forget.afterDays", nil, &p.Forget.AfterDays, days},
		{"forget.idleDays", nil, &p.Forget.IdleDays, days},
		{"forget.minUses", nil, &p.Forget.MinUses, count},
		{"forget.effectiveness", &p.Forget.Effectiveness, nil, share},
		{"forget.temporaryDays", nil, &p.Forget.TemporaryDays, days},
		{"core.uses", nil, &p.Core.Uses, count},
		{"core.effectiveness", &p.Core.Effectiveness, nil, share},
		{"core.ageDays", nil, &p.Core.AgeDays, days},
		{"relevanceThreshold", &p.RelevanceThreshold, nil, limits{high: 1000}},
		{"maxMemories", nil, &p.MaxMemories, count},
	}
}

// Keys returns the dotted names of all lifecycle numbers, always in the same
// order: rates per hour (lambda.*), promotion thresholds (promote.energy.*,
// promote.sessions.*), expire.below, what events add (boost, access, recall),
// energies of new memories (initial.*), sizes of transactions (batch.*), and
// the thresholds of merging, forgetting, core and the relevance filter.
func Keys() []string {
	var p Policy
	all := fields(&p)
	keys := make([]string, len(all))
	for i, f := range all {
		keys[i] = f.key
	}
	return keys
}

// IsThreshold reports whether key is a number that no life depends on: one of
// merging, forgetting, core, the relevance filter, or when a run is due.
func IsThreshold(key string) bool {
	group, _, _ := strings.Cut(key, ".")
	switch group {
	case "merge", "forget", "core", "relevanceThreshold", "maxMemories":
		return true
	}
	return false
}

// SameLives reports whether memories live by p as they do by o: at most
// thresholds differ, and when the policies are in force.
func (p Policy) SameLives(o Policy) bool {
	for _, f := range fields(&p) {
		v, _ := o.Get(f.key)
		if !IsThreshold(f.key) && v != f.value() {
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

// With returns a copy of p in which key is v. It fails, naming the key, when
// there is no such key or v is not finite, out of range, or not whole where a
// number of things is meant.
func (p Policy) With(key string, v float64) (Policy, error) {
	for _, f := range fields(&p) {
		if f.key != key {
			continue
		}
		if err := f.limits.check(v); err != nil {
			return Policy{}, fmt.Errorf("set %s: %w", key, err)
		}
		f.set(v)
		return p, nil
	}
	return Policy{}, fmt.Errorf("set %s: there is no such lifecycle number", key)
}

func (f field) value() float64 {
	if f.count != nil {
		return float64(*f.count)
	}
	return *f.number
}

func (f field) set(v float64) {
	if f.count != nil {
		*f.count = int(v)
		return
	}
	*f.number = v
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
