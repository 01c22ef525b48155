package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// ShowAnswer is a memory with everything around it. Its sources replace those of the service.
type ShowAnswer struct {
	recall.Shown
	Source  *SourceView  `json:"source"`
	Sources []SourceView `json:"sources"` // all that lead to it, newest first
}

// Show returns a memory or a section: with that id if exact is set, else the newest of its chain.
func (u *UseCases) Show(ctx context.Context, id string, exact bool) (ShowAnswer, error) {
	s, err := u.services(ctx).Recall.Show(ctx, id, exact)
	if err != nil {
		return ShowAnswer{}, err
	}
	s.Relations = append([]brain.Relation{}, s.Relations...)
	a := ShowAnswer{Shown: s, Sources: brain.Map(s.Sources, func(s brain.Source) SourceView { return viewOfSource(s, "") })}
	if s.Source != nil {
		a.Source = new(viewOfSource(*s.Source, ""))
	}
	return a, nil
}

// OpenMemory is Show for an agent that reads the memory. It counts as an access.
func (u *UseCases) OpenMemory(ctx context.Context, id string) (ShowAnswer, error) {
	if m, err := u.services(ctx).Capture.Open(ctx, id); err == nil {
		id = m.ID
	} // otherwise it is a section, which has no accesses, or does not exist
	return u.Show(ctx, id, false)
}

// ListAnswer is a list of memories.
type ListAnswer struct {
	Memories []brain.View `json:"memories"`
	Hint     string       `json:"-"` // as in [recall.Recollection]
}

// ListRequest chooses memories.
type ListRequest = lifecycle.ListQuery

// Two of the orders of a list.
const (
	ByEnergy  = lifecycle.ByEnergy  // highest first
	ByCreated = lifecycle.ByCreated // newest first
)

// Orders returns the orders of a list.
func Orders() []string {
	return []string{lifecycle.BySalience, lifecycle.ByEnergy, lifecycle.ByCreated, lifecycle.ByUsed, lifecycle.ByName}
}

// List returns memories; since is a time as people write it, or empty.
func (u *UseCases) List(ctx context.Context, q ListRequest, since string) (ListAnswer, error) {
	q.Tag = strings.Join(brain.CleanTags([]string{q.Tag}), "")
	if q.Sort != "" && !slices.Contains(Orders(), q.Sort) {
		return ListAnswer{}, invalid("use "+strings.Join(Orders(), ", "), "there is no order %q", q.Sort)
	}
	err := brain.CheckDetails(brain.Details{Importance: q.Importance})
	if err == nil {
		q.Since, err = parseMoment("since", since, u.localNow(), moment.Past)
	}
	if err != nil {
		return ListAnswer{}, err
	}
	asked := q.Types
	q.Types = dailynote.TypesLike(asked...)
	b := u.services(ctx)
	found, err := b.Recall.List(ctx, q)
	hint := ""
	if len(found) == 0 && err == nil {
		hint = u.suggest(ctx, b, asked, []string{q.Tag}, q.Project)
	}
	return ListAnswer{found, hint}, err
}

// RemindersAnswer lists reminders.
type RemindersAnswer struct {
	Reminders []ReminderView `json:"reminders"`
}

// ReminderView is a reminder.
type ReminderView struct {
	SourceID string       `json:"sourceId"`
	MemoryID brain.OrNull `json:"memoryId"`
	Text     string       `json:"text"`
	Due      *time.Time   `json:"due"`
	Project  brain.OrNull `json:"project"`
	Done     *time.Time   `json:"done"` // null while it is open
}

// Reminders returns the open reminders of a project and of none, nil for all: with a due date
// first, then the newest.
func (u *UseCases) Reminders(ctx context.Context, project *string) (RemindersAnswer, error) {
	found, err := u.services(ctx).Recall.Reminders(ctx, project)
	if err != nil {
		return RemindersAnswer{}, err
	}
	return u.viewReminders(ctx, found)
}

// shownDone is how many reminders that are done are returned.
const shownDone = 200

// DoneReminders returns the last 200 reminders of a project and of none, nil for all, that are
// done, the last done first.
func (u *UseCases) DoneReminders(ctx context.Context, project *string) (RemindersAnswer, error) {
	found, err := u.services(ctx).Recall.DoneReminders(ctx, project, shownDone)
	if err != nil {
		return RemindersAnswer{}, err
	}
	return u.viewReminders(ctx, found)
}

func (u *UseCases) viewReminders(ctx context.Context, found []brain.Source) (RemindersAnswer, error) {
	a := RemindersAnswer{Reminders: []ReminderView{}}
	memories, err := u.services(ctx).Recall.MemoriesOf(ctx, found)
	for _, s := range found {
		a.Reminders = append(a.Reminders, ReminderView{s.ID, brain.OrNull(memories[s.ID]), s.Text, lifecycle.Optional(s.Due), brain.OrNull(s.Project), lifecycle.Optional(s.Done)})
	}
	return a, err
}

// SourcesAnswer is a list of sources.
type SourcesAnswer struct {
	Sources []SourceView `json:"sources"`
}

// Sources returns what was captured, newest first.
func (u *UseCases) Sources(ctx context.Context, f brain.SourceFilter) (SourcesAnswer, error) {
	b := u.services(ctx)
	found, err := b.Recall.Sources(ctx, f)
	if err != nil {
		return SourcesAnswer{}, err
	}
	memories, err := b.Recall.MemoriesOf(ctx, found)
	return SourcesAnswer{brain.Map(found, func(s brain.Source) SourceView { return viewOfSource(s, memories[s.ID]) })}, err
}

// SourceView is a source without internal keys. Its fields replace those of the source.
type SourceView struct {
	brain.Source
	MemoryID string       `json:"memoryId,omitempty"`
	Project  brain.OrNull `json:"project"`
	Tags     []string     `json:"tags"`
	IsTest   bool         `json:"isTest"`
}

// ShownID returns the id that people are shown: that of the memory, if there is one.
func (s SourceView) ShownID() string { return cmp.Or(s.MemoryID, s.ID) }

func viewOfSource(s brain.Source, memory string) SourceView {
	s.TitleKey, s.Key, s.Dir = "", "", ""
	return SourceView{s, memory, brain.OrNull(s.Project), append([]string{}, s.Tags...), brain.IsTest(s.ID)}
}

// HistoryAnswer lists the events in the life of a memory.
type HistoryAnswer struct {
	Memory brain.View             `json:"memory"`
	Events []journal.HistoryEvent `json:"events"`
}

// History returns everything that happened to a memory, oldest first.
func (u *UseCases) History(ctx context.Context, id string) (HistoryAnswer, error) {
	b := u.services(ctx)
	m, events, err := b.Journal.History(ctx, id)
	if err := u.incomplete(m.ID != "", err); err != nil {
		return HistoryAnswer{}, err
	}
	v, err := b.Recall.View(ctx, m)
	return HistoryAnswer{v, events}, err
}

// WhyAnswer explains the tier and the energy of a memory, and whether it is pushed.
type WhyAnswer struct {
	journal.Why
	recall.Pushed
}

// Why explains the tier and the energy of a memory, and whether it is pushed.
func (u *UseCases) Why(ctx context.Context, id string) (WhyAnswer, error) {
	b := u.services(ctx)
	w, err := b.Journal.Why(ctx, id)
	if err := u.incomplete(w.Memory.ID != "", err); err != nil {
		return WhyAnswer{}, err
	}
	p, err := b.Recall.Pushed(ctx, w.Memory.ID, u.caller.Project)
	return WhyAnswer{w, p}, err
}

// incomplete turns the error of an archive that was not read completely into a warning.
func (u *UseCases) incomplete(answered bool, err error) error {
	if err != nil && answered {
		u.caller.Notices.Warn(fmt.Errorf("some of it may be missing: %w", err))
		return nil
	}
	return err
}

// Version returns a mark that changes with each commit to the brain, see [brain.Store].
func (u *UseCases) Version(ctx context.Context) (string, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return "", err
	}
	return b.Base.Store.Version(ctx)
}
