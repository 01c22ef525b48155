package brain

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// Best returns the real memories that matter most, at most limit and a few of
// one tier more: live ones by tier, energy at that instant and importance, then
// expired ones that were important, by peak energy and date. left is how many
// there are beside them. It reads no more than it returns.
func Best(r Reader, now time.Time, limit int) (best []Memory, left int, err error) {
	tl, err := timeline(r)
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

// strongest are the live memories of a tier by energy, then importance.
func strongest(r Reader, tl tiers.Timeline, t tiers.Tier, now time.Time, limit int) ([]Memory, error) {
	ms, err := r.Strongest(
		ListFilter{Tier: t, Unexpired: now, Limit: limit},
		ListFilter{Tier: t, DueOnly: true, Unexpired: now, Limit: limit},
	)
	slices.SortStableFunc(ms, func(a, z Memory) int {
		return cmp.Or(
			cmp.Compare(tl.Energy(z.State, now), tl.Energy(a.State, now)),
			cmp.Compare(a.Importance.rank(), z.Importance.rank()),
		)
	})
	return ms, err
}

// rank orders importance, highest first.
func (i Importance) rank() int {
	return slices.Index([]Importance{Critical, Important, Reference}, i)
}

// Current reports whether a memory stands for its chain: live or expired,
// neither archived by a promotion nor superseded.
func (m *Memory) Current() bool { return m.Tier.Live() || m.Tier == tiers.Expired }
