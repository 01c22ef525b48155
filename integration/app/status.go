package app

import (
	"context"
	"errors"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/spend"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/daemon"
	"github.com/brainbridge/brainbridge/tiers"
)

// StatusAnswer has the counts of a brain and the states of its store and daemon.
type StatusAnswer struct {
	Brain             string             `json:"brain"`
	Store             string             `json:"store"`
	Total             int                `json:"total"`
	Tests             int                `json:"tests"`
	Tiers             map[tiers.Tier]int `json:"tiers"`
	LastConsolidation *time.Time         `json:"lastConsolidation"`
	Watching          bool               `json:"watching"` // a daemon finds changes of the notes
	Daemon            *daemon.State      `json:"daemon"`   // null if none runs
	Web               *string            `json:"web"`      // null if nothing is served
	Spooled           int                `json:"spooled"`
	Rejected          int                `json:"rejected"` // captures that the store refused when their turn came
	RejectedFile      *string            `json:"rejectedFile"`
	Spend             *SpendAnswer       `json:"spend"` // null without a model

	Elsewhere map[string]int `json:"-"` // captures that wait for other stores, by URI
	Kind      string         `json:"-"` // of the store
	TokenFile string         `json:"-"` // of the token of Web
}

// SpendAnswer is the cost of models today, and its limit.
type SpendAnswer struct {
	spend.Spending
	Limit     int      `json:"limit"`     // of tokens; 0: none
	CostLimit *float64 `json:"costLimit"` // null: none
}

// Status returns what the brain holds and who looks after it. The error for a
// store that is away says how many captures wait for it.
func (u *UseCases) Status(ctx context.Context) (StatusAnswer, error) {
	b := u.services(ctx)
	s, err := b.Recall.Status(ctx)
	if err != nil {
		return StatusAnswer{}, u.withSpooled(err)
	}
	l := u.app.o.Settings
	a := StatusAnswer{
		Brain: l.Config.Brain, Store: s.Store.URI, Total: s.Total, Tiers: s.Tiers,
		LastConsolidation: timeOrNull(s.LastConsolidation), Daemon: u.app.daemon().State(),
		Kind: s.Store.Kind, TokenFile: l.Paths.Token,
	}
	if l.Test {
		a.Tests = a.Total
	}
	a.Watching = a.Daemon.Watching()
	if a.Daemon != nil {
		a.Web, a.Daemon.Web = textOrNull(a.Daemon.Web), ""
	}
	spool := u.app.spool()
	if a.Spooled, a.Elsewhere, err = spool.Waiting(); err != nil {
		return StatusAnswer{}, err
	}
	if a.Spend, err = spendToday(ctx, b, l.Config.LLM); err != nil {
		return StatusAnswer{}, err
	}
	rejected, file, err := spool.Rejected()
	a.Rejected, a.RejectedFile = rejected, textOrNull(file)
	return a, err
}

func spendToday(ctx context.Context, b *services.Services, l config.LLM) (*SpendAnswer, error) {
	if !l.On() {
		return nil, nil
	}
	s, err := b.Spend.Today(ctx)
	if err != nil {
		return nil, err
	}
	a := &SpendAnswer{Spending: s, Limit: l.DailyTokens}
	if l.DailyCost > 0 {
		a.CostLimit = &l.DailyCost
	}
	return a, nil
}

// withSpooled adds to the error of a store that cannot be had how many captures
// wait for it.
func (u *UseCases) withSpooled(err error) error {
	kind := brain.ErrUnavailable
	if errors.Is(err, brain.ErrRefused) {
		kind = brain.ErrRefused
	}
	if !errors.Is(err, kind) {
		return err
	}
	n, _, countErr := u.app.spool().Waiting()
	if countErr != nil || n == 0 {
		return err
	}
	hint := "waiting: " + english.Plural(n, "capture", "") + " in the spool until the store is back"
	var ours *brain.Error
	if errors.As(err, &ours) && ours.Hint != "" {
		hint = ours.Hint + "; " + hint
	}
	return brain.Errorf(kind, hint, "%v", err)
}
