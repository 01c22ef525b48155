package recall

import (
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// narrowed reports whether a query has a filter, besides the project, that a memory
// which was not found may fail.
func (q Query) narrowed() bool {
	return len(q.Types)+len(q.Tiers)+len(q.Tags) > 0 || q.ActiveOnly || !q.Since.IsZero() || !q.Until.IsZero()
}

// holding returns the newer memories that hold instead of found ones and were not found
// themselves, each with the score of the older one.
func (s *Service) holding(r brain.Reader, found []Recalled, at time.Time) ([]Recalled, error) {
	instead := map[string]Recalled{} // the older one, by the id of the newer one
	for _, f := range found {
		by := f.Memory.ContestedBy
		if _, twice := instead[by]; by != "" && !twice && !hasID(found, by) {
			instead[by] = f
		}
	}
	newer, err := s.current(r, slices.Sorted(maps.Keys(instead)), at, func(id string) Why {
		older := instead[id]
		return Why{InsteadOf: older.Memory.ID, OtherProject: older.Why.OtherProject}
	})
	for i := range newer {
		newer[i].Score = instead[newer[i].Memory.ID].Score
	}
	return newer, err
}

// forgetNewer clears contesting memories that were not found: at the time of the query
// they may not have existed.
func forgetNewer(found []Recalled) {
	for i := range found {
		if m := &found[i].Memory; !hasID(found, m.ContestedBy) {
			m.ContestedBy = ""
		}
	}
}

func hasID(all []Recalled, id string) bool {
	return slices.ContainsFunc(all, func(r Recalled) bool { return r.Memory.ID == id })
}

// newerFirst puts the memories that another one holds instead of directly below that
// one, latest first, at the place of the best of them. newer are more of those that hold.
func newerFirst(found, newer []Recalled) []Recalled {
	if !slices.ContainsFunc(found, func(r Recalled) bool { return r.Memory.ContestedBy != "" }) {
		return found
	}
	all := slices.Concat(found, newer)
	latest := slices.SortedStableFunc(slices.Values(all), func(a, b Recalled) int { return b.Memory.Created.Compare(a.Memory.Created) })
	out := make([]Recalled, 0, len(all))
	place := func(r Recalled) {
		if !hasID(out, r.Memory.ID) {
			out = append(out, r)
		}
	}
	for _, r := range found {
		holder := r
		if i := slices.IndexFunc(all, func(by Recalled) bool { return by.Memory.ID == r.Memory.ContestedBy }); i >= 0 {
			holder = all[i]
		}
		place(holder)
		for _, older := range latest {
			if older.Memory.ContestedBy == holder.Memory.ID {
				place(older)
			}
		}
		place(r) // if they contest each other in a circle, else it is placed already
	}
	return out
}
