package consolidate

import (
	"context"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// decay writes the current energy into live memories, one batch per transaction.
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
	decay := func(s tiers.State) tiers.State { return op.tl.Decay(s, op.now) }
	count := func(changed []brain.Memory) {
		op.report.Decayed += len(changed)
		for i := range changed {
			if op.tl.Expired(changed[i].State, op.now) {
				op.report.Expired++
			}
		}
	}
	if op.req.DryRun {
		for page, err := range r.base.Pages(ctx, f) {
			if err != nil {
				return err
			}
			count(lifecycle.ChangedLives(page, decay))
		}
		return nil
	}
	err := r.base.ChangeLives(ctx, f, op.tl.Current().DecayBatch, decay, func(changed []brain.Memory, done, total int) {
		count(changed)
		op.run.Decayed += len(changed)
		r.o.Progress("decay", done, total)
	})
	return brain.Wrap(err, "decay")
}

// sweepTouches deletes the records of touches that are too old to suppress a repeated
// touch. The counters of the memories stay.
func (r *Runner) sweepTouches(ctx context.Context) error {
	const batchSize = 1000
	before := r.base.Now().Add(-lifecycle.TouchInterval)
	for {
		old, err := lifecycle.Read(ctx, r.base, func(rd brain.Reader) ([]brain.Record, error) {
			return rd.LatestRecords(brain.TouchRecord, before, batchSize)
		})
		if err != nil || len(old) == 0 {
			return err
		}
		ids := brain.Map(old, func(rec brain.Record) string { return rec.ID })
		err = r.base.Store.Update(ctx, func(tx brain.Tx) error { return tx.DeleteRecords(brain.TouchRecord, ids...) })
		if err != nil {
			return fmt.Errorf("sweep old touches: %w", err)
		}
	}
}
