package brain

import (
	"context"
	"fmt"
	"time"
)

// Spending is what models have cost on one day.
type Spending struct {
	Day    string `json:"day"`    // YYYY-MM-DD in UTC, so that all machines on a brain mean the same
	Tokens int    `json:"tokens"` // used, and reserved for calls under way
	Calls  int    `json:"calls"`
}

// Spending returns what models have cost today.
func (b *Brain) Spending(ctx context.Context) (Spending, error) {
	var s Spending
	err := b.store.View(ctx, func(r Reader) (err error) {
		s, err = spending(r, dayOf(b.Now()))
		return err
	})
	if err != nil {
		return Spending{}, fmt.Errorf("read what models have cost: %w", err)
	}
	return s, nil
}

// ReserveTokens sets tokens of today aside before a call, and reports whether
// the daily limit leaves as many. What a process reserved and did not
// live to account for stays spent: an account may be too high, never too low.
func (b *Brain) ReserveTokens(ctx context.Context, tokens, limit int) (Spending, bool, error) {
	var s Spending
	granted := false
	err := b.spend(ctx, dayOf(b.Now()), func(now *Spending) {
		granted = now.Tokens+tokens <= limit
		if granted {
			now.Tokens += tokens
			now.Calls++
		}
		s = *now
	})
	return s, granted && err == nil, err
}

// SpendTokens replaces a reservation by what was used. The day is that of the
// reservation: a call may end after midnight.
func (b *Brain) SpendTokens(ctx context.Context, day string, reserved, used int) error {
	return b.spend(ctx, day, func(now *Spending) { now.Tokens = max(0, now.Tokens-reserved+used) })
}

// spend changes the account of a day; change may run more than once.
func (b *Brain) spend(ctx context.Context, day string, change func(*Spending)) error {
	at := b.Now()
	err := b.store.Update(ctx, func(tx Tx) error {
		s, err := spending(tx, day)
		if err != nil {
			return err
		}
		before := s
		if change(&s); s == before {
			return nil
		}
		rec, err := newRecord(ModelSpendRecord, s.Day, "", "", at, s)
		if err != nil {
			return err
		}
		return tx.PutRecords(rec)
	})
	if err != nil {
		return fmt.Errorf("account for the tokens of models: %w", err)
	}
	return nil
}

func dayOf(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func spending(r RecordReader, day string) (Spending, error) {
	recs, err := r.Records(ModelSpendRecord, day)
	if err != nil || len(recs) == 0 {
		return Spending{Day: day}, err
	}
	return body[Spending](recs[0])
}
