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

// The energies that events add to a memory.
const (
	Access = 1.0  // opening it or marking it as helpful
	Recall = 0.25 // being returned by a recall
)

// The energies of new memories.
const (
	InitialCrystallization  = 3.0
	InitialLearning         = 2.0
	InitialReminder         = 2.5
	InitialOutcomeCritical  = 3.0
	InitialOutcomeImportant = 2.5
	InitialOutcomeReference = 1.5
	InitialBullet           = 1.0
	InitialOther            = 1.0
	InitialEntity           = 5.0
)

// Numbers of merging and forgetting that are the same in every brain.
const (
	MergeTolerance      = 0.02 // how far below the threshold a pair within a cluster may be
	MaxCluster          = 12   // maximum number of members of a cluster, unless a run has its own
	ForgetIdleDays      = 30   // a memory used since then is no candidate
	ForgetTemporaryDays = 130  // since the last use of a temporary memory
)

// Policy is a complete set of lifecycle numbers (a ConsolidationConfig in the store), and the
// rules that compute with them. There is one at a time: before a number changes, Settle and
// Rebase every memory under the old ones.
type Policy struct {
	Lambda          Rates
	PromoteEnergy   Thresholds
	PromoteSessions Sessions
	// ExpireBelow is the energy below which a memory is expired.
	ExpireBelow float64

	Boost          float64 // added by a boost without an amount
	PromotionBatch int     // promotions in a transaction
	DecayBatch     int     // decays in a transaction

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
	NearExact float64 // above it, near-exact duplicates of one subject merge
	SameWords float64 // above it, texts of the same words in the same order merge
	Alike     float64 // minimum similarity of a pair that is considered
}

// ForgetNumbers are the thresholds of forgetting.
type ForgetNumbers struct {
	AfterDays     int     // since the last use (decayThresholdDays)
	MinUses       int     // fewer uses than this (minUsesToRetain)
	Effectiveness float64 // or below this
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
