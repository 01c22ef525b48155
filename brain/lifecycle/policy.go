package lifecycle

import (
	"context"
	"errors"
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
	body := brain.PolicyBody{Numbers: map[string]float64{}, ValidFrom: p.ValidFrom, ValidTo: p.ValidTo}
	for _, key := range tiers.Keys() {
		body.Numbers[key], _ = p.Get(key)
	}
	if id == brain.CurrentPolicy {
		body.InForce = body.Numbers
	}
	return PutRecord(tx, brain.ConfigRecord, id, brain.PolicyOwner, "", p.ValidFrom, body)
}

// StoreNumbers stores the initial lifecycle numbers, so that people see them in the store, and
// reports whether it did: not if there are some.
func (b Base) StoreNumbers(ctx context.Context) (stored bool, err error) {
	err = b.Store.Update(ctx, func(tx brain.Tx) error {
		recs, err := tx.Records(brain.ConfigRecord, brain.CurrentPolicy)
		if stored = len(recs) == 0; err != nil || !stored {
			return err
		}
		history, err := tx.ListRecords(brain.ConfigRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{brain.PolicyOwner}})
		p := tiers.DefaultPolicy()
		p.ValidFrom = b.Now()
		if err == nil {
			err = putPolicy(tx, brain.CurrentPolicy, p)
		}
		if err != nil || len(history) == 0 {
			return err
		}
		return putCheckpoint(tx, recomputeJob, p.ValidFrom, recomputeState{Since: p.ValidFrom}) // those in force were removed
	})
	return stored && err == nil, err
}

// storedNumbers are the lifecycle numbers as they are in the store, perhaps changed by hand.
type storedNumbers struct {
	tiers.Policy          // with the number in force in place of one that is not valid
	changed      bool     // they differ from those in force
	invalid      []string // why some are not valid
}

// readNumbers compares the lifecycle numbers in the store with those in force. Inside Update it
// locks them.
func readNumbers(r brain.RecordReader, inForce tiers.Policy) (storedNumbers, error) {
	n := storedNumbers{Policy: inForce}
	recs, err := r.Records(brain.ConfigRecord, brain.CurrentPolicy)
	if err != nil || len(recs) == 0 {
		return n, err
	}
	body, err := brain.Body[brain.PolicyBody](recs[0])
	for _, key := range tiers.Keys() {
		before, _ := inForce.Get(key)
		v, isNumber := body.Numbers[key]
		with, invalid := n.With(key, v)
		if !isNumber {
			if _, known := body.InForce[key]; !known {
				continue // of a later version
			}
			invalid = fmt.Errorf("%s: it is not a number", key)
		}
		if invalid != nil {
			n.invalid = append(n.invalid, fmt.Sprintf("%v; %v counts instead", invalid, before))
			continue
		}
		n.Policy = with
	}
	n.changed = body.InForce == nil || n.Policy != inForce // an earlier version stored only the numbers
	return n, err
}

// InvalidNumbers says what is wrong with the lifecycle numbers that a person changed in the
// store. The ones in force before still count.
func (b Base) InvalidNumbers(ctx context.Context) ([]string, error) {
	return Read(ctx, b, func(r brain.Reader) ([]string, error) {
		tl, err := Timeline(r)
		if err != nil {
			return nil, err
		}
		n, err := readNumbers(r, tl.Current())
		return n.invalid, err
	})
}

// SetPolicy changes one lifecycle number (a key of [tiers.Keys]) from now on, keeps the old
// numbers as history and recomputes the lives that depend on it, see [Base.Recompute].
func (b Base) SetPolicy(ctx context.Context, key string, value float64) error {
	err := b.changeNumbers(ctx, func(p tiers.Policy) (tiers.Policy, error) {
		p, err := p.With(key, value)
		if err != nil {
			err = brain.Errorf(brain.ErrInvalid, "see `brainbridge config show` for the keys and their values", "set lifecycle.%v", err)
		}
		return p, err
	})
	if err != nil {
		return err
	}
	return b.Recompute(ctx)
}

// AdoptNumbers puts lifecycle numbers into force that a person changed in the store. If they were
// removed there, it tells warn and stores the initial ones.
func (b Base) AdoptNumbers(ctx context.Context, warn func(error)) error {
	if b.Store.Info().Editable {
		if stored, err := b.StoreNumbers(ctx); err != nil || stored {
			if stored {
				warn(errors.New("the lifecycle numbers (ConsolidationConfig) were missing in the store; they are there again, with their initial values"))
			}
			return err
		}
	}
	edited, err := Read(ctx, b, editedNumbers)
	if err != nil || !edited {
		return err
	}
	return b.changeNumbers(ctx, func(p tiers.Policy) (tiers.Policy, error) { return p, nil })
}

func editedNumbers(r brain.Reader) (bool, error) {
	tl, err := Timeline(r)
	if err != nil {
		return false, err
	}
	n, err := readNumbers(r, tl.Current())
	return n.changed, err
}

// changeNumbers puts the numbers that change makes of the stored ones into force from now on.
func (b Base) changeNumbers(ctx context.Context, change func(tiers.Policy) (tiers.Policy, error)) error {
	now := b.Now()
	return b.Store.Update(ctx, func(tx brain.Tx) error {
		if _, err := tx.Records(brain.ConfigRecord, brain.CurrentPolicy); err != nil { // lock them
			return err
		}
		tl, err := Timeline(tx)
		if err != nil {
			return err
		}
		old := tl.Current()
		stored, err := readNumbers(tx, old)
		if err != nil {
			return err
		}
		next, err := change(stored.Policy)
		if err != nil {
			return err
		}
		if next == old {
			if stored.changed {
				err = putPolicy(tx, brain.CurrentPolicy, old)
			}
			return err
		}
		tl = tl.Append(next, now)
		old, next = tl[len(tl)-2], tl[len(tl)-1]
		err = putPolicy(tx, "until-"+next.ValidFrom.Format(time.RFC3339Nano), old)
		if err == nil {
			err = putPolicy(tx, brain.CurrentPolicy, next)
		}
		if err != nil || old.SameLives(next) {
			return err
		}
		return putCheckpoint(tx, recomputeJob, next.ValidFrom, recomputeState{Since: next.ValidFrom})
	})
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

const recomputeJob = "recompute"

// staleWrites is the time after a change of the numbers in which transactions that began
// before it may still write what they computed from the old ones. No transaction takes half
// as long.
const staleWrites = time.Minute

// recomputeState is the progress of recomputing expiresAt.
type recomputeState struct {
	Since time.Time `json:"since"` // when the numbers changed
	Done  bool      `json:"done"`
}

// Fading returns the list of the memories that can fade.
func Fading() brain.ListFilter {
	return brain.ListFilter{Tiers: []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.LongTerm}}
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
	if err := b.ChangeLives(ctx, Fading(), tl.Current().DecayBatch, recompute, func([]brain.Memory, int, int) {}); err != nil {
		return fmt.Errorf("recompute expiries: %w", err)
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
