package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/sashabaranov/go-openai"
)

var (
	// ErrBudget says that the tokens of the day are spent. A Budget returns it,
	// wrapped with the numbers.
	ErrBudget = errors.New("the budget of the model is spent for today")
	// ErrResting is returned without a call after three failures in a row.
	ErrResting = errors.New("the model endpoint failed three times in a row")
)

// Usage is what calls have used, in tokens as the endpoint counts them, or estimated
// at four bytes per token.
type Usage struct {
	Calls, Prompt, Completion int
	Rejected                  int // rejected parts of answers, see Extract
}

// Tokens returns the sum of both kinds.
func (u Usage) Tokens() int { return u.Prompt + u.Completion }

// Budget is the budget of a day, stored by the caller.
type Budget interface {
	// Reserve reserves the most that a call may use. An error prevents the call; it
	// wraps ErrBudget if nothing is left.
	Reserve(ctx context.Context, most Usage) error
	// Spend replaces a reservation by what was used. It is called once for each
	// successful Reserve, also after a failed or canceled call.
	Spend(ctx context.Context, reserved, used Usage) error
}

// Options of a client. BaseURL, Model and Budget are required.
type Options struct {
	BaseURL   string        // such as http://localhost:11434/v1
	Model     string        // name of the model
	Key       string        // "" for none
	Timeout   time.Duration // of one attempt, default 60 s
	Budget    Budget
	Breaker   Breaker           // from the run before
	Now       func() time.Time  // default time.Now
	Transport http.RoundTripper // default http.DefaultTransport
}

const (
	defaultTimeout = 60 * time.Second
	maxCompletion  = 4000 // tokens
)

// Client calls an endpoint during one run. It is not safe for concurrent use.
type Client struct {
	chat    *openai.Client
	wire    *wire // the transport of chat
	model   string
	budget  Budget
	now     func() time.Time
	breaker Breaker
	ended   bool // no more calls in this run
}

// New returns a client. It does not call the endpoint.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	settings := openai.DefaultConfig(o.Key)
	wire := newWire(o.Transport, o.Timeout)
	settings.BaseURL, settings.HTTPClient = o.BaseURL, wire
	return &Client{
		chat: openai.NewClientWithConfig(settings), wire: wire, model: o.Model,
		budget: o.Budget, now: o.Now, breaker: o.Breaker,
	}
}

// Breaker returns the breaker for the next run.
func (c *Client) Breaker() Breaker { return c.breaker }

// answer asks a question within the budget and reads the text of the answer. Usage
// and errors are as in [Client.Extract].
func answer[T any](ctx context.Context, c *Client, q question, read func(text string) (v T, rejected int, err error)) (v T, usage Usage, err error) {
	if c.ended || c.breaker.Resting(c.now()) {
		return v, Usage{}, fmt.Errorf("%w; the next call is after %s", ErrResting, c.breaker.Until.UTC().Format(time.RFC3339))
	}
	var answer T
	usage, err = c.paid(ctx, q, func(text string) (rejected int, err error) {
		answer, rejected, err = read(text)
		return rejected, err
	})
	switch {
	case err == nil:
		c.breaker = c.breaker.Answered()
		return answer, usage, nil
	case errors.Is(err, ErrBudget) || ctx.Err() != nil:
	default:
		c.breaker = c.breaker.Failed(c.now())
		c.ended = c.breaker.Resting(c.now())
	}
	return v, usage, fmt.Errorf("%s: %w", q.about, err)
}

// paid makes the call under the budget.
func (c *Client) paid(ctx context.Context, q question, read func(text string) (int, error)) (Usage, error) {
	most := Usage{Calls: 1, Prompt: q.size(), Completion: maxCompletion}
	if err := c.budget.Reserve(ctx, most); err != nil {
		return Usage{}, err
	}
	text, usage, err := c.ask(ctx, q)
	if err == nil {
		usage.Rejected, err = read(text)
	}
	// Tokens are used even if the call failed.
	if spent := c.budget.Spend(context.WithoutCancel(ctx), most, usage); spent != nil {
		return usage, errors.Join(err, fmt.Errorf("account for %d tokens of the model: %w", usage.Tokens(), spent))
	}
	return usage, err
}
