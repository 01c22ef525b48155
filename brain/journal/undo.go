package journal

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Undone is the answer to an undo.
type Undone struct {
	RunID   string    `json:"runId"`
	Undone  int       `json:"undone"`
	Skipped []Skipped `json:"skipped"`
}

// Skipped is an action that was not undone.
type Skipped struct {
	ID     string `json:"id"` // main subject
	Reason string `json:"reason"`
}

// Outside undoes what actions of a kind did outside the store. If it does not undo an
// action, it returns the reason. It is called before the action is marked as undone, and
// may be called again after a crash.
type Outside map[brain.ActionKind]func(context.Context, brain.Action) (reason string, err error)

const (
	undoBatch   = 25  // actions that one transaction undoes
	lastRunPage = 200 // runs that are read at a time
)

// LastRun returns the run that an undo without an id undoes: the newest one that somebody
// asked for, that changed something and is not undone.
func (s *Service) LastRun(ctx context.Context) (brain.Run, error) {
	var before time.Time
	passed := false // runs that nobody asked for
	for {
		runs, err := s.RunsBefore(ctx, before, lastRunPage)
		if err != nil {
			return brain.Run{}, fmt.Errorf("find the last run: %w", err)
		}
		for _, run := range runs {
			if run.Actions == 0 || !run.Undone.IsZero() {
				continue
			}
			if !run.InBackground() {
				return run, nil
			}
			passed = true
		}
		if len(runs) < lastRunPage && passed {
			return brain.Run{}, brain.Errorf(brain.ErrNotFound, "`brainbridge runs` lists the others; `brainbridge undo RUN` takes one back",
				"there is no run that you asked for and that could be undone")
		}
		if len(runs) < lastRunPage {
			return brain.Run{}, brain.Errorf(brain.ErrNotFound, "`brainbridge forget ID` takes a capture back; `brainbridge list --sort created` shows the latest first",
				"there is no run that could be undone")
		}
		before = runs[len(runs)-1].Order
	}
}

// Undo undoes the actions of a run, newest first, including what they did outside the
// store. An action whose subject has changed since is skipped and reported. Energy and
// counters that were gained since are kept. The caller must hold the lock of maintenance.
func (s *Service) Undo(ctx context.Context, runID string, outside Outside) (Undone, error) {
	run, err := s.Run(ctx, runID)
	if err != nil {
		return Undone{}, err
	}
	left, err := s.left(ctx, run)
	if err != nil {
		return Undone{}, err
	}
	if len(left) == 0 {
		return Undone{}, nothingLeft(run)
	}
	out := Undone{RunID: run.ID}
	now := s.base.Now()
	for ids := range slices.Chunk(left, undoBatch) {
		refused, err := s.undoOutside(ctx, ids, outside)
		var skipped []Skipped
		if err == nil {
			skipped, err = s.undoInside(ctx, ids, refused, now)
		}
		if err != nil {
			return out, fmt.Errorf("undo %s: %w", run.ID, err)
		}
		out.Undone += len(ids) - len(skipped)
		out.Skipped = append(out.Skipped, skipped...)
	}
	return out, s.markUndone(ctx, run.ID, now)
}

func nothingLeft(run brain.Run) error {
	const hint = "`brainbridge runs` lists what can be undone"
	if run.Undone.IsZero() {
		return brain.Errorf(brain.ErrInvalid, hint, "run %s changed nothing that could be undone", run.ID)
	}
	return brain.Errorf(brain.ErrInvalid, hint, "run %s was undone at %s", run.ID, run.Undone.Format(time.RFC3339))
}

// left returns the ids of the actions of a run that are not undone yet, newest first.
func (s *Service) left(ctx context.Context, run brain.Run) (ids []string, err error) {
	for a, err := range s.Actions(ctx, run) {
		if err != nil {
			return nil, err
		}
		if a.Undone.IsZero() {
			ids = append(ids, a.ID)
		}
	}
	slices.Reverse(ids)
	return ids, nil
}

// numberOf returns the number of an action in its run, 0 if its id has none.
func numberOf(a brain.Action) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(a.ID, a.RunID+"-"))
	return n
}

// undoOutside undoes what actions did outside the store. It returns the reasons why it did
// not undo some of them, by id.
func (s *Service) undoOutside(ctx context.Context, ids []string, outside Outside) (refused map[string]string, err error) {
	if len(outside) == 0 {
		return nil, nil
	}
	actions, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Action, error) {
		return brain.Bodies[brain.Action](r.Records(brain.ActionRecord, ids...))
	})
	refused = map[string]string{}
	for _, a := range actions {
		if undo, ok := outside[a.Kind]; err == nil && ok && a.Undone.IsZero() {
			refused[a.ID], err = undo(ctx, a)
		}
	}
	return refused, err
}

// undoInside undoes actions in one transaction, except those that were refused outside.
func (s *Service) undoInside(ctx context.Context, ids []string, refused map[string]string, now time.Time) (skipped []Skipped, err error) {
	err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
		skipped = nil
		actions, err := brain.Bodies[brain.Action](tx.Records(brain.ActionRecord, ids...))
		if err != nil {
			return err
		}
		tl, err := lifecycle.Timeline(tx)
		for _, a := range actions {
			reason := refused[a.ID]
			if err == nil && reason == "" && a.Undone.IsZero() { // otherwise an earlier try of this transaction undid it
				reason, err = undoAction(tx, a, tl, now)
			}
			if reason != "" {
				skipped = append(skipped, Skipped{a.IDs[0], reason})
			}
		}
		return err
	})
	return skipped, err
}

// markUndone records that a run was undone, even if some actions were skipped, so that the
// next undo without an id undoes the run before it.
func (s *Service) markUndone(ctx context.Context, id string, now time.Time) error {
	return s.base.Store.Update(ctx, func(tx brain.Tx) error {
		run, err := brain.First(brain.Bodies[brain.Run](tx.Records(brain.RunRecord, id)))
		if err != nil || run.ID == "" {
			return err
		}
		run.Undone = now
		return lifecycle.WriteJournal(tx, &run, nil)
	})
}
