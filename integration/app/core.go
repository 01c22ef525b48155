package app

import (
	"context"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/corememory"
)

// CoreAnswer lists the core memories.
type CoreAnswer struct {
	Memories []brain.View `json:"memories"`
	File     string       `json:"file"`
}

// CoreChangeAnswer is the memory that was moved into core memory, or out of it.
type CoreChangeAnswer struct {
	CoreAnswer
	RunID brain.OrNull `json:"runId"` // null in a dry run
}

// Core returns the core memories.
func (u *UseCases) Core(ctx context.Context) (CoreAnswer, error) {
	b := u.services(ctx)
	found, err := b.Core.Memories(ctx)
	if err != nil {
		return CoreAnswer{}, err
	}
	views, err := b.Recall.Views(ctx, found...)
	return CoreAnswer{views, u.app.o.Settings.Paths.CoreFile}, err
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
	views, err := b.Recall.Views(ctx, m)
	a := CoreChangeAnswer{CoreAnswer: CoreAnswer{views, u.app.o.Settings.Paths.CoreFile}}
	if !u.caller.DryRun {
		a.RunID = brain.OrNull(run.ID)
	}
	return a, err
}

func (u *UseCases) coreKeeper(b *services.Services) *corememory.Keeper {
	paths := u.app.o.Settings.Paths
	return corememory.New(corememory.Settings{
		Brain: b, Host: lease.Host(), Path: paths.CoreFile, Lock: filepath.Join(paths.State, "core-memory.lock"), Warn: u.warn,
	})
}

// writeCore updates core-memory.json. A failure is a warning: the next run tries again.
func (u *UseCases) writeCore(ctx context.Context, b *services.Services) {
	if u.caller.DryRun {
		return
	}
	if err := u.coreKeeper(b).Write(ctx, b.Base.Now(), false); err != nil {
		u.caller.Notices.Warn(err)
	}
}
