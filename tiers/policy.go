package tiers

import "math"

// Rates are fading rates (lambda) per hour. Core does not fade.
type Rates struct {
	Working, ShortTerm, LongTerm float64
}

// Thresholds are the energies that a memory must exceed to leave a tier.
type Thresholds struct {
	Working, ShortTerm float64
}

// Sessions are the numbers of sessions with a use that promote a memory out of a tier.
type Sessions struct {
	Working, ShortTerm int
}

// Policy is a complete set of lifecycle numbers (a ConsolidationConfig in the store), and the
// rules that compute with them. There is one at a time: before a number changes, Settle and
// Rebase every memory under the old ones.
type Policy struct {
	Lambda          Rates
	PromoteEnergy   Thresholds
	PromoteSessions Sessions
	// ExpireBelow is the energy below which a memory is expired.
	ExpireBelow float64

	Boost  float64 // added by a boost without an amount
	Access float64 // added by opening a memory or marking it as helpful
	Recall float64 // added by being returned by a recall

	InitialCrystallization  float64
	InitialLearning         float64
	InitialReminder         float64
	InitialOutcomeCritical  float64
	InitialOutcomeImportant float64
	InitialOutcomeReference float64
	InitialBullet           float64
	InitialOther            float64
	InitialEntity           float64
	PromotionBatch          int // promotions in a transaction
	DecayBatch              int // decays in a transaction

	Merge  MergeNumbers
	Forget ForgetNumbers
	Core   CoreNumbers
	// RelevanceThreshold is the minimum score for the relevance filter to store a text.
	RelevanceThreshold float64
	// MaxMemories is the number of live memories above which a run is due.
	MaxMemories int
}

// MergeNumbers are the thresholds of the duplicate rules; similarities are in
// [0, 1].
type MergeNumbers struct {
	NearExact  float64 // above it, near-exact duplicates of one subject merge
	SameWords  float64 // above it, texts of the same words in the same order merge
	Alike      float64 // minimum similarity of a pair that is considered
	Tolerance  float64 // how far below the threshold a pair within a cluster may be
	MaxCluster int     // maximum number of members of a cluster
}

// ForgetNumbers are the thresholds of forgetting.
type ForgetNumbers struct {
	AfterDays     int     // since the last use (decayThresholdDays)
	IdleDays      int     // unused for this long, regardless of other thresholds
	MinUses       int     // fewer uses than this (minUsesToRetain)
	Effectiveness float64 // or below this
	TemporaryDays int     // for temporary memories, since the last use
}

// CoreNumbers are the thresholds of promotion to core.
type CoreNumbers struct {
	Uses          int     // with a verdict
	Effectiveness float64 // at least
	AgeDays       int     // at least
}

// DefaultPolicy returns the numbers of a new brain.
func DefaultPolicy() Policy {
	var p Policy
	for _, f := range fields(&p) {
		f.set(f.initial)
	}
	return p
}

// Rate returns the lambda of t per hour, 0 for tiers that do not fade. The
// rate of an expired memory is that of the tier it expired from.
func (p *Policy) Rate(t Tier) float64 {
	switch t {
	case Working:
		return p.Lambda.Working
	case ShortTerm:
		return p.Lambda.ShortTerm
	case LongTerm:
		return p.Lambda.LongTerm
	}
	return 0
}

// HalfLife returns the hours in which half the energy of a memory in t fades:
// ln 2 / lambda, +Inf where nothing fades.
func (p *Policy) HalfLife(t Tier) float64 {
	return math.Ln2 / p.Rate(t)
}

// toLeave returns the energy that a memory must exceed, or the sessions that it needs, to
// leave t; ok is false for tiers without promotion.
func (p *Policy) toLeave(t Tier) (energy float64, sessions int, ok bool) {
	switch t {
	case Working:
		return p.PromoteEnergy.Working, p.PromoteSessions.Working, true
	case ShortTerm:
		return p.PromoteEnergy.ShortTerm, p.PromoteSessions.ShortTerm, true
	}
	return 0, 0, false
}

// promotes reports whether energy or sessions promote a memory out of t.
func (p *Policy) promotes(t Tier, energy float64, sessions int) bool {
	above, needed, ok := p.toLeave(t)
	return ok && (energy > above || sessions >= needed)
}
