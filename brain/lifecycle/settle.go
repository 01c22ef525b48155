package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Settle promotes and expires memories that are due, in one transaction, as the next
// actions of a run, and returns the actions and the run after them.
func (b Base) Settle(ctx context.Context, run brain.Run, ids []string, now time.Time) ([]brain.Action, brain.Run, error) {
	actions, next, err := b.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		s, err := readSettlement(tx, ids, now)
		if err != nil {
			return nil, err
		}
		return s.Write(tx)
	})
	return actions, next, brain.Wrap(err, "settle")
}

// readSettlement settles the memories with these ids.
func readSettlement(r brain.Reader, ids []string, now time.Time) (Settlement, error) {
	tl, err := Timeline(r)
	ms := Get(&err, r.Memories, ids...)
	return Settle(tl, ms, now), err
}

// PlanSettle returns the actions of Settle, without the ids of memories that it would
// create.
func (b Base) PlanSettle(ctx context.Context, ids []string, now time.Time) ([]brain.Action, error) {
	s, err := Read(ctx, b, func(r brain.Reader) (Settlement, error) { return readSettlement(r, ids, now) })
	for i := range s.actions {
		a := &s.actions[i]
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
	return s.actions, brain.Wrap(err, "plan")
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
