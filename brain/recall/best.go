package recall

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Best returns the memories that matter most, at most limit and a few of
// one tier more: live ones by tier, energy at that instant and importance, then
// expired ones that were important, by peak energy and date. left is how many
// there are beside them. It reads no more than it returns.
func Best(r brain.Reader, now time.Time, limit int) (best []brain.Memory, left int, err error) {
	tl, err := lifecycle.Timeline(r)
	if err != nil {
		return nil, 0, err
	}
	counts, err := r.Counts(now)
	if err != nil {
		return nil, 0, err
	}
	total := counts.Notable
	for _, t := range []tiers.Tier{tiers.Core, tiers.LongTerm, tiers.ShortTerm, tiers.Working} {
		total += counts.ByTier[t] - counts.Faded[t]
		if len(best) >= limit {
			continue
		}
		of, err := strongest(r, tl, t, now, limit)
		if err != nil {
			return nil, 0, err
		}
		best = append(best, of...)
	}
	if len(best) < limit {
		past, err := r.Notable(limit - len(best))
		if err != nil {
			return nil, 0, err
		}
		best = append(best, past...)
	}
	return best, max(0, total-len(best)), nil
}

// strongest returns the live memories of a tier by energy, then importance.
func strongest(r brain.Reader, tl tiers.Timeline, t tiers.Tier, now time.Time, limit int) ([]brain.Memory, error) {
	ms, err := r.Strongest(
		brain.ListFilter{Tier: t, Unexpired: now, Limit: limit},
		brain.ListFilter{Tier: t, DueOnly: true, Unexpired: now, Limit: limit},
	)
	slices.SortStableFunc(ms, func(a, z brain.Memory) int {
		return cmp.Or(
			cmp.Compare(tl.Energy(z.State, now), tl.Energy(a.State, now)),
			cmp.Compare(a.Importance.Rank(), z.Importance.Rank()),
		)
	})
	return ms, err
}
