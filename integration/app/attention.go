package app

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain/attention"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/services"
)

// AttentionRequest changes what a session is about. The zero value changes
// nothing.
type AttentionRequest struct {
	Focus *string // the topic from here on; nil: as it is
	Reset bool    // forget focus and weights
}

// AttentionAnswer has the topic of the session and the topic weights.
type AttentionAnswer struct {
	Focus   *attention.Focus   `json:"focus"`
	Weights map[string]float64 `json:"weights"`

	Topics []string `json:"-"` // the topics of Weights, most important first
}

// Attention changes what the session is about, and returns it.
func (u *UseCases) Attention(ctx context.Context, r AttentionRequest) (AttentionAnswer, error) {
	if r.Focus != nil && r.Reset {
		return AttentionAnswer{}, invalid("use one of them", "focus and reset exclude each other")
	}
	b := u.services(ctx)
	var s attention.State
	var err error
	switch {
	case r.Focus != nil:
		s, err = attention.SetFocus(ctx, b, *r.Focus, u.app.o.Settings.Config.Attention.Table())
	case r.Reset:
		s, err = attention.Reset(ctx, b)
	default:
		s, err = attention.Read(ctx, b)
	}
	if err != nil {
		return AttentionAnswer{}, err
	}
	if !u.caller.DryRun {
		if err := u.writeSession(ctx, b, s); err != nil { // it is only a view
			u.caller.Notices.Warn(fmt.Errorf("the file of the session is not up to date: %w", err))
		}
	}
	return AttentionAnswer{s.Focus, s.Shown(), s.Ranked()}, nil
}

// writeSession writes session-context.json, a view of the session.
func (u *UseCases) writeSession(ctx context.Context, b *services.Services, s attention.State) error {
	view, err := attention.Gather(ctx, b, s)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(view, "", "  ")
	if err != nil {
		return err
	}
	dir := u.app.o.Settings.Paths.Data
	if err := durable.MakeDir(dir, durable.PrivateDir); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, "session-context.json"), append(text, '\n'), durable.Options{})
}
