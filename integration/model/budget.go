package model

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/brainbridge/brainbridge/brain/consolidate"
)

// ErrBudget says that the budget of the day is spent, or too small for a call.
var ErrBudget = errors.New("the budget of the model is spent for today")

// Account keeps the limits of a day. A [consolidate.Account] is one.
type Account interface {
	Reserve(ctx context.Context, most, limit int) (consolidate.Spending, bool, error)
	Replace(ctx context.Context, day string, reserved, used int) error
}

// spentError is ErrBudget with the numbers.
type spentError struct {
	message string
	never   bool // the call does not fit into the budget of any day
}

func (e *spentError) Error() string { return e.message }

// Unwrap returns the sentinel.
func (e *spentError) Unwrap() error { return ErrBudget }

func overBudget(spent, wanted, limit int) *spentError {
	if wanted > limit {
		return &spentError{fmt.Sprintf("a call of the model may use up to %s tokens and llm.daily_tokens is %s: raise it", tokens(wanted), tokens(limit)), true}
	}
	return &spentError{fmt.Sprintf("%v: %s of %s tokens (llm.daily_tokens)", ErrBudget, tokens(spent), tokens(limit)), false}
}

func tokens(n int) string { return humanize.Comma(int64(n)) }

// paid makes a call within the budget. Tokens count even if the call fails.
func paid[T any](ctx context.Context, c *Client, q question, read func(text string) (T, error)) (v T, cost consolidate.ModelCost, err error) {
	most := q.size() + maxCompletion
	today, granted, err := c.account.Reserve(ctx, most, c.o.DailyTokens)
	switch {
	case err != nil:
		return v, cost, err
	case !granted:
		return v, cost, overBudget(today.Tokens, most, c.o.DailyTokens)
	}
	text, usage, err := c.ask(ctx, q)
	if err == nil {
		v, err = read(text)
	}
	cost = consolidate.ModelCost{Tokens: usage.Tokens(), Calls: 1}
	if failed := c.account.Replace(context.WithoutCancel(ctx), today.Day, most, cost.Tokens); failed != nil {
		err = errors.Join(err, fmt.Errorf("account for %d tokens of the model: %w", usage.Tokens(), failed))
	}
	return v, cost, err
}
