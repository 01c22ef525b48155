package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// ActionID returns the id of the nth action of a run; the first is 1.
func ActionID(run string, n int) string { return fmt.Sprintf("%s-%06d", run, n) }

// ActionIDs returns the ids of a range of actions of a run.
func ActionIDs(run string, from, to int) []string {
	ids := make([]string, 0, to-from+1)
	for n := from; n <= to; n++ {
		ids = append(ids, ActionID(run, n))
	}
	return ids
}

// NumberActions sets the run and the id of actions, numbered from n.
func NumberActions(actions []brain.Action, run string, n int) []brain.Action {
	for i := range actions {
		actions[i].RunID, actions[i].ID = run, ActionID(run, n+i)
	}
	return actions
}

// Act runs write in one transaction and stores the actions that it returns as the next
// actions of the run. It returns them with their numbers, and the run after them. A run
// without any action is not stored, apart from what write itself stored.
func (b Base) Act(ctx context.Context, run brain.Run, now time.Time, write func(brain.Tx) ([]brain.Action, error)) ([]brain.Action, brain.Run, error) {
	var actions []brain.Action
	next := run
	err := b.Store.Update(ctx, func(tx brain.Tx) error {
		actions, next = nil, run
		done, err := earlierTry(tx, run)
		if err != nil || len(done) > 0 {
			actions, next.Actions, next.Finished = done, run.Actions+len(done), now
			return err
		}
		if actions, err = write(tx); err != nil || len(actions) == 0 {
			return err
		}
		actions = NumberActions(actions, run.ID, run.Actions+1)
		next.Actions, next.Finished = run.Actions+len(actions), now
		return WriteJournal(tx, &next, actions)
	})
	if err != nil {
		return nil, run, err
	}
	return actions, next, nil
}

// earlierTry returns the actions that an earlier try of the same transaction stored.
func earlierTry(tx brain.Tx, run brain.Run) ([]brain.Action, error) {
	stored, err := brain.First(brain.Bodies[brain.Run](tx.Records(brain.RunRecord, run.ID)))
	if err != nil || stored.Actions <= run.Actions {
		return nil, err
	}
	return brain.Bodies[brain.Action](tx.Records(brain.ActionRecord, ActionIDs(run.ID, run.Actions+1, stored.Actions)...))
}

// PutRun stores a run without storing actions.
func (b Base) PutRun(ctx context.Context, run brain.Run) error {
	return b.Store.Update(ctx, func(tx brain.Tx) error { return WriteJournal(tx, &run, nil) })
}

// WriteJournal stores actions and the run after them. When a run is stored for the first
// time, it gets its place in the order of runs.
func WriteJournal(tx brain.Tx, run *brain.Run, actions []brain.Action) error {
	if run.Order.IsZero() {
		last, err := brain.First(tx.ListRecords(brain.RunRecord, brain.RecordFilter{Limit: 1}))
		if err != nil {
			return err
		}
		run.Order = run.Started
		if !last.At.Before(run.Order) {
			run.Order = last.At.Add(time.Millisecond)
		}
	}
	rec, err := run.Record()
	recs := []brain.Record{rec}
	for _, a := range actions {
		rec, failed := a.Record()
		recs, err = append(recs, rec), cmp.Or(err, failed)
	}
	Put(&err, tx.PutRecords, recs...)
	return err
}
