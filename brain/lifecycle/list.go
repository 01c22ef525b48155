package lifecycle

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// ListQuery chooses what a list shows.
type ListQuery struct {
	Tiers   []tiers.Tier // none: live tiers, or every tier with All
	All     bool         // archived, superseded and expired ones too
	Types   []string     // none: all
	Tag     string
	Project *string // nil: any; pointer to "": no project
	Since   time.Time
	Limit   int // 0: 50
	// Importance and Sort make the list read every memory that matches the rest.
	Importance brain.Importance // "" for any
	Sort       string
	// Salient asks for the most salient memories first, live and expired ones, without
	// those that a newer one contests. Tiers and All are then ignored.
	Salient bool
}

// The orders of a list.
const (
	ByEnergy  = "energy"  // highest first; also ""
	ByCreated = "created" // newest first
	ByUsed    = "used"    // last used first
	ByName    = "name"
)

// Strongest merges the lists of the tiers by current energy.
func (b Base) Strongest(r brain.Reader, q ListQuery, now time.Time) ([]brain.Memory, error) {
	tl, err := Timeline(r)
	all := Get(&err, r.Strongest, q.Filters(now)...)
	SortByEnergy(tl, all, now)
	return all[:min(len(all), q.Limit)], err
}

// Filters returns the lists of the store that a query needs: those of its tiers and, for
// expired memories, also those that have faded in live tiers but are not settled yet.
func (q ListQuery) Filters(now time.Time) []brain.ListFilter {
	wanted := func(t tiers.Tier) bool {
		return slices.Contains(q.Tiers, t) || len(q.Tiers) == 0 && (q.All || t.Live())
	}
	types := q.Types
	if len(types) == 0 {
		types = []string{""}
	}
	var fs []brain.ListFilter
	for _, t := range types {
		for _, tier := range tiers.All() {
			f := brain.ListFilter{Tier: tier, Type: t, Tag: q.Tag, Project: q.Project, Since: q.Since, Limit: q.Limit}
			live, faded := f, f
			if tier.Live() {
				live.Unexpired, faded.Faded = now, now
			}
			if wanted(tier) {
				fs = append(fs, WithDue(live)...)
			}
			if tier.Live() && wanted(tiers.Expired) {
				fs = append(fs, WithDue(faded)...)
			}
		}
	}
	return fs
}

// WithDue adds the list of memories due for promotion, for the tiers that have one.
func WithDue(f brain.ListFilter) []brain.ListFilter {
	if f.Tier != tiers.Working && f.Tier != tiers.ShortTerm {
		return []brain.ListFilter{f}
	}
	due := f
	due.DueOnly = true
	return []brain.ListFilter{f, due}
}

// SortByEnergy sorts memories by their energy at now, highest first, ties by id.
func SortByEnergy(tl tiers.Timeline, ms []brain.Memory, now time.Time) {
	energy := make(map[string]float64, len(ms))
	for i := range ms {
		energy[ms[i].ID] = tl.Energy(ms[i].State, now)
	}
	slices.SortFunc(ms, func(a, b brain.Memory) int {
		return cmp.Or(cmp.Compare(energy[b.ID], energy[a.ID]), cmp.Compare(a.ID, b.ID))
	})
}
