package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// TimelineAnswer is what happened on each of the last days, oldest first.
type TimelineAnswer struct {
	Days []health.Day `json:"days"`
}

// Timeline returns the last days up to today, at most a year.
func (u *UseCases) Timeline(ctx context.Context, days int) (TimelineAnswer, error) {
	found, err := health.Days(ctx, u.services(ctx), days)
	return TimelineAnswer{found}, err
}

// CountDays stores the counts of the days that are over, and with the last of them the present
// values of the indicators of health.
func (u *UseCases) CountDays(ctx context.Context) error {
	report, err := u.Health(ctx)
	if err != nil {
		return err
	}
	return health.CountDays(ctx, u.services(ctx), report.Indicators)
}

// DayAnswer is a day in the time zone of the notes.
type DayAnswer struct {
	Date     string       `json:"date"`
	Notes    []DayNote    `json:"notes"`
	Sessions []DaySession `json:"sessions"`
	Runs     []RunLine    `json:"runs"` // that changed something, latest first
}

// DayNote is a note of a day.
type DayNote struct {
	File     string       `json:"file"`     // absolute
	Outcomes []SourceView `json:"outcomes"` // by line
}

// DaySession is a session of an agent, or the commands of an hour (cli: and the hour in UTC).
type DaySession struct {
	health.SessionSummary
	Project brain.OrNull `json:"project"` // null: none, or unknown
	Prompts int          `json:"prompts"` // 0 if its hooks do not report them
}

// maxDayRuns is how many runs of a day are returned.
const maxDayRuns = 500

// Day returns the notes, the sessions and the runs of a day. date is YYYY-MM-DD, today or
// yesterday.
func (u *UseCases) Day(ctx context.Context, date string) (a DayAnswer, err error) {
	if a.Date, err = u.parseDay(date); err != nil {
		return a, err
	}
	from, err := time.ParseInLocation(time.DateOnly, a.Date, u.app.Settings.Zone)
	if err != nil {
		return a, err
	}
	to, b := from.AddDate(0, 0, 1), u.services(ctx)
	if a.Notes, err = u.dayNotes(ctx, b, a.Date); err != nil {
		return a, err
	}
	if a.Sessions, err = u.daySessions(ctx, b, from, to); err != nil {
		return a, err
	}
	runs, err := b.Journal.RunsBefore(ctx, to, maxDayRuns)
	runs = slices.DeleteFunc(runs, func(r brain.Run) bool { return r.Started.Before(from) || r.Actions == 0 })
	a.Runs = brain.Map(runs, lineOf)
	return a, err
}

// dayNotes returns the notes of a day and what was read from them; none if the directory
// belongs to another brain.
func (u *UseCases) dayNotes(ctx context.Context, b *services.Services, date string) ([]DayNote, error) {
	directory, found := u.NotesDirectory(b), []DayNote{}
	dir, err := directory.OwnerID(ctx)
	if errors.Is(err, brain.ErrBusy) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	files, err := directory.DayFiles(ctx, date)
	if err != nil || len(files) == 0 {
		return found, err
	}
	sources, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Source, error) {
		return r.ListSources(brain.SourceFilter{By: brain.ByFile, Keys: files, Dir: dir})
	})
	if err != nil {
		return found, err
	}
	sources = slices.DeleteFunc(sources, func(s brain.Source) bool { return !s.Removed.IsZero() })
	slices.SortFunc(sources, func(a, b brain.Source) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID)) })
	memories, err := b.Recall.MemoriesOf(ctx, sources)
	for _, file := range files {
		n := DayNote{filepath.Join(u.app.Settings.Paths.NotesDir, filepath.FromSlash(file)), []SourceView{}}
		for _, s := range sources {
			if s.File == file {
				n.Outcomes = append(n.Outcomes, viewOfSource(s, memories[s.ID]))
			}
		}
		found = append(found, n)
	}
	return found, err
}

// daySessions returns the sessions that did something, or were there, between two instants.
func (u *UseCases) daySessions(ctx context.Context, b *services.Services, from, to time.Time) ([]DaySession, error) {
	did, err := health.Sessions(ctx, b, from, to)
	all := brain.Map(did, func(s health.SessionSummary) DaySession { return DaySession{SessionSummary: s} })
	if err != nil {
		return all, err
	}
	reported, err := u.app.sessions().All()
	for _, s := range reported {
		i := slices.IndexFunc(all, func(d DaySession) bool { return d.ID == s.ID })
		if i < 0 {
			if !s.Started.Before(to) || s.Started.Before(from) {
				continue
			}
			i = len(all)
			all = append(all, DaySession{SessionSummary: health.SessionSummary{ID: s.ID, First: s.Started, Last: brain.Later(s.Started, s.Latest), Captured: []health.Captured{}}})
		}
		all[i].Prompts, all[i].Project = s.Prompts, brain.OrNull(u.app.sessions().ProjectOf(s.CWD, "", false))
	}
	return all, err
}
