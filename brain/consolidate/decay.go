package consolidate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// decay writes the energy of now into live memories, a batch in a transaction.
func (r *Runner) decay(ctx context.Context, op *operation) error {
	for _, tier := range []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.LongTerm} {
		if err := r.decayTier(ctx, op, tier); err != nil {
			return err
		}
	}
	if op.run.Decayed == 0 {
		return nil
	}
	op.run.Finished = r.base.Now()
	return r.base.PutRun(ctx, op.run)
}

func (r *Runner) decayTier(ctx context.Context, op *operation, tier tiers.Tier) error {
	f := brain.ListFilter{Tier: tier}
	if op.req.DryRun {
		return r.base.EachPage(ctx, f, func(page []brain.Memory) {
			changed, expired := decayed(op.tl, page, op.now)
			op.report.Decayed += len(changed)
			op.report.Expired += expired
		})
	}
	ids, err := r.base.ListIDs(ctx, f)
	if err != nil {
		return fmt.Errorf("find what decays: %w", err)
	}
	done := 0
	for batch := range slices.Chunk(ids, op.tl.Current().DecayBatch) {
		var changed []brain.Memory
		expired := 0
		err := r.base.Store.Update(ctx, func(tx brain.Tx) error {
			ms, err := tx.Memories(batch...)
			if err != nil {
				return err
			}
			changed, expired = decayed(op.tl, ms, op.now)
			return tx.PutLives(changed...)
		})
		if err != nil {
			return fmt.Errorf("decay: %w", err)
		}
		op.report.Decayed += len(changed)
		op.report.Expired += expired
		op.run.Decayed += len(changed)
		done += len(batch)
		r.o.Progress("decay", done, len(ids))
	}
	return nil
}

// decayed returns the memories whose stored energy changes if their decay until
// now is written into it, with that energy, and how many of them are expired.
func decayed(tl tiers.Timeline, ms []brain.Memory, now time.Time) (changed []brain.Memory, expired int) {
	for _, m := range ms {
		state := tl.Decay(m.State, now)
		if state == m.State {
			continue
		}
		m.State = state
		changed = append(changed, m)
		if tl.Expired(state, now) {
			expired++
		}
	}
	return changed, expired
}

// sweepBatch is how many old touches one transaction removes.
const sweepBatch = 1000

// sweepTouches removes the touches that no longer keep anything from counting:
// recalls leave a counter behind, not a record for ever.
func (r *Runner) sweepTouches(ctx context.Context) error {
	before := r.base.Now().Add(-lifecycle.TouchInterval)
	for {
		var ids []string
		err := r.base.Store.View(ctx, func(rd brain.Reader) error {
			old, err := rd.LatestRecords(brain.TouchRecord, before, sweepBatch)
			ids = ids[:0]
			for i := range old {
				ids = append(ids, old[i].ID)
			}
			return err
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		err = r.base.Store.Update(ctx, func(tx brain.Tx) error { return tx.DeleteRecords(brain.TouchRecord, ids...) })
		if err != nil {
			return fmt.Errorf("sweep old touches: %w", err)
		}
	}
}
