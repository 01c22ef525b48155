package consolidate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// settle promotes and then expires what is due, one batch per transaction. Memories with
// more energy come first; ties are ordered by id.
func (r *Runner) settle(ctx context.Context, op *operation) error {
	due, err := lifecycle.Read(ctx, r.base, func(rd brain.Reader) ([]brain.Due, error) { return rd.Due(op.now) })
	if err != nil {
		return fmt.Errorf("find what is due: %w", err)
	}
	slices.SortFunc(due, func(a, b brain.Due) int { return cmp.Or(cmp.Compare(b.Energy, a.Energy), cmp.Compare(a.ID, b.ID)) })
	var promoted, expired []string
	for _, d := range due {
		if d.PromoteDue.IsZero() {
			expired = append(expired, d.ID)
		} else {
			promoted = append(promoted, d.ID)
		}
	}
	if op.req.Kind == brain.RunPromote {
		expired = nil
	}
	policy, done, total := op.tl.Current(), 0, len(promoted)+len(expired)
	for _, batches := range []iter.Seq[[]string]{slices.Chunk(promoted, policy.PromotionBatch), slices.Chunk(expired, policy.DecayBatch)} {
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

// settleBatch settles memories in one transaction; in a dry run it only plans.
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
		settled[a.Root] = true
	}
	op.report.Skipped += max(0, len(ids)-len(settled))
	return nil
}
