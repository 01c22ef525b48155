// Package model asks an OpenAI-compatible chat endpoint (hosted, Ollama, LM Studio,
// vLLM) to extract items from transcripts, to merge memories, to recount sessions and
// to weigh evidence.
//
// A transcript is data: an answer can only contain items by a strict schema that quote the
// chunk literally. A late answer, an error, garbage or invented quotes fail only that
// chunk. The texts of memories are data too, between lines that they cannot imitate. The
// caller compares an answer with the texts.
//
// Each call needs a reservation in the Account of the day. Three failures in a row end
// the calls of all clients for ten minutes.
//
// An Embedder makes vectors of texts with an embedding endpoint of the same protocol.
package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
)

// ErrResting is returned without a call after three failures in a row.
var ErrResting = errors.New("the model endpoint failed three times in a row")

// Usage is the usage of a call, in tokens as reported, or estimated at four bytes each.
type Usage struct{ Prompt, Completion int }

// Tokens returns the sum of both kinds.
func (u Usage) Tokens() int { return u.Prompt + u.Completion }

// Base is the clock, and keeps the failures of the endpoint, as [lifecycle.Base] does.
type Base interface {
	Now() time.Time
	Checkpoint(ctx context.Context, job string, state any) error
	PutCheckpoint(ctx context.Context, job string, state any) error
}

// Options of a client.
type Options struct {
	BaseURL string // such as http://localhost:11434/v1
	Model   string // name of the model
	Key     string // "" for none

	DailyTokens int // 0: no limit

	Transport http.RoundTripper // nil: that of net/http
}

const (
	timeout       = 60 * time.Second // of one attempt
	maxCompletion = 4000             // tokens
)

// Client calls the model within the budget of the day. It is not safe for concurrent use.
type Client struct {
	o       Options
	base    Base
	account Account
	chat    *openai.Client
	wire    *wire // the transport of chat
	breaker Breaker
}

const breakerJob = "model"

// Open returns a client. It does not call the endpoint.
func Open(ctx context.Context, base Base, account Account, o Options) (*Client, error) {
	c := &Client{o: o, base: base, account: account, wire: newWire(o.Transport)}
	if err := base.Checkpoint(ctx, breakerJob, &c.breaker); err != nil {
		return nil, err
	}
	c.chat = c.wire.library(o.BaseURL, o.Key)
	return c, nil
}

// Name returns the name of the model.
func (c *Client) Name() string { return c.o.Model }

// answer asks a question within the budget. The cost is valid even with an error.
func answer[T any](ctx context.Context, c *Client, q question, read func(text string) (T, error)) (T, consolidate.ModelCost, error) {
	if c.breaker.Resting(c.base.Now()) {
		return *new(T), consolidate.ModelCost{Over: true, Again: c.breaker.Until}, fmt.Errorf(
			"%w and is asked again after %s; the %ss that are left wait for the next run", ErrResting, c.breaker.Until.Local().Format("15:04"), q.piece)
	}
	v, cost, err := paid(ctx, c, q, read)
	if err == nil {
		return v, cost, c.record(ctx, Breaker{})
	}
	var spent *spentError
	switch now := c.base.Now(); {
	case errors.As(err, &spent):
		cost.Over = true
		if spent.never { // a larger budget helps at once
			return *new(T), cost, fmt.Errorf("%w; the %ss that are left wait for that", spent, q.piece)
		}
		cost.Again = now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		return *new(T), cost, fmt.Errorf("%w; the %ss that are left wait for tomorrow", spent, q.piece)
	case ctx.Err() == nil:
		failed := c.breaker.Failed(now)
		cost.Again = failed.Until
		if err := c.record(ctx, failed); err != nil {
			cost.Over = true
			return *new(T), cost, err
		}
	}
	return *new(T), cost, fmt.Errorf("%s: %w", q.about, err)
}

func (c *Client) record(ctx context.Context, b Breaker) error {
	if b == c.breaker {
		return nil
	}
	c.breaker = b
	return c.base.PutCheckpoint(context.WithoutCancel(ctx), breakerJob, b)
}

// Merger has a model merge memories. A run that asks it nothing needs no key.
type Merger struct {
	Open   func(ctx context.Context) (*Client, error)
	client *Client
}

// Merge asks for one memory that says the same as the sources.
func (m *Merger) Merge(ctx context.Context, sources []brain.Memory) (merged consolidate.ModelProposal, cost consolidate.ModelCost, err error) {
	if m.client == nil {
		if m.client, err = m.Open(ctx); err != nil {
			return merged, consolidate.ModelCost{Over: true}, err
		}
	}
	return m.client.Merge(ctx, sources)
}

const (
	failuresInARow = 3
	restFor        = 10 * time.Minute
)

// Breaker stops calls to an endpoint that fails. It is stored between runs.
type Breaker struct {
	Failures int       `json:"failures"` // in a row
	Until    time.Time `json:"until"`    // no calls before this time
}

// Resting reports whether calls are stopped.
func (b Breaker) Resting(now time.Time) bool { return now.Before(b.Until) }

// Failed returns the breaker after another failure. The third in a row stops calls.
func (b Breaker) Failed(now time.Time) Breaker {
	b.Failures++
	if b.Failures >= failuresInARow {
		return Breaker{Until: now.Add(restFor)}
	}
	return b
}
