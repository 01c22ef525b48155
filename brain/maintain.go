package brain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// Settle promotes and expires these memories as of now, in one transaction, as
// the next actions of a run, and returns the actions and the run after them. A
// memory that is not due any more is left out.
func (b *Brain) Settle(ctx context.Context, run Run, ids []string, now time.Time) ([]Action, Run, error) {
	actions, next, err := b.Act(ctx, run, now, func(tx Tx) ([]Action, error) {
		tl, err := timeline(tx)
		if err != nil {
			return nil, err
		}
		ms, err := tx.Memories(ids...)
		if err != nil {
			return nil, err
		}
		s := settle(tl, ms, now)
		return s.write(tx)
	})
	if err != nil {
		return nil, run, fmt.Errorf("settle: %w", err)
	}
	return actions, next, nil
}

// Act runs write in one transaction and stores the actions that it returns as
// the next ones of the run; it returns them, numbered, and the run after them.
// Nothing is stored of a run that has no action yet and gets none, but for what
// write itself stored.
func (b *Brain) Act(ctx context.Context, run Run, now time.Time, write func(Tx) ([]Action, error)) ([]Action, Run, error) {
	var actions []Action
	next := run
	err := b.store.Update(ctx, func(tx Tx) error {
		actions, next = nil, run
		done, err := settledBefore(tx, run)
		if err != nil || len(done) > 0 {
			actions, next.Actions, next.Finished = done, run.Actions+len(done), now
			return err
		}
		if actions, err = write(tx); err != nil || len(actions) == 0 {
			return err
		}
		actions = number(actions, run.ID, run.Actions+1)
		next.Actions, next.Finished = run.Actions+len(actions), now
		return writeJournal(tx, &next, actions)
	})
	if err != nil {
		return nil, run, err
	}
	return actions, next, nil
}

// settledBefore returns what an earlier try of the same transaction stored. It
// looks for the first action alone to begin with: as a rule there is none.
func settledBefore(tx Tx, run Run) ([]Action, error) {
	var all []Action
	for from, size := run.Actions+1, 1; ; from, size = from+size, actionPage {
		recs, err := tx.Records(ActionRecord, actionIDs(run.ID, from, from+size-1)...)
		if err != nil {
			return nil, err
		}
		page, err := bodies[Action](recs)
		if all = append(all, page...); err != nil || len(page) < size {
			return all, err
		}
	}
}

// PlanSettle is what Settle would do; it writes nothing. The ids of memories
// that would be made are left out.
func (b *Brain) PlanSettle(ctx context.Context, ids []string, now time.Time) ([]Action, error) {
	var actions []Action
	err := b.store.View(ctx, func(r Reader) error {
		tl, err := timeline(r)
		if err != nil {
			return err
		}
		ms, err := r.Memories(ids...)
		s := settle(tl, ms, now)
		actions = s.actions
		return err
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

// DecayLive takes the pending decay of a list of live memories into their
// stored energy, and counts those it wrote and those of them that are past
// their expiry.
func (b *Brain) DecayLive(ctx context.Context, f ListFilter, tl tiers.Timeline, now time.Time,
	progress func(done, total int),
) (decayed, expired int, err error) {
	ids, err := b.listIDs(ctx, f)
	if err != nil {
		return 0, 0, fmt.Errorf("find what decays: %w", err)
	}
	done := 0
	for batch := range slices.Chunk(ids, tl.Current().DecayBatch) {
		wrote, faded := 0, 0
		err := b.changeLives(ctx, batch, func(m Memory) (Memory, bool) {
			state := tl.Decay(m.State, now)
			changed := state != m.State
			if changed {
				wrote++
			}
			if changed && tl.Expired(state, now) {
				faded++
			}
			m.State = state
			return m, changed
		}, func() { wrote, faded = 0, 0 })
		if err != nil {
			return decayed, expired, fmt.Errorf("decay: %w", err)
		}
		decayed, expired, done = decayed+wrote, expired+faded, done+len(batch)
		progress(done, len(ids))
	}
	return decayed, expired, nil
}

// changeLives hands memories to fn in one transaction and stores the lives
// that it changes. begin is called at the start of each try.
func (b *Brain) changeLives(ctx context.Context, ids []string, fn func(Memory) (Memory, bool), begin func()) error {
	return b.store.Update(ctx, func(tx Tx) error {
		begin()
		ms, err := tx.Memories(ids...)
		if err != nil {
			return err
		}
		var changed []Memory
		for _, m := range ms {
			if m, ok := fn(m); ok {
				changed = append(changed, m)
			}
		}
		return tx.PutLives(changed...)
	})
}

// Idle reports whether there is nothing to settle at an instant and no change of
// the lifecycle numbers to finish. It is one read.
func (b *Brain) Idle(ctx context.Context, now time.Time) (bool, error) {
	idle := false
	err := b.store.View(ctx, func(r Reader) error {
		state := recomputeState{Done: true}
		if err := readCheckpoint(r, recomputeJob, &state); err != nil {
			return err
		}
		due, err := r.Due(now, false)
		idle = state.rests(now) && len(due) == 0
		return err
	})
	return idle, err
}
