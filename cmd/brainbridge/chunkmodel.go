package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/model"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

// chunkModel has a model read the chunks of transcripts, under the budget of
// the day.
type chunkModel struct {
	brain  *brain.Brain
	name   string
	client *model.Client
}

// chunkModelOf is the model of the settings; nil where there is none.
func (a *app) chunkModelOf(ctx context.Context, b *brain.Brain, c config.LLM) (transcripts.Model, error) {
	if !c.On() {
		return nil, nil
	}
	m := &chunkModel{brain: b, name: c.Model}
	breaker, err := m.breaker(ctx)
	if err != nil {
		return nil, err
	}
	m.client, err = model.New(model.Options{
		BaseURL: c.BaseURL, Model: c.Model, KeyFile: c.APIKeyFile, Now: b.Now, Breaker: breaker,
		Budget: &dailyBudget{brain: b, limit: c.DailyTokens},
	})
	if err != nil {
		return nil, brain.Errorf(brain.ErrInvalid, "", "%v", err)
	}
	return m, nil
}

// Name is that of the model.
func (m *chunkModel) Name() string { return m.name }

// Extract asks for the items of a chunk. Nothing more is to be asked once the
// budget is spent or the endpoint rests.
func (m *chunkModel) Extract(ctx context.Context, c extract.Chunk) ([]extract.Item, bool, error) {
	before := m.client.Breaker()
	items, _, err := m.client.Extract(ctx, c)
	if after := m.client.Breaker(); after != before {
		if err := m.keepBreaker(ctx, after); err != nil {
			return nil, true, err
		}
	}
	var spent *spentError
	switch {
	case errors.As(err, &spent):
		return nil, true, spent
	case errors.Is(err, model.ErrResting):
		until := m.client.Breaker().Until
		return nil, true, fmt.Errorf("the model endpoint failed three times in a row and is asked again after %s; the chunks that are left wait for the next run",
			until.Local().Format("15:04"))
	}
	return items, false, err
}

// modelJob is the checkpoint that holds how the endpoint failed.
const modelJob = "model"

func (m *chunkModel) breaker(ctx context.Context) (model.Breaker, error) {
	var b model.Breaker
	err := m.brain.Store().View(ctx, func(r brain.Reader) error {
		b = model.Breaker{}
		recs, err := r.Records(brain.CheckpointRecord, modelJob)
		if err != nil || len(recs) == 0 {
			return err
		}
		return json.Unmarshal(recs[0].Body, &b)
	})
	if err != nil {
		return b, fmt.Errorf("look up how the model endpoint did: %w", err)
	}
	return b, nil
}

func (m *chunkModel) keepBreaker(ctx context.Context, b model.Breaker) error {
	body, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("encode how the model endpoint did: %w", err)
	}
	rec := brain.Record{Kind: brain.CheckpointRecord, ID: modelJob, At: m.brain.Now(), Body: body}
	err = m.brain.Store().Update(context.WithoutCancel(ctx), func(tx brain.Tx) error { return tx.PutRecords(rec) })
	if err != nil {
		return fmt.Errorf("remember how the model endpoint did: %w", err)
	}
	return nil
}

// dailyBudget is the account of the day, in the store. One call at a time.
type dailyBudget struct {
	brain *brain.Brain
	limit int
	day   string // of the reservation under way
}

// spentError says that the budget of the day is spent.
type spentError struct{ spent, limit int }

// Error says what was used, and what is next.
func (e *spentError) Error() string {
	return fmt.Sprintf("the budget of the model is spent for today: %s of %s tokens (llm.daily_tokens); the chunks that are left wait for tomorrow",
		grouped(e.spent), grouped(e.limit))
}

// Unwrap makes errors.Is find the sentinel.
func (e *spentError) Unwrap() error { return model.ErrBudget }

// Reserve sets tokens aside.
func (d *dailyBudget) Reserve(ctx context.Context, tokens int) error {
	s, granted, err := d.brain.ReserveTokens(ctx, tokens, d.limit)
	if err != nil {
		return err
	}
	if d.day = s.Day; !granted {
		return &spentError{s.Tokens, d.limit}
	}
	return nil
}

// Spend replaces what was set aside by what was used.
func (d *dailyBudget) Spend(ctx context.Context, reserved int, used model.Usage) error {
	return d.brain.SpendTokens(ctx, d.day, reserved, used.Tokens())
}
