package brain

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// The headings of what a context says beside what is strong.
const (
	sinceTitle = "New since the last session, which ended "
	fadedTitle = "Faded, of the last 14 days"
)

// fadedDays is how far back a context looks for what has faded.
const fadedDays = 14

// fadedTypes are the types of memories that a context keeps telling of for a
// while after they have expired.
func fadedTypes() []string { return []string{"decision", "preference", "lesson"} }

// faded is what was important, has expired and is not old: by peak energy,
// newest first.
func (q *ContextQuery) faded(r Reader, now time.Time) ([]Memory, error) {
	due, err := r.Due(now, q.Tests)
	if err != nil {
		return nil, err
	}
	var lists []ListFilter
	since := now.AddDate(0, 0, -fadedDays)
	for _, t := range fadedTypes() {
		for _, p := range q.projects() {
			lists = append(lists, fadedLists(ListFilter{
				Type: t, Project: p, Tests: q.Tests, Since: since, Limit: (q.each + 1) / 2,
				Unexpired: since.Add(-time.Millisecond), // none expires before it was created: no need to look further back
			}, now, len(due) > 0)...)
		}
	}
	ms, err := q.list(r, lists)
	ms = slices.DeleteFunc(ms, func(m Memory) bool { return m.Importance == Reference })
	slices.SortFunc(ms, func(a, z Memory) int {
		return cmp.Or(cmp.Compare(z.PeakEnergy, a.PeakEnergy), z.Created.Compare(a.Created), cmp.Compare(a.ID, z.ID))
	})
	return ms, err
}

// fadedLists are the lists of what has expired at an instant, also of what no run
// has swept where there is any.
func fadedLists(f ListFilter, now time.Time, unswept bool) []ListFilter {
	f.Faded = now
	var all []ListFilter
	for _, t := range tiers.All() {
		f.Tier = t
		switch {
		case t.Live() && unswept:
			all = append(all, withDue(f)...)
		case t == tiers.Expired:
			f.Faded = time.Time{}
			all = append(all, f)
			f.Faded = now
		}
	}
	return all
}
