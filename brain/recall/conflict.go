package recall

import (
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// narrowed reports whether a query has filters other than the project.
func (q Query) narrowed() bool {
	return len(q.Types)+len(q.Tiers)+len(q.Tags) > 0 || q.ActiveOnly || !q.Since.IsZero() || !q.Until.IsZero()
}

// contesting returns the newer memories that contest found ones and were not found
// themselves, each with the score of the older one.
func (s *Service) contesting(r brain.Reader, found []Recalled, at time.Time) ([]Recalled, error) {
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

// forgetNewer clears ContestedBy if the newer memory was not found, because it is newer
// than the query.
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

// newerFirst places each contested memory below the one of newer or found that contests it,
// latest first, at the position of the best of them.
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
		place(r) // they contest each other in a cycle; otherwise it is placed already
	}
	return out
}
