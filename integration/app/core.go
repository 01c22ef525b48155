package app

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
)

// CoreAnswer lists the core memories.
type CoreAnswer struct {
	Memories []brain.View `json:"memories"`
	File     string       `json:"file"`
}

// CoreChangeAnswer is the memory that was moved into core memory, or out of it.
type CoreChangeAnswer struct {
	CoreAnswer
	RunID  *string `json:"runId"` // null in a dry run
	DryRun bool    `json:"dryRun,omitempty"`
}

// Core returns what is in core memory.
func (u *UseCases) Core(ctx context.Context) (CoreAnswer, error) {
	b := u.services(ctx)
	found, err := b.Core.Memories(ctx)
	if err != nil {
		return CoreAnswer{}, err
	}
	a := CoreAnswer{make([]brain.View, len(found)), u.app.o.Settings.Paths.CoreFile}
	for i, m := range found {
		if a.Memories[i], err = b.Recall.View(ctx, m); err != nil {
			return CoreAnswer{}, err
		}
	}
	return a, nil
}

// PromoteToCore moves a memory into core memory, as a run of its own.
func (u *UseCases) PromoteToCore(ctx context.Context, id string) (CoreChangeAnswer, error) {
	return u.setCore(ctx, id, false)
}

// DemoteFromCore moves a memory out of core memory, as a run of its own.
func (u *UseCases) DemoteFromCore(ctx context.Context, id string) (CoreChangeAnswer, error) {
	return u.setCore(ctx, id, true)
}

func (u *UseCases) setCore(ctx context.Context, id string, demote bool) (CoreChangeAnswer, error) {
	b := u.services(ctx)
	m, run, err := b.Core.Set(ctx, id, demote)
	if err != nil {
		return CoreChangeAnswer{}, err
	}
	u.writeCore(ctx, b)
	v, err := b.Recall.View(ctx, m)
	a := CoreChangeAnswer{CoreAnswer: CoreAnswer{[]brain.View{v}, u.app.o.Settings.Paths.CoreFile}, DryRun: u.caller.DryRun}
	if !a.DryRun {
		a.RunID = textOrNull(run.ID)
	}
	return a, err
}
