package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	currentPolicy = "current"   // id of the policy without validTo; a brain has one
	policyOwner   = "lifecycle" // owner of all of them
	recomputeJob  = "recompute"
)

// strays is how long after a change of the numbers a transaction may still write values
// that it computed from the old ones. None takes half as long.
const strays = time.Minute

// recomputeState is the progress of recomputing expiresAt.
type recomputeState struct {
	Since time.Time `json:"since"` // when the numbers changed
	Done  bool      `json:"done"`
}

// Recompute recomputes expiresAt of live memories after a change of the lifecycle numbers,
// one batch per transaction. In the first minute after the change each run repeats it.
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

// recomputed records that everything is recomputed, unless the numbers changed meanwhile.
func (b Base) recomputed(ctx context.Context, state recomputeState) error {
	return b.Store.Update(ctx, func(tx brain.Tx) error {
		var now recomputeState
		if err := ReadCheckpoint(tx, recomputeJob, &now); err != nil || !now.Since.Equal(state.Since) {
			return err
		}
		state.Done = true
		return putCheckpoint(tx, recomputeJob, state.Since, state)
	})
}
