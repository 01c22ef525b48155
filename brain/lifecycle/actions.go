package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// ActionID numbers the actions of a run, from 1 on.
func ActionID(run string, n int) string { return fmt.Sprintf("%s-%06d", run, n) }

// ActionIDs are the ids of the actions of a run from one number to another.
func ActionIDs(run string, from, to int) []string {
	ids := make([]string, 0, max(0, to-from+1))
	for n := from; n <= to; n++ {
		ids = append(ids, ActionID(run, n))
	}
	return ids
}

// ActionPage is the number of actions of a run that are held at a time: with their
// states before and after they are some 3 kB each.
const ActionPage = 200

// NumberActions sets the run and the id of actions, numbered from n.
func NumberActions(actions []brain.Action, run string, n int) []brain.Action {
	for i := range actions {
		actions[i].RunID, actions[i].ID = run, ActionID(run, n+i)
	}
	return actions
}

// Act runs write in one transaction and stores the actions that it returns as
// the next ones of the run; it returns them, numbered, and the run after them.
// Nothing is stored of a run that has no action yet and gets none, but for what
// write itself stored.
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

// earlierTry returns what an earlier try of the same transaction stored. It
// looks for the first action alone to begin with: as a rule there is none.
func earlierTry(tx brain.Tx, run brain.Run) ([]brain.Action, error) {
	var all []brain.Action
	for from, size := run.Actions+1, 1; ; from, size = from+size, ActionPage {
		page, err := brain.Bodies[brain.Action](tx.Records(brain.ActionRecord, ActionIDs(run.ID, from, from+size-1)...))
		if all = append(all, page...); err != nil || len(page) < size {
			return all, err
		}
	}
}

// PutRun stores a run without actions of its own, such as its beginning.
func (b Base) PutRun(ctx context.Context, run brain.Run) error {
	return b.Store.Update(ctx, func(tx brain.Tx) error { return WriteJournal(tx, &run, nil) })
}

// WriteJournal stores actions, and the run as it is after them, which gets its
// place in the order of runs when it is stored for the first time.
func WriteJournal(tx brain.Tx, run *brain.Run, actions []brain.Action) error {
	if err := orderRun(tx, run); err != nil {
		return err
	}
	recs := make([]brain.Record, 0, len(actions)+1)
	for _, a := range actions {
		rec, err := a.Record()
		if err != nil {
			return err
		}
		recs = append(recs, rec)
	}
	rec, err := run.Record()
	if err != nil {
		return err
	}
	return tx.PutRecords(append(recs, rec)...)
}

func orderRun(tx brain.RecordReader, r *brain.Run) error {
	if !r.Order.IsZero() {
		return nil
	}
	last, err := tx.LatestRecords(brain.RunRecord, time.Time{}, 1)
	if err != nil {
		return err
	}
	r.Order = r.Started
	if len(last) > 0 && !last[0].At.Before(r.Order) {
		r.Order = last[0].At.Add(time.Millisecond)
	}
	return nil
}
