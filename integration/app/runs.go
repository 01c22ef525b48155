package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// RunLine is one run.
type RunLine struct {
	ID       string     `json:"id"`
	Kind     string     `json:"kind"`
	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished"`
	Actions  int        `json:"actions"`
	Undone   bool       `json:"undone"`
	TestOnly bool       `json:"testOnly"`
	// Background is true if nobody asked for the run. An undo without an id passes it over.
	Background bool `json:"background"`
}

func lineOf(r brain.Run) RunLine {
	return RunLine{r.ID, r.Kind, r.Started, lifecycle.Optional(r.Finished), r.Actions, !r.Undone.IsZero(), brain.IsTest(r.ID), r.InBackground()}
}

// ActionLine is one action of a run.
type ActionLine struct {
	ID     string           `json:"id"`
	Kind   brain.ActionKind `json:"kind"`
	IDs    []string         `json:"ids"`
	Name   string           `json:"name"` // of the first memory, as it was; "" if none changed
	Reason string           `json:"reason"`
	At     time.Time        `json:"at"`
	Undone bool             `json:"undone"`
}

func lineOfAction(a brain.Action) ActionLine {
	l := ActionLine{ID: a.ID, Kind: a.Kind, IDs: a.IDs, Reason: a.Reason, At: a.At, Undone: !a.Undone.IsZero()}
	if len(a.Changes) > 0 {
		c := a.Changes[0]
		l.Name = cmp.Or(c.Before, c.After).Name
	}
	return l
}

// RunsAnswer is a list of runs.
type RunsAnswer struct {
	Runs []RunLine `json:"runs"`
}

// Runs returns the latest runs, newest first.
func (u *UseCases) Runs(ctx context.Context, limit int) (RunsAnswer, error) {
	found, err := u.services(ctx).Journal.Runs(ctx, limit)
	return RunsAnswer{brain.Map(found, lineOf)}, err
}

// RunAnswer is one run with its report and all its actions.
type RunAnswer struct {
	Run     RunLine                `json:"run"`
	Report  *consolidate.RunReport `json:"report"`
	Actions []ActionLine           `json:"actions"`

	Since []brain.View `json:"-"` // the last capture after the run, if it is the one to undo
}

// Run returns the report of a run; without an id, of the last one.
func (u *UseCases) Run(ctx context.Context, id string) (RunAnswer, error) {
	b := u.services(ctx)
	if id == "" {
		latest, err := b.Journal.Runs(ctx, 1)
		if err == nil && len(latest) == 0 {
			err = brain.Errorf(brain.ErrNotFound, "`brainbridge consolidate` makes one", "there are no runs yet")
		}
		if err != nil {
			return RunAnswer{}, err
		}
		id = latest[0].ID
	}
	run, err := u.findRun(ctx, b, id)
	if err != nil {
		return RunAnswer{}, err
	}
	kept, err := consolidate.ReadReport(run)
	if err != nil {
		return RunAnswer{}, err
	}
	return runAnswer(ctx, b, run, consolidate.NewRunReport(run, kept), run.Actions)
}

// runAnswer returns a run with its first actions.
func runAnswer(ctx context.Context, b *services.Services, run brain.Run, report *consolidate.RunReport, actions int) (RunAnswer, error) {
	a := RunAnswer{Run: lineOf(run), Report: report, Actions: []ActionLine{}}
	for act, err := range b.Journal.Actions(ctx, run) {
		if err != nil {
			return RunAnswer{}, err
		}
		a.Report.Add(act)
		a.Actions = append(a.Actions, lineOfAction(act))
		if len(a.Actions) == actions {
			break
		}
	}
	return a, nil
}

func (u *UseCases) findRun(ctx context.Context, b *services.Services, id string) (brain.Run, error) {
	run, err := b.Journal.Run(ctx, id)
	if errors.Is(err, brain.ErrNotFound) {
		err = brain.Errorf(brain.ErrNotFound, "`brainbridge runs` lists them; those older than journal.keep are in the journals in "+u.app.Settings.Paths.Archive,
			"there is no run %s", id)
	}
	return run, err
}

// plannedActions is the number of actions that the plan of an undo has.
const plannedActions = 10

// PlanUndo returns the run that an undo would undo, by default the last that somebody asked for and that
// changed something, with its first actions.
func (u *UseCases) PlanUndo(ctx context.Context, id string) (RunAnswer, error) {
	b := u.services(ctx)
	find := b.Journal.LastRun
	if id != "" {
		find = func(ctx context.Context) (brain.Run, error) { return u.findRun(ctx, b, id) }
	}
	run, err := find(ctx)
	if err != nil {
		return RunAnswer{}, err
	}
	a, err := runAnswer(ctx, b, run, consolidate.NewRunReport(run, nil), plannedActions)
	if err == nil && id == "" {
		after := brain.Later(run.Started, run.Finished).Add(time.Millisecond)
		a.Since, err = b.Recall.List(ctx, ListRequest{Since: after, Sort: lifecycle.ByCreated, Limit: 1})
	}
	return a, err
}

// UndoAnswer says what an undo took back.
type UndoAnswer = journal.Undone

// UndoAction undoes one action of a run. The lock of maintenance keeps runs out meanwhile.
func (u *UseCases) UndoAction(ctx context.Context, run, id string) (UndoAnswer, error) {
	b := u.services(ctx)
	done, err := u.Runner(b, ConsolidateRequest{}).UndoAction(ctx, run, id)
	if err == nil {
		u.writeCore(ctx, b)
		u.embedChanged(ctx, b)
	}
	done.Skipped = append([]journal.Skipped{}, done.Skipped...)
	return done, err
}

// Undo undoes a run. The lock of maintenance keeps other runs out meanwhile.
func (u *UseCases) Undo(ctx context.Context, id string) (UndoAnswer, error) {
	b := u.services(ctx)
	var done journal.Undone
	var err error
	if u.caller.DryRun {
		done, err = b.Journal.Undo(ctx, id, nil, nil)
	} else if done, err = u.Runner(b, ConsolidateRequest{}).Undo(ctx, id); err == nil {
		u.writeCore(ctx, b)
		u.embedChanged(ctx, b)
	}
	if err != nil && done.Undone > 0 && !u.caller.DryRun {
		u.caller.Notices.Info(fmt.Sprintf("%s undone before that; to continue: brainbridge undo %s", english.Plural(done.Undone, "action", ""), brain.ShortID(done.RunID)))
	}
	done.Skipped = append([]journal.Skipped{}, done.Skipped...)
	return done, err
}
