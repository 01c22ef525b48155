package consolidate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// settle promotes and then expires the memories that are due, one batch per transaction. It
// orders them by falling energy, then by id.
func (r *Runner) settle(ctx context.Context, op *operation) error {
	due, err := lifecycle.Read(ctx, r.base, func(rd brain.Reader) ([]lifecycle.Due, error) { return lifecycle.ReadDue(rd, op.now) })
	if err != nil {
		return fmt.Errorf("find what is due: %w", err)
	}
	slices.SortFunc(due, func(a, b lifecycle.Due) int { return cmp.Or(cmp.Compare(b.Energy, a.Energy), cmp.Compare(a.ID, b.ID)) })
	var toPromote, toExpire []string
	for _, d := range due {
		if !d.PromoteDue.IsZero() {
			toPromote = append(toPromote, d.ID)
		} else if op.req.Kind != brain.RunPromote {
			toExpire = append(toExpire, d.ID)
		}
	}
	policy, done, total := op.policy, 0, len(toPromote)+len(toExpire)
	for _, batches := range []iter.Seq[[]string]{slices.Chunk(toPromote, policy.PromotionBatch), slices.Chunk(toExpire, policy.DecayBatch)} {
		for batch := range batches {
			if err := r.settleBatch(ctx, op, batch); err != nil {
				return err
			}
			done += len(batch)
			r.o.Progress("settle", done, total)
		}
	}
	return nil
}

// settleBatch settles memories in one transaction. A dry run only plans it.
func (r *Runner) settleBatch(ctx context.Context, op *operation, ids []string) error {
	if op.req.DryRun {
		actions, err := r.base.PlanSettle(ctx, ids, op.now)
		op.report.add(actions...)
		return err
	}
	actions, run, err := r.base.Settle(ctx, op.run, ids, op.now)
	if err != nil {
		return err
	}
	op.run = run
	op.report.add(actions...)
	settled := map[string]bool{}
	for _, a := range actions {
		settled[a.IDs[0]] = true
	}
	op.report.Skipped += max(0, len(ids)-len(settled))
	return nil
}

// decay stores the current energy of live memories, and the run if there were any.
func (r *Runner) decay(ctx context.Context, op *operation) error {
	if err := r.storeEnergies(ctx, op); err != nil || op.req.DryRun || op.report.Decayed == 0 {
		return err
	}
	op.run.Decayed, op.run.Finished = op.report.Decayed, r.base.Now()
	return r.base.PutRun(ctx, op.run)
}

// storeEnergies stores the current energy of live memories, one batch per transaction. There is
// nothing to undo, because the energy at any later instant is the same.
func (r *Runner) storeEnergies(ctx context.Context, op *operation) error {
	decay := func(p *tiers.Policy, s tiers.State) tiers.State { return p.Decay(p.FromFuture(s, op.now), op.now) }
	count := func(changed []brain.Memory) {
		op.report.Decayed += len(changed)
		for i := range changed {
			if s := changed[i].State; len(op.decayed) < maxLogged {
				op.decayed = append(op.decayed, logEntry{"decay", changed[i].ID, fmt.Sprintf("energy %.2f in %s", s.Energy, s.Tier)})
			}
			if op.policy.Expired(changed[i].State, op.now) {
				op.report.Expired++
			}
		}
	}
	if op.req.DryRun {
		for page, err := range r.base.Pages(ctx, lifecycle.Fading()) {
			if err != nil {
				return err
			}
			count(lifecycle.ChangedLives(op.policy, page, decay))
		}
		return nil
	}
	err := r.base.ChangeLives(ctx, lifecycle.Fading(), decay, func(changed []brain.Memory, done, total int) {
		count(changed)
		r.o.Progress("decay", done, total)
	})
	return brain.Wrap(err, "decay")
}

// sweepTouches deletes the records of touches that are too old to be shown.
func (r *Runner) sweepTouches(ctx context.Context) error {
	const batchSize = 1000
	before := r.base.Now().Add(-lifecycle.TouchesKept)
	for {
		old, err := lifecycle.Read(ctx, r.base, func(rd brain.Reader) ([]brain.Record, error) {
			return rd.ListRecords(brain.TouchRecord, brain.RecordFilter{Before: before, Limit: batchSize})
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
