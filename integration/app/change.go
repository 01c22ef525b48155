package app

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
)

// ChangeAnswer is a memory after a change.
type ChangeAnswer struct {
	Memory ChangedMemory `json:"memory"`
	DryRun bool          `json:"dryRun,omitempty"`

	Supersedes string `json:"-"` // id of the memory that a correction replaced
}

// ChangedMemory is a memory whose id is null if it would only be made.
type ChangedMemory struct {
	ID *string `json:"id"` // takes the place of the id of the view
	brain.View
}

// changed is the answer to a change of m.
func (u *UseCases) changed(ctx context.Context, b *services.Services, m brain.Memory, err error) (ChangeAnswer, error) {
	if err != nil {
		return ChangeAnswer{}, err
	}
	v, err := b.Recall.View(ctx, m)
	return ChangeAnswer{Memory: ChangedMemory{&v.ID, v}, DryRun: u.caller.DryRun}, err
}

// Boost adds energy to a memory; an amount of 0 stands for the usual one.
func (u *UseCases) Boost(ctx context.Context, id string, amount float64) (ChangeAnswer, error) {
	b := u.services(ctx)
	m, err := b.Capture.Boost(ctx, id, amount)
	return u.changed(ctx, b, m, err)
}

// Used records whether a memory helped. A verdict counts once a session and
// context.
func (u *UseCases) Used(ctx context.Context, id string, verdict brain.Verdict, where string) (ChangeAnswer, error) {
	b := u.services(ctx)
	m, err := b.Capture.Used(ctx, id, verdict, where)
	return u.changed(ctx, b, m, err)
}

// Correct replaces what a memory says by a new memory. Without a title it is named after
// the text.
func (u *UseCases) Correct(ctx context.Context, id, title, text string) (ChangeAnswer, error) {
	b := u.services(ctx)
	m, err := b.Capture.Correct(ctx, id, plaintext.OneLine(title), text)
	a, err := u.changed(ctx, b, m, err)
	if err != nil || u.caller.DryRun {
		a.Memory.ID = nil
		return a, err
	}
	found, err := b.Recall.Show(ctx, m.ID, false)
	for _, r := range found.Relations {
		if r.Type == brain.Supersedes && r.From == m.ID {
			a.Supersedes = r.To
		}
	}
	return a, err
}

// RelateAnswer is a relation that was made.
type RelateAnswer struct {
	Relation brain.Relation `json:"relation"`
	DryRun   bool           `json:"dryRun,omitempty"`
}

// Relate relates two memories.
func (u *UseCases) Relate(ctx context.Context, from, relationType, to string) (RelateAnswer, error) {
	r, err := u.services(ctx).Capture.Relate(ctx, from, relationType, to)
	return RelateAnswer{r, u.caller.DryRun}, err
}
