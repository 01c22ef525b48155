package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// Reminders returns the open reminders of a project and of none, nil for all projects, due first.
func (s *Service) Reminders(ctx context.Context, project *string) ([]brain.Source, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Source, error) { return openReminders(r, project) })
}

// DoneReminders returns the reminders of a project and of none that are done, nil for all
// projects, the last done first, at most limit.
func (s *Service) DoneReminders(ctx context.Context, project *string, limit int) ([]brain.Source, error) {
	all, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Source, error) {
		return r.ListSources(brain.SourceFilter{Kind: brain.Reminder, Limit: maxReminders})
	})
	done := slices.DeleteFunc(all, func(s brain.Source) bool { return s.Done.IsZero() || project != nil && !isAbout(s.Project, *project) })
	slices.SortFunc(done, func(a, b brain.Source) int { return cmp.Or(b.Done.Compare(a.Done), cmp.Compare(a.ID, b.ID)) })
	return done[:min(len(done), limit)], err
}

// openReminders returns those with a due date, earliest first, then the others, newest first.
func openReminders(r brain.NodeReader, project *string) ([]brain.Source, error) {
	all, err := r.ListSources(brain.SourceFilter{Kind: brain.Reminder, Open: true, Limit: maxReminders})
	open := slices.DeleteFunc(all, func(s brain.Source) bool { return project != nil && !isAbout(s.Project, *project) })
	slices.SortFunc(open, dueFirst)
	return open, err
}

func dueFirst(a, b brain.Source) int {
	if a.Due.IsZero() != b.Due.IsZero() {
		return cmp.Compare(b.Due.Unix(), a.Due.Unix()) // none last
	}
	return cmp.Or(a.Due.Compare(b.Due), b.Created.Compare(a.Created), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID))
}

const (
	tasksOfHeading = 3  // undated tasks below one heading that are pushed
	taskDays       = 14 // for which an undated task is pushed
	maxPushed      = 40 // reminders that are pushed
)

// PushedReminders returns the open reminders that may be pushed, the most urgent 40, due first.
// Of the tasks of notes without a due date these are the newest three of each heading, none
// older than 14 days. more says, by the id of the third, how many others there are.
func PushedReminders(r brain.NodeReader, project *string, now time.Time) (pushed []brain.Source, more map[string]string, err error) {
	all, err := openReminders(r, project)
	place := func(s brain.Source) string { return cmp.Or(s.Description, s.File) }
	of, last, more := map[string]int{}, map[string]string{}, map[string]string{}
	for _, s := range all {
		if s.File == "" || !s.Due.IsZero() {
			pushed = append(pushed, s)
			continue
		}
		of[place(s)]++
		if of[place(s)] <= tasksOfHeading && s.Created.After(now.AddDate(0, 0, -taskDays)) {
			pushed, last[place(s)] = append(pushed, s), s.ID
		}
	}
	for name, id := range last {
		if n := of[name] - tasksOfHeading; n > 0 {
			more[id] = fmt.Sprintf(", and %d more under %q", n, markdown.Plain(name))
		}
	}
	slices.SortStableFunc(pushed, func(a, b brain.Source) int { return cmp.Compare(urgency(b.Due, now), urgency(a.Due, now)) })
	pushed = pushed[:min(len(pushed), maxPushed)]
	slices.SortFunc(pushed, dueFirst)
	return pushed, more, err
}

func reminderEntries(f contextFacts, now time.Time) []*contextEntry {
	return brain.Map(f.reminders, func(s brain.Source) *contextEntry {
		said := plaintext.Shorten(plaintext.OneLine(markdown.Plain(s.Text)), maxReminder) + statement.DueText(s.Due, now.Location())
		if !s.Due.IsZero() && s.Due.In(now.Location()).Format(time.DateOnly) < now.Format(time.DateOnly) {
			said += " (overdue)"
		}
		said += f.more[s.ID]
		at := s.Created.In(now.Location())
		id := cmp.Or(f.memoryOf[s.ID], s.ID)
		return &contextEntry{
			line: ContextLine{ID: id, Part: "reminders", Kind: "reminder", Date: at.Format(time.DateOnly), Salience: 1},
			rank: urgency(s.Due, now),
			date: statement.RelativeDate(at, now), said: func() statement.Statement { return statement.Statement{Title: said} },
			task: statement.Of(&brain.Memory{Content: s.Text, MemoryType: "reminder"}).Key(),
		}
	})
}

// urgentDays is the time before and after its due date in which a reminder is urgent. Most tasks
// of notes that have been due for longer were done and never ticked.
const urgentDays = 7

// urgency returns the rank of a reminder: highest for one that is urgent or has no due date, then
// for one that is due later, then for one that has been due for long, the latest first.
func urgency(due, now time.Time) float64 {
	switch {
	case due.IsZero(), due.After(now.AddDate(0, 0, -urgentDays)) && due.Before(now.AddDate(0, 0, urgentDays)):
		return strong
	case due.After(now):
		return 0
	}
	return due.Sub(now).Hours()
}

const maxReminder = 240 // characters of a reminder in a context
