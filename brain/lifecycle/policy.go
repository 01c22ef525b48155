package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Policy reads the lifecycle numbers in force in this brain.
func (b Base) Policy(ctx context.Context) (*tiers.Policy, error) {
	return Read(ctx, b, func(r brain.Reader) (*tiers.Policy, error) { return brain.ReadPolicy(r) })
}

// Numbers returns the lifecycle numbers in force: those of the store, with the thresholds
// that a person set in a file, see [Options.Overrides]. Energy and tiers use only
// [Base.Policy].
func (b Base) Numbers(ctx context.Context) (tiers.Policy, error) {
	policy, err := b.Policy(ctx)
	if err != nil {
		return tiers.Policy{}, err
	}
	p := *policy
	for key, value := range b.Overrides() {
		if with, err := p.With(key, value); err == nil && tiers.IsThreshold(key) { // the reader of the file reports what is wrong with it
			p = with
		}
	}
	return p, nil
}

// numbersOf returns all lifecycle numbers, so that people see them in the store.
func numbersOf(p tiers.Policy) map[string]float64 {
	numbers := tiers.Constants()
	for _, key := range tiers.Keys() {
		numbers[key], _ = p.Get(key)
	}
	return numbers
}

func putPolicy(tx brain.RecordWriter, id string, body brain.PolicyBody) error {
	return PutRecord(tx, brain.ConfigRecord, id, brain.PolicyOwner, "", body.ValidFrom, body)
}

// StoreNumbers stores the initial lifecycle numbers, so that people see them in the store, and
// reports whether it did: not if there are some.
func (b Base) StoreNumbers(ctx context.Context) (stored bool, err error) {
	err = b.Store.Update(ctx, func(tx brain.Tx) error {
		n, err := readNumbers(tx)
		if stored = !n.stored; err != nil || !stored {
			return err
		}
		initial := numbersOf(tiers.DefaultPolicy())
		return putPolicy(tx, brain.CurrentPolicy, brain.PolicyBody{Numbers: initial, InForce: initial, ValidFrom: b.Now()})
	})
	return stored && err == nil, err
}

// storedNumbers are the lifecycle numbers in the store.
type storedNumbers struct {
	inForce *tiers.Policy
	next    tiers.Policy // as they were changed, with the number in force in place of one that is not valid
	invalid []string     // why some are not valid
	since   time.Time    // when those in force began
	stored  bool
	changed bool // the stored ones are not those in force
	pending bool // not every expiry is that of the numbers in force
}

// readNumbers reads the lifecycle numbers. Inside Update it locks them.
func readNumbers(r brain.RecordReader) (n storedNumbers, err error) {
	recs, err := r.Records(brain.ConfigRecord, brain.CurrentPolicy)
	var ended recomputed
	if err == nil {
		err = ReadCheckpoint(r, recomputeJob, &ended)
	}
	all := Get(&err, OfKindBy(r, brain.ConfigRecord, brain.ByOwner), brain.PolicyOwner)
	if err == nil {
		n.inForce, err = brain.PolicyOf(all)
	}
	if err != nil {
		return n, err
	}
	if n.next = *n.inForce; len(recs) == 0 {
		return n, nil
	}
	body, err := brain.Body[brain.PolicyBody](recs[0])
	n.since, n.stored, n.pending = body.ValidFrom, true, len(all) > 1 && !ended.Since.Equal(body.ValidFrom)
	for _, key := range tiers.Keys() {
		before, _ := n.inForce.Get(key)
		v, isNumber := body.Numbers[key]
		with, invalid := n.next.With(key, v)
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
		n.next = with
	}
	constants := tiers.Constants()
	for _, key := range slices.Sorted(maps.Keys(constants)) {
		if v, stored := body.Numbers[key]; stored && v != constants[key] {
			n.invalid = append(n.invalid, fmt.Sprintf("%s: it is %v in every brain now; %v does not count", key, constants[key], v))
		}
	}
	n.changed = body.InForce == nil || n.next != *n.inForce // an earlier version stored only the numbers
	return n, err
}

// InvalidNumbers says what is wrong with the lifecycle numbers that a person changed in the
// store. The ones in force before still count.
func (b Base) InvalidNumbers(ctx context.Context) ([]string, error) {
	n, err := b.readNumbers(ctx)
	return n.invalid, err
}

func (b Base) readNumbers(ctx context.Context) (storedNumbers, error) {
	return Read(ctx, b, func(r brain.Reader) (storedNumbers, error) { return readNumbers(r) })
}

// SetNumber stores a lifecycle number (a key of [tiers.Keys]) and puts it into force, see
// [Base.ApplyNumbers].
func (b Base) SetNumber(ctx context.Context, key string, value float64) error {
	err := b.Store.Update(ctx, func(tx brain.Tx) error {
		n, err := readNumbers(tx)
		if err != nil {
			return err
		}
		next, err := n.next.With(key, value)
		if err != nil {
			return brain.Errorf(brain.ErrInvalid, "see `brainbridge config show` for the keys and their values", "set lifecycle.%v", err)
		}
		return putPolicy(tx, brain.CurrentPolicy, brain.PolicyBody{Numbers: numbersOf(next), InForce: numbersOf(*n.inForce), ValidFrom: n.since})
	})
	if err != nil {
		return err
	}
	return b.ApplyNumbers(ctx)
}

// ApplyNumbers puts into force the lifecycle numbers that were changed in the store, by
// [Base.SetNumber] or by hand: it settles every memory under those in force, replaces these in one
// write and recomputes the expiries. All of it may be repeated: after a crash the next call
// continues.
func (b Base) ApplyNumbers(ctx context.Context) error {
	n, err := b.readNumbers(ctx)
	if err == nil && n.changed {
		now := b.Now()
		if !n.inForce.SameLives(n.next) {
			err = b.settleAll(ctx, now)
		}
		if err == nil {
			err = b.replaceNumbers(ctx, n.next, now)
		}
	}
	if err == nil {
		err = b.recompute(ctx)
	}
	return brain.Wrap(err, "change the lifecycle numbers")
}

// Fading returns the list of the memories that can fade.
func Fading() brain.ListFilter {
	return brain.ListFilter{Tiers: []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.LongTerm}}
}

func fadingAndExpired() brain.ListFilter {
	f := Fading()
	f.Tiers = append(f.Tiers, tiers.Expired)
	return f
}

// settleAll settles every memory that can fade or has expired, and lets it fade from its energy at
// an instant on, one batch per transaction.
func (b Base) settleAll(ctx context.Context, now time.Time) error {
	run := b.NewRun(brain.RunSettle, now)
	run.StartedBy = brain.ByProgram
	return b.inBatches(ctx, fadingAndExpired(), func(ids []string, _ int) (err error) {
		_, run, err = b.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
			policy, err := brain.ReadPolicy(tx)
			ms := Get(&err, tx.Memories, ids...)
			s := Settle(policy, ms, now)
			for _, m := range s.Settled {
				if rebased := policy.Rebase(m.State, now); rebased != m.State {
					m.State = rebased
					s.set(m)
				}
			}
			if err != nil {
				return nil, err
			}
			return s.Write(tx)
		})
		return err
	})
}

// replaceNumbers closes the numbers in force and opens the next ones, unless these were changed
// once more.
func (b Base) replaceNumbers(ctx context.Context, next tiers.Policy, now time.Time) error {
	return b.Store.Update(ctx, func(tx brain.Tx) error {
		n, err := readNumbers(tx)
		if err != nil || !n.changed || n.next != next {
			return err
		}
		numbers := numbersOf(next)
		if next == *n.inForce {
			return putPolicy(tx, brain.CurrentPolicy, brain.PolicyBody{Numbers: numbers, InForce: numbers, ValidFrom: n.since})
		}
		from := brain.Later(now, n.since.Add(time.Millisecond))
		err = putPolicy(tx, "until-"+from.Format(time.RFC3339Nano), brain.PolicyBody{Numbers: numbersOf(*n.inForce), ValidFrom: n.since, ValidTo: from})
		if err == nil {
			err = putPolicy(tx, brain.CurrentPolicy, brain.PolicyBody{Numbers: numbers, InForce: numbers, ValidFrom: from})
		}
		if err == nil && n.inForce.SameLives(next) && !n.pending {
			err = putCheckpoint(tx, recomputeJob, now, recomputed{from})
		}
		return err
	})
}

const recomputeJob = "lifecycle numbers"

// recomputed is the checkpoint of recomputing expiresAt.
type recomputed struct {
	Since time.Time `json:"since"` // when the numbers changed for which it was done
}

// recompute recomputes expiresAt after a change of the lifecycle numbers.
func (b Base) recompute(ctx context.Context) error {
	n, err := b.readNumbers(ctx)
	if err != nil || !n.pending {
		return err
	}
	if err := b.Store.AwaitWriters(ctx); err != nil { // they may have read the numbers before
		return err
	}
	recompute := func(p *tiers.Policy, s tiers.State) tiers.State {
		if s.BaseAt.Before(n.since) { // an earlier version changed them, and stored every energy as of the change
			s.Base, s.BaseAt = s.Energy, s.LastDecay
		}
		return p.Recompute(s)
	}
	if err := b.ChangeLives(ctx, fadingAndExpired(), recompute, func([]brain.Memory, int, int) {}); err != nil {
		return err
	}
	return b.PutCheckpoint(ctx, recomputeJob, recomputed{n.since})
}

// OutcomeEnergy returns the initial energy of an outcome.
func OutcomeEnergy(i brain.Importance) float64 {
	switch i {
	case brain.Critical:
		return tiers.InitialOutcomeCritical
	case brain.Important:
		return tiers.InitialOutcomeImportant
	}
	return tiers.InitialOutcomeReference
}
