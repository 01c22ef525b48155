package brain

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// SessionJob is the mark of when a session of an agent ended last.
const SessionJob = "session"

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

// sinceLastSession writes what came after the last session's end. Before the
// first one has ended there is nothing to say.
func (q ContextQuery) sinceLastSession(r Reader, tl tiers.Timeline, now time.Time, c *contextText) error {
	var last jobState
	if err := readCheckpoint(r, SessionJob, &last); err != nil || last.Finished.IsZero() {
		return err
	}
	fresh, err := q.read(r, tl, now, Instant(last.Finished), "")
	if err != nil {
		return err
	}
	c.memories(sinceTitle+last.Finished.UTC().Format(time.RFC3339), q.first(fresh, func(*Memory) bool { return true }))
	return nil
}

// faded fills what is left of the budget with what was important, has expired
// and is not old: by peak energy, newest first.
func (q ContextQuery) faded(r Reader, now time.Time, c *contextText) error {
	var lists []ListFilter
	for _, t := range fadedTypes() {
		for _, p := range q.projects() {
			lists = append(lists, fadedLists(ListFilter{
				Type: t, Project: p, Tests: q.Tests, Since: now.AddDate(0, 0, -fadedDays), Limit: defaultList,
			}, now)...)
		}
	}
	ms, err := r.Strongest(lists...)
	if err != nil {
		return err
	}
	ms = slices.DeleteFunc(ms, func(m Memory) bool { return m.Importance == Reference })
	slices.SortFunc(ms, func(a, z Memory) int {
		return cmp.Or(cmp.Compare(z.PeakEnergy, a.PeakEnergy), z.Created.Compare(a.Created), cmp.Compare(a.ID, z.ID))
	})
	c.memories(fadedTitle, ms)
	return nil
}

// fadedLists are the lists of what has expired at an instant, swept or not.
func fadedLists(f ListFilter, now time.Time) []ListFilter {
	f.Faded = now
	var all []ListFilter
	for _, t := range tiers.All() {
		f.Tier = t
		switch {
		case t.Live():
			all = append(all, withDue(f)...)
		case t == tiers.Expired:
			f.Faded = time.Time{}
			all = append(all, f)
			f.Faded = now
		}
	}
	return all
}
