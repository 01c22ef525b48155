package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	currentPolicy = "current"   // id of the policy with no validTo: one a brain
	policyOwner   = "lifecycle" // owner of all of them
	recomputeJob  = "recompute"
)

// strays is how long after a change of the numbers a transaction may still
// write by the old ones: on a store without snapshots it can have read them just
// before. No transaction of a store takes half as long.
const strays = time.Minute

// recomputeState is how far the recomputing of expiresAt has come.
type recomputeState struct {
	Since time.Time `json:"since"` // when the numbers changed
	Done  bool      `json:"done"`
}

// Recompute finishes what a change of the lifecycle numbers left to do: expiresAt of
// every live memory, a batch a transaction. Within a minute after the change it is done
// again by each run, for what is written by the old numbers meanwhile. Without such a
// change it costs one read.
func (b Base) Recompute(ctx context.Context) error {
	now := b.Now()
	state := recomputeState{Done: true}
	if err := b.Checkpoint(ctx, recomputeJob, &state); err != nil || state.Done {
		return err
	}
	tl, err := b.Timeline(ctx)
	if err != nil {
		return err
	}
	recompute := func(s tiers.State) tiers.State { return tl.Recompute(s, state.Since) }
	for _, tier := range []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.LongTerm} { // what can fade
		for _, f := range WithDue(brain.ListFilter{Tier: tier}) {
			if err := b.ChangeLives(ctx, f, tl.Current().DecayBatch, recompute, func([]brain.Memory, int, int) {}); err != nil {
				return fmt.Errorf("recompute expiries: %w", err)
			}
		}
	}
	if now.Before(state.Since.Add(strays)) {
		return nil
	}
	return b.recomputed(ctx, state)
}

// recomputed notes that all is recomputed, unless the numbers were changed again meanwhile.
func (b Base) recomputed(ctx context.Context, state recomputeState) error {
	return b.Store.Update(ctx, func(tx brain.Tx) error {
		var now recomputeState
		if err := ReadCheckpoint(tx, recomputeJob, &now); err != nil || !now.Since.Equal(state.Since) {
			return err
		}
		state.Done = true
		rec, err := checkpointRecord(recomputeJob, state.Since, state)
		if err != nil {
			return err
		}
		return tx.PutRecords(rec)
	})
}
