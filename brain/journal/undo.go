package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	undoSize    = 200 // actions that one transaction undoes
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
			return brain.Run{}, brain.Errorf(brain.ErrNotFound, "`brainbridge forget ID` takes a capture back; `brainbridge list --sources` shows the latest first",
				"there is no run that could be undone")
		}
		before = runs[len(runs)-1].Order
	}
}

// Undo undoes the actions of a run, newest first, including what they did outside the
// store. An action whose subject has changed since is skipped and reported. Energy and
// counters that were gained since are kept. The caller must hold the lock of maintenance.
//
// A batch of actions is one transaction. If Undo ends early, another call continues.
// progress receives the number of actions that were looked at; it may be nil.
func (s *Service) Undo(ctx context.Context, runID string, outside Outside, progress func(done, total int)) (Undone, error) {
	run, err := s.Run(ctx, runID)
	if err != nil {
		return Undone{}, err
	}
	out := Undone{RunID: run.ID}
	now := s.base.Now()
	for last := run.Actions; last > 0; last -= undoSize {
		first := max(1, last-undoSize+1)
		left, err := s.left(ctx, lifecycle.ActionIDs(run.ID, first, last))
		var skipped []Skipped
		if err == nil {
			skipped, err = s.undoBatch(ctx, left, outside, now)
		}
		if err != nil {
			return out, fmt.Errorf("undo %s: %w", run.ID, err)
		}
		out.Undone += len(left) - len(skipped)
		out.Skipped = append(out.Skipped, skipped...)
		if progress != nil {
			progress(run.Actions-first+1, run.Actions)
		}
	}
	if run.Actions == 0 || out.Undone+len(out.Skipped) == 0 && !run.Undone.IsZero() {
		return Undone{}, nothingLeft(run)
	}
	return out, s.markUndone(ctx, run.ID, now)
}

// UndoAction undoes one action of a run, under the conditions of [Service.Undo]. A run whose
// last action was undone counts as undone.
func (s *Service) UndoAction(ctx context.Context, runID, id string, outside Outside) (Undone, error) {
	run, err := s.Run(ctx, runID)
	if err != nil {
		return Undone{}, err
	}
	all := lifecycle.ActionIDs(run.ID, 1, run.Actions)
	if !slices.Contains(all, id) {
		return Undone{}, brain.Errorf(brain.ErrNotFound, "`brainbridge --json runs show "+brain.ShortID(run.ID)+"` has their ids", "run %s has no action %s", run.ID, id)
	}
	one, err := s.left(ctx, []string{id})
	if err != nil || len(one) == 0 {
		return Undone{}, cmp.Or(err, brain.Errorf(brain.ErrInvalid, "`brainbridge runs show` lists the others", "action %s was undone before", id))
	}
	now := s.base.Now()
	skipped, err := s.undoBatch(ctx, one, outside, now)
	out := Undone{RunID: run.ID, Undone: 1 - len(skipped), Skipped: skipped}
	for ids := range slices.Chunk(all, undoSize) {
		left, failed := s.left(ctx, ids)
		if err = cmp.Or(err, failed); err != nil || len(left) > 0 {
			return out, err
		}
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

// left returns those actions that are not undone yet, newest first.
func (s *Service) left(ctx context.Context, ids []string) ([]brain.Action, error) {
	actions, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Action, error) {
		return brain.Bodies[brain.Action](r.Records(brain.ActionRecord, ids...))
	})
	slices.Reverse(actions)
	return slices.DeleteFunc(actions, func(a brain.Action) bool { return !a.Undone.IsZero() }), err
}

// undoBatch undoes actions, first what they did outside the store and then, in one transaction,
// the rest of those that were not refused there.
func (s *Service) undoBatch(ctx context.Context, left []brain.Action, outside Outside, now time.Time) (skipped []Skipped, err error) {
	refused := map[string]string{} // reasons by id
	for _, a := range left {
		if undo, ok := outside[a.Kind]; ok && err == nil {
			refused[a.ID], err = undo(ctx, a)
		}
	}
	if err != nil || len(left) == 0 {
		return nil, err
	}
	return s.undoStored(ctx, left, refused, now)
}

// undoStored undoes in one transaction what actions did in the store. If the store refuses an
// identity that is taken, the transaction is lost: then each action gets one of its own.
func (s *Service) undoStored(ctx context.Context, left []brain.Action, refused map[string]string, now time.Time) (skipped []Skipped, err error) {
	ids := brain.Map(left, func(a brain.Action) string { return a.ID })
	err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
		skipped = nil
		actions, err := brain.Bodies[brain.Action](tx.Records(brain.ActionRecord, ids...))
		if err != nil {
			return err
		}
		policy, since, err := brain.ReadPolicySince(tx)
		for _, a := range actions {
			reason := refused[a.ID]
			if err == nil && reason == "" && a.Undone.IsZero() { // otherwise an earlier try of this transaction undid it
				reason, err = undoAction(tx, a, undoFacts{policy: policy, since: since, now: now})
			}
			if reason != "" {
				skipped = append(skipped, Skipped{a.IDs[0], reason})
			}
		}
		return err
	})
	switch {
	case !errors.Is(err, brain.ErrConflict):
		return skipped, err
	case len(left) == 1:
		return []Skipped{{left[0].IDs[0], nameTaken}}, nil
	}
	skipped = nil
	for _, a := range left {
		one, err := s.undoStored(ctx, []brain.Action{a}, refused, now)
		if err != nil {
			return nil, err
		}
		skipped = append(skipped, one...)
	}
	return skipped, nil
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
