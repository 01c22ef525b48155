package model

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/brainbridge/brainbridge/brain/spend"
)

// Prices are the limits of a day and what tokens cost, in any currency.
type Prices struct {
	DailyTokens                  int     // 0: no limit
	DailyCost                    float64 // 0: no limit
	PricePrompt, PriceCompletion float64 // per million tokens; 0: not known
}

// dailyBudget is the account of the day, in the store. It takes one call at a
// time.
type dailyBudget struct {
	account *spend.Service
	Prices
	day string // of the reservation under way
}

// spentError says that the budget of the day is spent, or too small for a call.
type spentError struct {
	spent  spend.Spend
	wanted spend.Spend
	limits Prices
	money  bool // the limit of money leaves too little
}

// never reports whether the call does not fit into the budget of any day.
func (e *spentError) never() bool {
	if e.money {
		return e.wanted.Cost > e.limits.DailyCost
	}
	return e.wanted.Tokens > e.limits.DailyTokens
}

// Error says what was used, or what the call may use.
func (e *spentError) Error() string {
	switch limit := tokens(e.limits.DailyTokens); {
	case e.never() && e.money:
		return fmt.Sprintf("a call of the model may cost up to %.4f and llm.daily_cost is %.4f: raise it", e.wanted.Cost, e.limits.DailyCost)
	case e.never():
		return fmt.Sprintf("a call of the model may use up to %s tokens and llm.daily_tokens is %s: raise it", tokens(e.wanted.Tokens), limit)
	case e.money:
		return fmt.Sprintf("the budget of the model is spent for today: %.4f of %.4f in money (llm.daily_cost)", e.spent.Cost, e.limits.DailyCost)
	default:
		return fmt.Sprintf("the budget of the model is spent for today: %s of %s tokens (llm.daily_tokens)", tokens(e.spent.Tokens), limit)
	}
}

func tokens(n int) string { return humanize.Comma(int64(n)) }

// Unwrap makes errors.Is find the sentinel.
func (e *spentError) Unwrap() error { return ErrBudget }

// costs is a usage at the prices of the settings.
func (d *dailyBudget) costs(u Usage) spend.Spend {
	const million = 1e6
	return spend.Spend{
		Tokens: u.Tokens(),
		Cost:   (float64(u.Prompt)*d.PricePrompt + float64(u.Completion)*d.PriceCompletion) / million,
	}
}

// Reserve sets what a call may use aside.
func (d *dailyBudget) Reserve(ctx context.Context, most Usage) error {
	limit := spend.Spend{Tokens: d.DailyTokens, Cost: d.DailyCost}
	want := d.costs(most)
	s, granted, err := d.account.Reserve(ctx, want, limit)
	if err != nil {
		return err
	}
	if d.day = s.Day; !granted {
		return &spentError{s.Spend, want, d.Prices, limit.Tokens == 0 || s.Tokens+want.Tokens <= limit.Tokens}
	}
	return nil
}

// Spend replaces what was set aside by what was used.
func (d *dailyBudget) Spend(ctx context.Context, reserved, used Usage) error {
	return d.account.Replace(ctx, d.day, d.costs(reserved), d.costs(used))
}
