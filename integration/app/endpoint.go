package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/modeltier"
	"github.com/brainbridge/brainbridge/brain/reflection"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/spend"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/model"
)

// Endpoint is the model of the settings, within the budget of the day. Its
// failures are kept in the store, for the runs that follow. It takes one call at
// a time.
type Endpoint struct {
	brain  *services.Services
	client *model.Client
	budget *dailyBudget
}

// Endpoint returns the model of the settings.
func (u *UseCases) Endpoint(ctx context.Context, b *services.Services) (*Endpoint, error) {
	llm := u.app.o.Settings.Config.LLM
	var breaker model.Breaker
	if err := b.Base.Checkpoint(ctx, breakerJob, &breaker); err != nil {
		return nil, err
	}
	key, err := config.ReadSecret("llm.api_key_file", llm.APIKeyFile)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{brain: b, budget: &dailyBudget{brain: b, llm: llm}}
	e.client = model.New(model.Options{
		BaseURL: llm.BaseURL, Model: llm.Model, Key: key, Now: b.Base.Now, Breaker: breaker, Budget: e.budget,
	})
	return e, nil
}

// breakerJob is the checkpoint that holds the failures of the endpoint.
const breakerJob = "model"

// ask makes a call and keeps whether it failed. over reports that no other call
// can be made in this run; the error says what becomes of the pieces left.
func (e *Endpoint) ask(ctx context.Context, pieces string, call func() error) (over bool, err error) {
	before := e.client.Breaker()
	err = call()
	if after := e.client.Breaker(); after != before {
		if err := e.brain.Base.PutCheckpoint(context.WithoutCancel(ctx), breakerJob, after); err != nil {
			return true, err
		}
	}
	var spent *spentError
	switch {
	case errors.As(err, &spent) && spent.never():
		return true, fmt.Errorf("%w; the %s that are left wait for that", spent, pieces)
	case errors.As(err, &spent):
		return true, fmt.Errorf("%w; the %s that are left wait for tomorrow", spent, pieces)
	case errors.Is(err, model.ErrResting):
		return true, fmt.Errorf("the model endpoint failed three times in a row and is asked again after %s; the %s that are left wait for the next run",
			e.client.Breaker().Until.Local().Format("15:04"), pieces)
	}
	return false, err
}

// retryAt returns when the endpoint can be asked again after an error; zero: at
// once.
func (e *Endpoint) retryAt(err error) time.Time {
	now := e.brain.Base.Now()
	var spent *spentError
	switch b := e.client.Breaker(); {
	case errors.As(err, &spent) && spent.never():
		return time.Time{}
	case errors.As(err, &spent):
		return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	case b.Resting(now):
		return b.Until
	}
	return time.Time{}
}

// Recount has the model say in three sentences what a session was about.
func (e *Endpoint) Recount(ctx context.Context, notes []brain.Memory) (said string, err error) {
	_, err = e.ask(ctx, "sessions", func() (err error) {
		said, _, err = e.client.Recount(ctx, notes)
		return err
	})
	return said, err
}

// Weigh asks what memories say about a belief. It makes an Endpoint a
// [reflection.Judge].
func (e *Endpoint) Weigh(ctx context.Context, belief brain.Memory, memories []brain.Memory) (found []reflection.Weighed, over bool, err error) {
	over, err = e.ask(ctx, "beliefs", func() (err error) {
		found, _, err = e.client.Weigh(ctx, belief, memories)
		return err
	})
	return found, over, err
}

// Name is that of the model. With Extract it makes an Endpoint a
// transcripts.Model.
func (e *Endpoint) Name() string { return e.budget.llm.Model }

// Extract asks for the items of a chunk of a transcript.
func (e *Endpoint) Extract(ctx context.Context, c extract.Chunk) (items []extract.Item, over bool, err error) {
	over, err = e.ask(ctx, "chunks", func() (err error) {
		items, _, err = e.client.Extract(ctx, c)
		return err
	})
	return items, over, err
}

// Merger has a model merge memories. It signs in at the first question: a run
// without one needs no key.
type Merger struct {
	use      *UseCases
	brain    *services.Services
	endpoint *Endpoint
}

// Merger returns the model of the settings as one that merges.
func (u *UseCases) Merger(b *services.Services) *Merger { return &Merger{use: u, brain: b} }

// Merge asks for one memory that says what the sources say.
func (m *Merger) Merge(ctx context.Context, sources []brain.Memory) (merged modeltier.Proposal, cost modeltier.Cost, err error) {
	if m.endpoint == nil {
		if m.endpoint, err = m.use.Endpoint(ctx, m.brain); err != nil {
			return merged, modeltier.Cost{Over: true}, err
		}
	}
	e := m.endpoint
	over, err := e.ask(ctx, "clusters", func() error {
		got, used, err := e.client.Merge(ctx, sources)
		merged, cost = got, modeltier.Cost{Spend: e.budget.costs(used), Calls: used.Calls}
		return err
	})
	if cost.Over = over; err != nil {
		cost.Again = e.retryAt(err)
	}
	return merged, cost, err
}

// dailyBudget is the account of the day, in the store. It takes one call at a
// time.
type dailyBudget struct {
	brain *services.Services
	llm   config.LLM
	day   string // of the reservation under way
}

// spentError says that the budget of the day is spent, or too small for a call.
type spentError struct {
	spent  spend.Spend
	wanted spend.Spend
	llm    config.LLM
	money  bool // the limit of money leaves too little
}

// never reports whether the call does not fit into the budget of any day.
func (e *spentError) never() bool {
	if e.money {
		return e.wanted.Cost > e.llm.DailyCost
	}
	return e.wanted.Tokens > e.llm.DailyTokens
}

// Error says what was used, or what the call may use.
func (e *spentError) Error() string {
	switch limit := tokens(e.llm.DailyTokens); {
	case e.never() && e.money:
		return fmt.Sprintf("a call of the model may cost up to %.4f and llm.daily_cost is %.4f: raise it", e.wanted.Cost, e.llm.DailyCost)
	case e.never():
		return fmt.Sprintf("a call of the model may use up to %s tokens and llm.daily_tokens is %s: raise it", tokens(e.wanted.Tokens), limit)
	case e.money:
		return fmt.Sprintf("the budget of the model is spent for today: %.4f of %.4f in money (llm.daily_cost)", e.spent.Cost, e.llm.DailyCost)
	default:
		return fmt.Sprintf("the budget of the model is spent for today: %s of %s tokens (llm.daily_tokens)", tokens(e.spent.Tokens), limit)
	}
}

func tokens(n int) string { return humanize.Comma(int64(n)) }

// Unwrap makes errors.Is find the sentinel.
func (e *spentError) Unwrap() error { return model.ErrBudget }

// costs is a usage at the prices of the settings.
func (d *dailyBudget) costs(u model.Usage) spend.Spend {
	const million = 1e6
	return spend.Spend{
		Tokens: u.Tokens(),
		Cost:   (float64(u.Prompt)*d.llm.PricePrompt + float64(u.Completion)*d.llm.PriceCompletion) / million,
	}
}

// Reserve sets what a call may use aside.
func (d *dailyBudget) Reserve(ctx context.Context, most model.Usage) error {
	limit := spend.Spend{Tokens: d.llm.DailyTokens, Cost: d.llm.DailyCost}
	want := d.costs(most)
	s, granted, err := d.brain.Spend.Reserve(ctx, want, limit)
	if err != nil {
		return err
	}
	if d.day = s.Day; !granted {
		return &spentError{s.Spend, want, d.llm, limit.Tokens == 0 || s.Tokens+want.Tokens <= limit.Tokens}
	}
	return nil
}

// Spend replaces what was set aside by what was used.
func (d *dailyBudget) Spend(ctx context.Context, reserved, used model.Usage) error {
	return d.brain.Spend.Replace(ctx, d.day, d.costs(reserved), d.costs(used))
}
