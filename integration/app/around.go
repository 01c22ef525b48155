package app

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

// ExchangeAnswer is what was said around the capture of a memory.
type ExchangeAnswer struct {
	Session string             `json:"session"` // "" if it is from no session
	Turns   []transcripts.Turn `json:"turns"`
	Missing string             `json:"missing,omitempty"` // why there are no turns
}

// Exchange returns what the person and the agent said around the capture of a memory.
func (u *UseCases) Exchange(ctx context.Context, id string) (ExchangeAnswer, error) {
	b := u.services(ctx)
	shown, err := u.Show(ctx, id, false)
	if err != nil {
		return ExchangeAnswer{}, err
	}
	a := ExchangeAnswer{Turns: []transcripts.Turn{}, Missing: "it is not from a session of an agent"}
	at := shown.Memory.Created
	if found, err := b.Base.Memories(ctx, shown.Memory.ID); err != nil {
		return a, err
	} else if len(found) > 0 {
		a.Session = found[0].SessionID
	}
	for _, s := range shown.Sources {
		if session, minute, ok := transcripts.SaidIn(s.Body, u.app.Settings.Zone); ok {
			a.Session, at = session, minute.Add(time.Minute-time.Second)
		}
	}
	if a.Session == "" {
		return a, nil
	}
	known, err := u.app.sessions().Load(a.Session)
	if err != nil {
		return a, err
	}
	extractor, err := u.transcripts(ctx, b)
	if err != nil {
		return a, err
	}
	turns, err := extractor.Around(ctx, a.Session, at, known.Transcript)
	if errors.Is(err, fs.ErrNotExist) {
		a.Missing = "the transcript of the session is not here, or no longer"
		return a, nil
	}
	if err == nil {
		a.Turns, a.Missing = append(a.Turns, turns...), ""
	}
	return a, err
}

// LifeAnswer is the energy of a memory over its life.
type LifeAnswer = journal.Life

// Life returns the energy of a memory from its birth until it expires.
func (u *UseCases) Life(ctx context.Context, id string) (LifeAnswer, error) {
	life, err := u.services(ctx).Journal.Life(ctx, id)
	return life, u.incomplete(len(life.Points) > 0, err)
}
