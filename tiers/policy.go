package tiers

import (
	"math"
	"time"
)

// Rates are fading rates (lambda) per hour. Core does not fade.
type Rates struct {
	Working, ShortTerm, LongTerm float64
}

// Thresholds are energies that a memory must rise above, strictly, to leave
// the tier.
type Thresholds struct {
	Working, ShortTerm float64
}

// Sessions are numbers of sessions of use that promote out of the tier.
type Sessions struct {
	Working, ShortTerm int
}

// Policy is one ConsolidationConfig: every lifecycle number, in force from
// ValidFrom (inclusive) to ValidTo (exclusive; zero for the current one).
type Policy struct {
	Lambda          Rates
	PromoteEnergy   Thresholds
	PromoteSessions Sessions
	// ExpireBelow is the energy below which, strictly, a memory is expired.
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
	ValidFrom, ValidTo      time.Time
}

// DefaultPolicy returns the numbers of a new brain, in force since ever.
func DefaultPolicy() Policy {
	return Policy{
		Lambda:                  Rates{Working: 0.5, ShortTerm: 0.05, LongTerm: 0.001},
		PromoteEnergy:           Thresholds{Working: 2, ShortTerm: 5},
		PromoteSessions:         Sessions{Working: 2, ShortTerm: 4},
		ExpireBelow:             0.1,
		Boost:                   1,
		Access:                  1,
		Recall:                  0.25,
		InitialCrystallization:  3,
		InitialLearning:         2,
		InitialReminder:         2.5,
		InitialOutcomeCritical:  3,
		InitialOutcomeImportant: 2.5,
		InitialOutcomeReference: 1.5,
		InitialBullet:           1,
		InitialOther:            1,
		InitialEntity:           5,
		PromotionBatch:          10,
		DecayBatch:              100,
	}
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

// promotes reports whether energy or sessions lift a memory out of t.
func (p *Policy) promotes(t Tier, energy float64, sessions int) bool {
	switch t {
	case Working:
		return energy > p.PromoteEnergy.Working || sessions >= p.PromoteSessions.Working
	case ShortTerm:
		return energy > p.PromoteEnergy.ShortTerm || sessions >= p.PromoteSessions.ShortTerm
	}
	return false
}
