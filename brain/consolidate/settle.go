package consolidate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// settle promotes and expires what is due, a batch in a transaction.
func (r *Runner) settle(ctx context.Context, op *operation) error {
	due, err := r.due(ctx, op)
	if err != nil {
		return err
	}
	policy := op.tl.Current()
	for done := 0; done < len(due); {
		size := policy.DecayBatch
		if promotes(due[done]) {
			size = policy.PromotionBatch
		}
		batch := firstBatch(due[done:], size)
		if err := r.settleBatch(ctx, op, batch); err != nil {
			return err
		}
		done += len(batch)
		r.o.Progress("settle", done, len(due))
	}
	return nil
}

// due returns what is due: promotions first, each the strongest first, then by id.
func (r *Runner) due(ctx context.Context, op *operation) ([]brain.Due, error) {
	due, err := lifecycle.Read(ctx, r.base, func(rd brain.Reader) ([]brain.Due, error) { return rd.Due(op.now) })
	if err != nil {
		return nil, fmt.Errorf("find what is due: %w", err)
	}
	if op.req.Kind == brain.RunPromote {
		due = slices.DeleteFunc(due, func(d brain.Due) bool { return !promotes(d) })
	}
	rank := func(d brain.Due) int {
		if promotes(d) {
			return 0
		}
		return 1
	}
	slices.SortFunc(due, func(a, z brain.Due) int {
		return cmp.Or(cmp.Compare(rank(a), rank(z)), cmp.Compare(z.Energy, a.Energy), cmp.Compare(a.ID, z.ID))
	})
	return due, nil
}

func promotes(d brain.Due) bool { return !d.PromoteDue.IsZero() }

// firstBatch returns the ids of the first ones: at most size, all of one kind.
func firstBatch(due []brain.Due, size int) []string {
	var ids []string
	for _, d := range due[:min(size, len(due))] {
		if promotes(d) != promotes(due[0]) {
			break
		}
		ids = append(ids, d.ID)
	}
	return ids
}

// settleBatch settles memories in one transaction, or plans that.
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
