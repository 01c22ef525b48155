package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Timeline reads the lifecycle numbers of this brain with their history.
func (b Base) Timeline(ctx context.Context) (tiers.Timeline, error) {
	return Read(ctx, b, func(r brain.Reader) (tiers.Timeline, error) { return Timeline(r) })
}

// Numbers returns the lifecycle numbers in force: those of the store, with the thresholds
// that a person set in a file, see [Options.Overrides]. Energy and tiers use only
// [Base.Timeline].
func (b Base) Numbers(ctx context.Context) (tiers.Policy, error) {
	tl, err := b.Timeline(ctx)
	if err != nil {
		return tiers.Policy{}, err
	}
	p := tl.Current()
	for key, value := range b.Overrides() {
		if with, err := p.With(key, value); err == nil && tiers.IsThreshold(key) { // the reader of the file reports what is wrong with it
			p = with
		}
	}
	return p, nil
}

// Timeline reads the lifecycle numbers with their history.
func Timeline(r brain.RecordReader) (tiers.Timeline, error) { return brain.Timeline(r) }

func putPolicy(tx brain.RecordWriter, id string, p tiers.Policy) error {
	numbers := brain.PolicyBody{Numbers: map[string]float64{}, ValidFrom: p.ValidFrom, ValidTo: p.ValidTo}
	for _, key := range tiers.Keys() {
		numbers.Numbers[key], _ = p.Get(key)
	}
	return PutRecord(tx, brain.ConfigRecord, id, brain.PolicyOwner, "", p.ValidFrom, numbers)
}

// StoreNumbers stores the lifecycle numbers of a new brain, so that people see them in the
// store. It does nothing if there are some.
func (b Base) StoreNumbers(ctx context.Context) error {
	return b.Store.Update(ctx, func(tx brain.Tx) error {
		if recs, err := tx.Records(brain.ConfigRecord, currentPolicy); err != nil || len(recs) > 0 {
			return err
		}
		return putPolicy(tx, currentPolicy, tiers.DefaultPolicy())
	})
}

// SetPolicy changes one lifecycle number (a key of [tiers.Keys]) from now on, keeps the old
// numbers as history and recomputes the lives that depend on it, see [Base.Recompute].
func (b Base) SetPolicy(ctx context.Context, key string, value float64) error {
	now := b.Now()
	err := b.Store.Update(ctx, func(tx brain.Tx) error {
		if _, err := tx.Records(brain.ConfigRecord, currentPolicy); err != nil {
			return err
		}
		tl, err := Timeline(tx)
		if err != nil {
			return err
		}
		old := tl.Current()
		next, err := old.With(key, value)
		if err != nil {
			return brain.Errorf(brain.ErrInvalid, "see `brainbridge config show` for the keys and their values", "set lifecycle.%v", err)
		}
		if next == old {
			return nil
		}
		tl = tl.Append(next, now)
		old, next = tl[len(tl)-2], tl[len(tl)-1]
		err = putPolicy(tx, "until-"+next.ValidFrom.Format(time.RFC3339Nano), old)
		if err == nil {
			err = putPolicy(tx, currentPolicy, next)
		}
		if err != nil || old.SameLives(next) {
			return err
		}
		return putCheckpoint(tx, recomputeJob, next.ValidFrom, recomputeState{Since: next.ValidFrom})
	})
	if err != nil {
		return err
	}
	return b.Recompute(ctx)
}

// OutcomeEnergy returns the initial energy of an outcome.
func OutcomeEnergy(p tiers.Policy, i brain.Importance) float64 {
	switch i {
	case brain.Critical:
		return p.InitialOutcomeCritical
	case brain.Important:
		return p.InitialOutcomeImportant
	}
	return p.InitialOutcomeReference
}

const (
	currentPolicy = "current" // id of the policy without validTo; a brain has one
	recomputeJob  = "recompute"
)

// staleWrites is the time after a change of the numbers in which transactions that began
// before it may still write what they computed from the old ones. No transaction takes half
// as long.
const staleWrites = time.Minute

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
	if now.Before(state.Since.Add(staleWrites)) {
		return nil
	}
	return b.Store.Update(ctx, func(tx brain.Tx) error {
		var stored recomputeState
		if err := ReadCheckpoint(tx, recomputeJob, &stored); err != nil || !stored.Since.Equal(state.Since) {
			return err // the numbers changed meanwhile
		}
		state.Done = true
		return putCheckpoint(tx, recomputeJob, state.Since, state)
	})
}
