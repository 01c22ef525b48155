package app

import (
	"context"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
)

// HistoryAnswer lists the events in the life of a memory.
type HistoryAnswer struct {
	Memory brain.View     `json:"memory"`
	Events []HistoryEvent `json:"events"`
}

// History returns everything that happened to a memory, oldest first.
func (u *UseCases) History(ctx context.Context, id string) (HistoryAnswer, error) {
	b := u.services(ctx)
	m, events, err := b.Journal.History(ctx, id)
	if err := u.incomplete(m.ID != "", err); err != nil {
		return HistoryAnswer{}, err
	}
	v, err := b.Recall.View(ctx, m)
	return HistoryAnswer{v, events}, err
}

// WhyAnswer explains the tier and the energy of a memory, and whether it is pushed.
type WhyAnswer struct {
	journal.Why
	recall.Pushed
}

// Why explains the tier and the energy of a memory, and whether it is pushed.
func (u *UseCases) Why(ctx context.Context, id string) (WhyAnswer, error) {
	b := u.services(ctx)
	w, err := b.Journal.Why(ctx, id)
	if err := u.incomplete(w.Memory.ID != "", err); err != nil {
		return WhyAnswer{}, err
	}
	p, err := b.Recall.Pushed(ctx, w.Memory.ID, u.caller.Project)
	return WhyAnswer{w, p}, err
}

// incomplete warns of an archive that could not be read to its end, if there is an
// answer all the same; else the error stands.
func (u *UseCases) incomplete(answered bool, err error) error {
	if err != nil && answered {
		u.caller.Notices.Warn(fmt.Errorf("some of it may be missing: %w", err))
		return nil
	}
	return err
}
