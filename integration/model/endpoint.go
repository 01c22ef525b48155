package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/modeltier"
	"github.com/brainbridge/brainbridge/brain/reflection"
	"github.com/brainbridge/brainbridge/brain/spend"
)

// Endpoint is the model of the settings, within the budget of the day. Its
// failures are kept in the store for the runs that follow. It takes one call at a
// time.
type Endpoint struct {
	base   lifecycle.Base
	name   string
	client *Client
	budget *dailyBudget
}

// Open returns the model that o names, within the limits of a day. It makes no
// call, and sets clock, budget and breaker of o.
func Open(ctx context.Context, base lifecycle.Base, account *spend.Service, limits Prices, o Options) (*Endpoint, error) {
	if err := base.Checkpoint(ctx, breakerJob, &o.Breaker); err != nil {
		return nil, err
	}
	budget := &dailyBudget{account: account, Prices: limits}
	o.Now, o.Budget = base.Now, budget
	return &Endpoint{base, o.Model, New(o), budget}, nil
}

// breakerJob is the checkpoint that holds the failures of the endpoint.
const breakerJob = "model"

// ask makes a call and keeps whether it failed. over reports that no other call
// can be made in this run; the error says what becomes of the pieces left.
func (e *Endpoint) ask(ctx context.Context, pieces string, call func() error) (over bool, err error) {
	before := e.client.Breaker()
	err = call()
	if after := e.client.Breaker(); after != before {
		if err := e.base.PutCheckpoint(context.WithoutCancel(ctx), breakerJob, after); err != nil {
			return true, err
		}
	}
	var spent *spentError
	switch {
	case errors.As(err, &spent) && spent.never():
		return true, fmt.Errorf("%w; the %s that are left wait for that", spent, pieces)
	case errors.As(err, &spent):
		return true, fmt.Errorf("%w; the %s that are left wait for tomorrow", spent, pieces)
	case errors.Is(err, ErrResting):
		return true, fmt.Errorf("the model endpoint failed three times in a row and is asked again after %s; the %s that are left wait for the next run",
			e.client.Breaker().Until.Local().Format("15:04"), pieces)
	}
	return false, err
}

// asked is ask for a call with a result.
func asked[T any](ctx context.Context, e *Endpoint, pieces string, call func() (T, Usage, error)) (v T, over bool, err error) {
	over, err = e.ask(ctx, pieces, func() (err error) {
		v, _, err = call()
		return err
	})
	return v, over, err
}

// retryAt returns when the endpoint can be asked again after an error; zero: at
// once.
func (e *Endpoint) retryAt(err error) time.Time {
	now := e.base.Now()
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
	said, _, err = asked(ctx, e, "sessions", func() (string, Usage, error) { return e.client.Recount(ctx, notes) })
	return said, err
}

// Weigh asks what memories say about a belief. It makes an Endpoint a
// [reflection.Judge].
func (e *Endpoint) Weigh(ctx context.Context, belief brain.Memory, memories []brain.Memory) (found []reflection.Weighed, over bool, err error) {
	return asked(ctx, e, "beliefs", func() ([]reflection.Weighed, Usage, error) { return e.client.Weigh(ctx, belief, memories) })
}

// Name is that of the model. With Extract it makes an Endpoint a
// transcripts.Model.
func (e *Endpoint) Name() string { return e.name }

// Extract asks for the items of a chunk of a transcript.
func (e *Endpoint) Extract(ctx context.Context, c extract.Chunk) (items []extract.Item, over bool, err error) {
	return asked(ctx, e, "chunks", func() ([]extract.Item, Usage, error) { return e.client.Extract(ctx, c) })
}

// Merger has a model merge memories. It opens the endpoint at the first question:
// a run without one needs no key.
type Merger struct {
	Open     func(ctx context.Context) (*Endpoint, error)
	endpoint *Endpoint
}

// Merge asks for one memory that says what the sources say.
func (m *Merger) Merge(ctx context.Context, sources []brain.Memory) (merged modeltier.Proposal, cost modeltier.Cost, err error) {
	if m.endpoint == nil {
		if m.endpoint, err = m.Open(ctx); err != nil {
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
