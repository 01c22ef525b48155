package app

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
)

// ForgetPlan lists the data that forgetting a memory removes.
type ForgetPlan struct {
	Memory    brain.View
	Earlier   int // forms of the memory that go with it
	Relations int
	Archive   string // folder that keeps what is removed
}

// PlanForget returns what forgetting a memory would remove.
func (u *UseCases) PlanForget(ctx context.Context, id string) (ForgetPlan, error) {
	b := u.services(ctx)
	f, err := b.Forget.Plan(ctx, id)
	if err != nil {
		return ForgetPlan{}, err
	}
	v, err := b.Recall.View(ctx, f.Memory)
	return ForgetPlan{v, len(f.Chain) - 1, len(f.Relations), u.app.o.Settings.Paths.Archive}, err
}

// Forget archives and removes the memory of a plan.
func (u *UseCases) Forget(ctx context.Context, p ForgetPlan) (ChangeAnswer, error) {
	a := ChangeAnswer{Memory: ChangedMemory{&p.Memory.ID, p.Memory}, DryRun: u.caller.DryRun}
	b, err := u.Brain(ctx)
	if err != nil || u.caller.DryRun {
		return a, err
	}
	_, err = b.Forget.Forget(ctx, p.Memory.ID, "forgotten by hand")
	return a, err
}

// ForgetAllAnswer is the answer to forgetting all test memories.
type ForgetAllAnswer struct {
	RunID     *string `json:"runId"` // null if there was nothing to forget
	Forgotten int     `json:"forgotten"`
	DryRun    bool    `json:"dryRun,omitempty"`
}

// ForgetAll archives and removes all test memories. Real memories are forgotten one
// by one.
func (u *UseCases) ForgetAll(ctx context.Context) (ForgetAllAnswer, error) {
	if !u.app.o.Settings.Test {
		return ForgetAllAnswer{}, invalid("add --test-only; real memories are forgotten one by one", "only test memories can be forgotten all at once")
	}
	b := u.services(ctx)
	if u.caller.DryRun {
		s, err := b.Recall.Status(ctx)
		return ForgetAllAnswer{nil, s.Total, true}, err
	}
	run, n, err := b.Forget.ForgetAll(ctx, "all test memories were forgotten by hand")
	if run.Actions == 0 {
		run.ID = ""
	}
	return ForgetAllAnswer{RunID: textOrNull(run.ID), Forgotten: n}, err
}

// Unforget brings back a memory that was forgotten, with its relations.
func (u *UseCases) Unforget(ctx context.Context, id string) (ChangeAnswer, error) {
	b := u.services(ctx)
	m, err := b.Forget.Unforget(ctx, id)
	return u.changed(ctx, b, m, err)
}
