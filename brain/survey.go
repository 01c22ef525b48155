package brain

import (
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// MarketResearch is the type of entities that become outdated.
const MarketResearch = "market-research"

// Thresholds of a [Survey], the same as those of the indicators of health.
const (
	// LowEffectiveness is the share of helpful verdicts below which a memory counts as
	// ineffective.
	LowEffectiveness = 0.3
	// OutdatedAfter is the age from which an entity of type [MarketResearch] is listed
	// for review: prices, versions and competitors change in a quarter.
	OutdatedAfter = 60 * 24 * time.Hour
	// OutdatedLimit is the maximum number of them.
	OutdatedLimit = 20
	// OrphanLimit is the maximum number of orphans that a survey lists.
	OrphanLimit = 200
)

// Survey is the result of [MemoryCounter.Survey]. All fields except ByTier count only live
// and expired memories.
type Survey struct {
	// ByTier counts every tier, including archived and superseded memories. A memory
	// that is past its expiresAt at now counts as expired.
	ByTier map[tiers.Tier]int
	ByType map[string]int

	Dated int     // memories with a known creation
	Days  float64 // the sum of their ages at now, in days

	Judged        int     // memories with a verdict
	Effectiveness float64 // the sum of their effectiveness, each helpful / (helpful + not helpful)
	Ineffective   int     // memories below LowEffectiveness

	// Stale counts live memories that are not past expiresAt at now and were last used (or,
	// if never used, created) before the given instant. It leaves out memories in working
	// and shortTerm and entities in longTerm whose life (BaseAt, else LastDecay) began or
	// was renewed since: they may have been stored long after they were created.
	Stale int

	Entities int
	Orphans  int // entities without any typed relation
	// OrphanIDs are theirs, in order, at most OrphanLimit.
	OrphanIDs []string
	// Outdated are the entities of type MarketResearch created OutdatedAfter
	// before now or earlier, oldest first, ties by id, at most OutdatedLimit.
	Outdated []string
}

// Total returns the number of live and expired memories.
func (s Survey) Total() int { return s.Live() + s.ByTier[tiers.Expired] }

// Live returns the number of live memories.
func (s Survey) Live() int {
	n := 0
	for tier, count := range s.ByTier {
		if tier.Live() {
			n += count
		}
	}
	return n
}

// Fade counts memories of a live tier, counted there, as expired.
func (s *Survey) Fade(tier tiers.Tier, memories int) {
	s.ByTier[tier] -= memories
	s.ByTier[tiers.Expired] += memories
}

// Judge counts memories with these verdicts.
func (s *Survey) Judge(memories, helpful, notHelpful int) {
	if helpful+notHelpful == 0 {
		return
	}
	e := float64(helpful) / float64(helpful+notHelpful)
	s.Judged += memories
	s.Effectiveness += float64(memories) * e
	if e < LowEffectiveness {
		s.Ineffective += memories
	}
}
