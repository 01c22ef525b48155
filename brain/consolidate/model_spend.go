package consolidate

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Spending is the use of models on one day, with the reservations for calls under way.
type Spending struct {
	Day    string `json:"day"`    // YYYY-MM-DD in UTC, so that all machines on a brain use the same day
	Tokens int    `json:"tokens"` // of prompts and answers
	Calls  int    `json:"calls"`
}

// SpendAccount counts the tokens of models in the store, so that all processes on a brain share the daily
// limit. It is safe for concurrent use.
type SpendAccount struct {
	base lifecycle.Base
}

// NewSpendAccount returns the service.
func NewSpendAccount(base lifecycle.Base) *SpendAccount { return &SpendAccount{base} }

// Today returns the use of models today.
func (s *SpendAccount) Today(ctx context.Context) (Spending, error) {
	today, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (Spending, error) { return readSpending(r, dayOf(s.base.Now())) })
	return today, brain.Wrap(err, "read what models have used")
}

// Reserve reserves the most tokens that a call may use, and reports whether the limit of the
// day allows it. A limit of 0 means none. If a process dies before it replaces
// a reservation, that stays: a sum may be too high, but never too low.
func (s *SpendAccount) Reserve(ctx context.Context, most, limit int) (Spending, bool, error) {
	var today Spending
	granted := false
	err := s.update(ctx, dayOf(s.base.Now()), func(now *Spending) {
		if granted = limit == 0 || now.Tokens+most <= limit; granted {
			now.Tokens += most
			now.Calls++
		}
		today = *now
	})
	return today, granted && err == nil, err
}

// Replace replaces a reservation, on its day, by the tokens used.
func (s *SpendAccount) Replace(ctx context.Context, day string, reserved, used int) error {
	return s.update(ctx, day, func(now *Spending) {
		now.Tokens = max(0, now.Tokens+used-reserved)
	})
}

// update changes the spending of a day. change may run more than once.
func (s *SpendAccount) update(ctx context.Context, day string, change func(*Spending)) error {
	at := s.base.Now()
	err := s.base.Store.Update(ctx, func(tx brain.Tx) error {
		before, err := readSpending(tx, day)
		if err != nil {
			return err
		}
		next := before
		if change(&next); next == before {
			return nil
		}
		return lifecycle.PutRecord(tx, brain.ModelSpendRecord, day, "", "", at, next)
	})
	return brain.Wrap(err, "account for the tokens of models")
}

func dayOf(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func readSpending(r brain.RecordReader, day string) (Spending, error) {
	spent, err := brain.First(brain.Bodies[Spending](r.Records(brain.ModelSpendRecord, day)))
	spent.Day = day
	return spent, err
}
