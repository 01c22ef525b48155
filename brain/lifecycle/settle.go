package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Settle promotes and expires these memories as of now, in one transaction, as
// the next actions of a run, and returns the actions and the run after them. A
// memory that is not due any more is left out.
func (b Base) Settle(ctx context.Context, run brain.Run, ids []string, now time.Time) ([]brain.Action, brain.Run, error) {
	actions, next, err := b.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		tl, err := Timeline(tx)
		if err != nil {
			return nil, err
		}
		ms, err := tx.Memories(ids...)
		if err != nil {
			return nil, err
		}
		s := Settle(tl, ms, now)
		return s.Write(tx)
	})
	return actions, next, brain.Wrap(err, "settle")
}

// PlanSettle returns the actions that Settle would take; it writes nothing. The ids of memories
// that would be made are left out.
func (b Base) PlanSettle(ctx context.Context, ids []string, now time.Time) ([]brain.Action, error) {
	actions, err := Read(ctx, b, func(r brain.Reader) ([]brain.Action, error) {
		tl, err := Timeline(r)
		if err != nil {
			return nil, err
		}
		ms, err := r.Memories(ids...)
		return Settle(tl, ms, now).actions, err
	})
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	for i := range actions {
		a := &actions[i]
		a.IDs = slices.DeleteFunc(a.IDs, func(id string) bool { return !slices.Contains(ids, id) })
		for j := range a.Changes {
			if after := a.Changes[j].After; !slices.Contains(ids, after.ID) {
				after.ID = ""
			}
		}
		if len(a.IDs) == 0 { // a second step of a memory that does not exist yet
			a.IDs = []string{a.Root}
		}
	}
	return actions, nil
}

// Idle reports whether there is nothing to settle at an instant and no change of
// the lifecycle numbers to finish. It is one read.
func (b Base) Idle(ctx context.Context, now time.Time) (bool, error) {
	return Read(ctx, b, func(r brain.Reader) (bool, error) {
		state := recomputeState{Done: true}
		if err := ReadCheckpoint(r, recomputeJob, &state); err != nil {
			return false, err
		}
		due, err := r.Due(now)
		return state.Done && len(due) == 0, err
	})
}
