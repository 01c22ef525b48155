package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// ContextQuery chooses what the start of a session should know.
type ContextQuery struct {
	Budget  int     // tokens; 0: 2000
	Project *string // nil: all; else this one and what has none

	each int  // memories that are read of each list
	more bool // there are more of some
}

const defaultBudget = 2000

// Context returns what an agent should know now: core memory, open reminders,
// decisions and preferences, what is new since the last session, the strongest
// memories, and then what was important and faded of late; within a token budget,
// each with its id. No part crowds the others out. The same text for the same
// state. It touches nothing.
func (b *Service) Context(ctx context.Context, q ContextQuery) (string, error) {
	if q.Budget <= 0 {
		q.Budget = defaultBudget
	}
	now := b.base.Now()
	text, err := lifecycle.Read(ctx, b.base, func(r brain.Reader) (text string, err error) {
		// each is the number of memories to read of each tier for every 100 tokens. The
		// first number usually fills the budget. More are read while there is room.
		for _, each := range []int{1, 4, 16} {
			q.each, q.more = max(5, each*q.Budget/100), false
			parts, err := q.parts(r, now)
			if err != nil {
				return "", err
			}
			full := false
			if text, full = fillContext(parts, q.Budget); full || !q.more {
				break
			}
		}
		return text, nil
	})
	if err != nil {
		return "", fmt.Errorf("put the context together: %w", err)
	}
	return text, nil
}

// parts returns the parts in their order.
func (q *ContextQuery) parts(r brain.Reader, now time.Time) ([]contextPart, error) {
	tl, err := lifecycle.Timeline(r)
	if err != nil {
		return nil, err
	}
	strong, err := q.read(r, tl, now, q.each, "")
	if err != nil {
		return nil, err
	}
	open, err := q.openReminders(r)
	if err != nil {
		return nil, err
	}
	typed, err := q.read(r, tl, now, (q.each+1)/2, "decision", "preference")
	if err != nil {
		return nil, err
	}
	fresh, ended, err := q.sinceLastSession(r, tl, now)
	if err != nil {
		return nil, err
	}
	gone, err := q.faded(r, now)
	if err != nil {
		return nil, err
	}
	of := func(kind string) []brain.Memory {
		return chosen(typed, func(m *brain.Memory) bool { return m.MemoryType == kind })
	}
	return []contextPart{
		{title: "Core", share: .4, lines: memoryLines(chosen(strong, (*brain.Memory).IsCore))},
		{title: "Open reminders", share: .3, lines: reminderLines(open)},
		{title: "Decisions", share: .2, lines: memoryLines(of("decision"))},
		{title: "Preferences", share: .15, lines: memoryLines(of("preference"))},
		{title: brain.SinceTitle + ended.UTC().Format(time.RFC3339), share: .25, lines: memoryLines(fresh)},
		{title: "Strongest memories", share: .25, lines: memoryLines(strong)},
		{title: brain.FadedTitle, lines: memoryLines(gone)},
	}, nil
}

// read returns the live memories of these types ("" for any), for the project
// asked for and for those with none, strongest first: so many of each tier, the
// types one by one.
func (q *ContextQuery) read(r brain.Reader, tl tiers.Timeline, now time.Time, each int, types ...string) ([]brain.Memory, error) {
	var lists []brain.ListFilter
	for _, t := range types {
		for _, p := range q.projects() {
			lists = append(lists, lifecycle.ListQuery{Type: t, Project: p, Limit: each}.Filters(now)...)
		}
	}
	ms, err := q.list(r, lists)
	lifecycle.SortByEnergy(tl, ms, now)
	return ms, err
}

// list reads lists, and notes whether there is more of one of them.
func (q *ContextQuery) list(r brain.Reader, lists []brain.ListFilter) ([]brain.Memory, error) {
	ms, err := r.Strongest(lists...)
	q.more = q.more || len(ms) >= lists[0].Limit // else none of them was cut off
	return ms, err
}

// projects returns those that a context is about: nil for all of them.
func (q *ContextQuery) projects() []*string {
	if q.Project == nil || *q.Project == "" {
		return []*string{q.Project}
	}
	none := ""
	return []*string{q.Project, &none}
}

func chosen(ms []brain.Memory, choose func(*brain.Memory) bool) []brain.Memory {
	var some []brain.Memory
	for i := range ms {
		if choose(&ms[i]) {
			some = append(some, ms[i])
		}
	}
	return some
}

const maxReminders = 200 // that a context looks at

// openReminders returns those not done, due ones first and by their due date.
func (q *ContextQuery) openReminders(r brain.Reader) ([]brain.Source, error) {
	all, err := r.ListSources(brain.SourceFilter{Kind: brain.Reminder, Open: true, Limit: maxReminders})
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(all, func(s brain.Source) bool { return !q.about(s.Project) })
	sortReminders(open)
	return open, nil
}

// sinceLastSession returns what came after the last session's end and is live,
// as far as a context is about it, strongest first, and when that end was.
// Before the first session has ended there is nothing.
func (q *ContextQuery) sinceLastSession(r brain.Reader, tl tiers.Timeline, now time.Time) ([]brain.Memory, time.Time, error) {
	var last lifecycle.SessionMark
	if err := lifecycle.ReadCheckpoint(r, lifecycle.SessionJob, &last); err != nil || last.Finished.IsZero() {
		return nil, time.Time{}, err
	}
	ms, _, err := r.Written(last.Written, newestLimit)
	fresh := chosen(ms, func(m *brain.Memory) bool {
		return !m.Created.Before(brain.Instant(last.Finished)) && m.Tier.Live() && !tl.Expired(m.State, now) && q.about(m.Project)
	})
	lifecycle.SortByEnergy(tl, fresh, now)
	return fresh, last.Finished, err
}

// about reports whether what is of a project, or with "" of none, belongs in the
// context.
func (q *ContextQuery) about(project string) bool {
	return q.Project == nil || project == "" || project == *q.Project
}

// newestLimit is how many texts a context looks at that were written since the
// last session.
const newestLimit = 500

// fadedDays is how far back a context looks for what has faded.
const fadedDays = 14

// faded returns expired memories that are important or critical and at most
// fadedDays old, of the types that stay relevant for a while, by peak energy.
func (q *ContextQuery) faded(r brain.Reader, now time.Time) ([]brain.Memory, error) {
	due, err := r.Due(now)
	if err != nil {
		return nil, err
	}
	var lists []brain.ListFilter
	since := now.AddDate(0, 0, -fadedDays)
	for _, t := range []string{"decision", "preference", "lesson"} {
		for _, p := range q.projects() {
			lists = append(lists, fadedLists(brain.ListFilter{
				Type: t, Project: p, Since: since, Limit: (q.each + 1) / 2,
				Unexpired: since.Add(-time.Millisecond), // none expires before it was created: no need to look further back
			}, now, len(due) > 0)...)
		}
	}
	ms, err := q.list(r, lists)
	ms = slices.DeleteFunc(ms, func(m brain.Memory) bool { return m.Importance == brain.Reference })
	slices.SortFunc(ms, func(a, z brain.Memory) int {
		return cmp.Or(cmp.Compare(z.PeakEnergy, a.PeakEnergy), z.Created.Compare(a.Created), cmp.Compare(a.ID, z.ID))
	})
	return ms, err
}

// fadedLists returns the lists of what has expired at an instant, with unswept also
// of what no run has swept.
func fadedLists(f brain.ListFilter, now time.Time, unswept bool) []brain.ListFilter {
	f.Tier = tiers.Expired
	all := []brain.ListFilter{f}
	if !unswept {
		return all
	}
	f.Faded = now
	for _, t := range tiers.All() {
		if f.Tier = t; t.Live() {
			all = append(all, lifecycle.WithDue(f)...)
		}
	}
	return all
}
