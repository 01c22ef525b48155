package brain

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
)

// Runs returns the newest runs, newest first.
func (b *Brain) Runs(ctx context.Context, limit int) ([]Run, error) {
	return b.runsBefore(ctx, time.Time{}, limit)
}

// runsBefore are runs before an instant (zero: no bound), newest first.
func (b *Brain) runsBefore(ctx context.Context, before time.Time, limit int) ([]Run, error) {
	var runs []Run
	err := b.store.View(ctx, func(r Reader) error {
		recs, err := r.LatestRecords(RunRecord, before, limit)
		if err != nil {
			return err
		}
		runs, err = bodies[Run](recs)
		return err
	})
	return runs, err
}

// Run returns one run by its id or a unique prefix of it.
func (b *Brain) Run(ctx context.Context, id string) (Run, error) {
	var run Run
	err := b.store.View(ctx, func(r Reader) error {
		full, err := complete(r, id)
		if err != nil {
			return err
		}
		recs, err := r.Records(RunRecord, full)
		if err != nil {
			return err
		}
		if len(recs) == 0 {
			return Errorf(ErrNotFound, "`brainbridge runs` lists them", "there is no run %s", id)
		}
		run, err = body[Run](recs[0])
		return err
	})
	return run, err
}

// actionPage is how many actions of a run are held at a time: with their
// states before and after they are some 3 kB each.
const actionPage = 200

// Actions reads the actions of a run in order, some at a time, however many
// there are. An error ends the sequence.
func (b *Brain) Actions(ctx context.Context, run Run) iter.Seq2[Action, error] {
	return func(yield func(Action, error) bool) {
		for from := 1; from <= run.Actions; from += actionPage {
			recs, err := b.actionRecords(ctx, run, from)
			var page []Action
			if err == nil {
				page, err = bodies[Action](recs)
			}
			if err != nil {
				yield(Action{}, fmt.Errorf("read the actions of run %s: %w", run.ID, err))
				return
			}
			for _, a := range page {
				if !yield(a, nil) {
					return
				}
			}
		}
	}
}

// actionRecords are a page of a run's actions, from the one with that number on.
func (b *Brain) actionRecords(ctx context.Context, run Run, from int) ([]Record, error) {
	var recs []Record
	err := b.store.View(ctx, func(r Reader) error {
		var err error
		recs, err = r.Records(ActionRecord, actionIDs(run.ID, from, min(from+actionPage-1, run.Actions))...)
		return err
	})
	return recs, err
}

// actionIDs are the ids of the actions of a run from one number to another.
func actionIDs(run string, from, to int) []string {
	ids := make([]string, 0, max(0, to-from+1))
	for n := from; n <= to; n++ {
		ids = append(ids, actionID(run, n))
	}
	return ids
}

// number is the place of an action in its run, from 1 on.
func (a Action) number() int {
	n, err := strconv.Atoi(strings.TrimPrefix(a.ID, a.RunID+"-"))
	if err != nil {
		return 0 // no run of ours numbered it
	}
	return n
}
