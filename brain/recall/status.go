package recall

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Status counts what a brain holds.
type Status struct {
	Store             brain.StoreInfo
	Total             int // live and expired memories
	Tiers             map[tiers.Tier]int
	LastConsolidation time.Time
}

// Status counts memories by tier as stored, except that a memory past its expiry counts as
// expired even if it is not settled yet.
func (s *Service) Status(ctx context.Context) (Status, error) {
	now := s.base.Now()
	out, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (Status, error) {
		out := Status{Store: s.base.Store.Info(), Tiers: map[tiers.Tier]int{}}
		c, err := r.Counts(now)
		if err != nil {
			return out, err
		}
		for _, t := range tiers.All() {
			out.Tiers[t] += c.ByTier[t] - c.Faded[t]
			out.Tiers[tiers.Expired] += c.Faded[t]
			if t.Current() {
				out.Total += c.ByTier[t]
			}
		}
		var last lifecycle.JobState
		err = lifecycle.ReadCheckpoint(r, lifecycle.ConsolidationJob, &last)
		out.LastConsolidation = last.Finished
		return out, err
	})
	return out, brain.Wrap(err, "count memories")
}
