package app

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/corememory"
)

// ChangeAnswer is a memory after a change.
type ChangeAnswer struct {
	Memory brain.View   `json:"memory"`
	RunID  brain.OrNull `json:"runId"` // null if no run was needed

	Unchanged bool `json:"-"` // it says already what it was to say
}

// changed returns the answer to a change of a memory by a run.
func (u *UseCases) changed(ctx context.Context, b *services.Services, m brain.Memory, run brain.Run, err error) (ChangeAnswer, error) {
	if err != nil {
		return ChangeAnswer{}, err
	}
	v, err := b.Recall.View(ctx, m)
	return ChangeAnswer{Memory: v, RunID: u.journaled(run)}, err
}

// Boost adds energy to a memory; an amount of 0 means the default.
func (u *UseCases) Boost(ctx context.Context, id string, amount float64) (ChangeAnswer, error) {
	b := u.services(ctx)
	if u.caller.Undoable {
		m, run, err := b.Capture.BoostUndoably(ctx, id, amount)
		return u.changed(ctx, b, m, run, err)
	}
	m, err := b.Capture.Boost(ctx, id, amount)
	return u.changed(ctx, b, m, brain.Run{}, err)
}

// Used records whether a memory helped. A verdict counts once per session and context.
func (u *UseCases) Used(ctx context.Context, id string, verdict brain.Verdict, where string) (ChangeAnswer, error) {
	b := u.services(ctx)
	if u.caller.Undoable {
		m, run, err := b.Capture.UsedUndoably(ctx, id, verdict, where)
		return u.changed(ctx, b, m, run, err)
	}
	m, err := b.Capture.Used(ctx, id, verdict, where)
	return u.changed(ctx, b, m, brain.Run{}, err)
}

// Correct changes what a memory says. Without a title it is named after the text.
func (u *UseCases) Correct(ctx context.Context, id, title, text string) (ChangeAnswer, error) {
	return u.correctIf(ctx, id, title, text, func(brain.Memory) error { return nil })
}

// CorrectSeen is [UseCases.Correct] for somebody who saw a memory with a content. If it says
// something else now, nothing is changed, and the error says what; it is [brain.ErrConflict].
func (u *UseCases) CorrectSeen(ctx context.Context, id, seen, title, text string) (ChangeAnswer, error) {
	return u.correctIf(ctx, id, title, text, func(now brain.Memory) error {
		if now.Content == seen {
			return nil
		}
		return brain.Errorf(brain.ErrConflict, "look at it again, and correct that", "it was changed meanwhile; it says now: %s", now.Content)
	})
}

// correctIf corrects a memory unless still returns an error for it.
func (u *UseCases) correctIf(ctx context.Context, id, title, text string, still func(brain.Memory) error) (ChangeAnswer, error) {
	b := u.services(ctx)
	m, run, err := b.Capture.CorrectIf(ctx, id, plaintext.OneLine(title), text, still)
	a, err := u.changed(ctx, b, m, run, err)
	if err == nil && !u.caller.DryRun {
		u.embedChanged(ctx, b)
	}
	return a, err
}

// ReplaceAnswer is a memory that replaced another.
type ReplaceAnswer struct {
	Memory   brain.View   `json:"memory"`
	Replaced string       `json:"replaced"` // the id of the other
	RunID    brain.OrNull `json:"runId"`    // null in a dry run

	Old brain.Memory `json:"-"`
}

// Replace lets one memory hold instead of another.
func (u *UseCases) Replace(ctx context.Context, old, with string) (ReplaceAnswer, error) {
	b := u.services(ctx)
	done, run, err := b.Review.Replace(ctx, old, with)
	if err != nil {
		return ReplaceAnswer{}, err
	}
	v, err := b.Recall.View(ctx, done.Memory)
	if done.Memory.IsCore() {
		u.writeCore(ctx, b)
	}
	return ReplaceAnswer{v, done.Old.ID, u.journaled(run), done.Old}, err
}

// RelateAnswer is a relation that was made.
type RelateAnswer struct {
	Relation brain.Relation `json:"relation"`
	RunID    brain.OrNull   `json:"runId"` // null if it existed
}

// Relate relates two memories.
func (u *UseCases) Relate(ctx context.Context, from, relationType, to string) (RelateAnswer, error) {
	r, run, err := u.services(ctx).Capture.Relate(ctx, from, relationType, to)
	return RelateAnswer{r, u.journaled(run)}, err
}

// Editable is a memory in the form in which a person edits it.
type Editable struct {
	Memory brain.View
	Text   string // its title, a blank line, and its text
}

// Editable returns a memory for an editor.
func (u *UseCases) Editable(ctx context.Context, id string) (Editable, error) {
	found, err := u.Show(ctx, id, false)
	if err != nil {
		return Editable{}, err
	}
	m := found.Memory
	if m.Tier == nil {
		return Editable{}, invalid("edit that file", "%s is a section of a note (%s:%d), not a memory", m.ID, m.Source.File, m.Source.Line)
	}
	return Editable{m, capture.Editable(m)}, nil
}

// Edit replaces the text of a memory by an edited one, as [UseCases.Correct] does. An
// unchanged text changes nothing. A memory that was changed since e was read is
// [brain.ErrConflict].
func (u *UseCases) Edit(ctx context.Context, e Editable, edited string) (ChangeAnswer, error) {
	title, text, err := capture.Edited(e.Memory, edited)
	if err != nil {
		return ChangeAnswer{}, err
	}
	if text == "" {
		return ChangeAnswer{Memory: e.Memory, Unchanged: true}, nil
	}
	return u.correctIf(ctx, e.Memory.ID, title, text, func(now brain.Memory) error {
		if now.ID == e.Memory.ID && now.Name == e.Memory.Name && now.Content == e.Memory.Content {
			return nil
		}
		return brain.Errorf(brain.ErrConflict, "edit it again: `brainbridge edit "+now.ID+"`", "%s was changed meanwhile", e.Memory.ID)
	})
}

// ForgetPlan lists the data that forgetting a memory removes.
type ForgetPlan struct {
	Memory    brain.View
	Earlier   int // earlier memories of its chain that are removed with it
	Relations int
	Archive   string // folder of the archive
}

// PlanForget returns what forgetting a memory would remove.
func (u *UseCases) PlanForget(ctx context.Context, id string) (ForgetPlan, error) {
	b := u.services(ctx)
	f, err := b.Journal.PlanForget(ctx, id)
	if err != nil {
		return ForgetPlan{}, err
	}
	v, err := b.Recall.View(ctx, f.Memory)
	return ForgetPlan{v, len(f.Chain) - 1, len(f.Relations), u.app.Settings.Paths.Archive}, err
}

// Forget archives and removes the memory of a plan.
func (u *UseCases) Forget(ctx context.Context, p ForgetPlan) (ChangeAnswer, error) {
	a := ChangeAnswer{Memory: p.Memory}
	b, err := u.Brain(ctx)
	if err != nil || u.caller.DryRun {
		return a, err
	}
	_, run, err := b.Journal.Forget(ctx, p.Memory.ID, "forgotten by hand")
	a.RunID = u.journaled(run)
	return a, err
}

// ForgetAllAnswer is the answer to forgetting all test memories.
type ForgetAllAnswer struct {
	RunID     brain.OrNull `json:"runId"` // null if there was nothing to forget
	Forgotten int          `json:"forgotten"`
}

// ForgetAll archives and removes all test memories.
func (u *UseCases) ForgetAll(ctx context.Context) (ForgetAllAnswer, error) {
	if !u.app.Settings.Test {
		return ForgetAllAnswer{}, invalid("add --test-only; real memories are forgotten one by one", "only test memories can be forgotten all at once")
	}
	b := u.services(ctx)
	if u.caller.DryRun {
		s, err := b.Recall.Status(ctx)
		return ForgetAllAnswer{Forgotten: s.Total}, err
	}
	run, n, err := b.Journal.ForgetAll(ctx, "all test memories were forgotten by hand")
	return ForgetAllAnswer{u.journaled(run), n}, err
}

// Unforget restores a forgotten memory with its relations.
func (u *UseCases) Unforget(ctx context.Context, id string) (ChangeAnswer, error) {
	b := u.services(ctx)
	m, run, err := b.Journal.Unforget(ctx, id)
	return u.changed(ctx, b, m, run, err)
}

// CoreAnswer lists the core memories.
type CoreAnswer struct {
	Memories []brain.View `json:"memories"`
	File     string       `json:"file"`
}

// CoreChangeAnswer is the memory that was moved into core memory, or out of it.
type CoreChangeAnswer struct {
	CoreAnswer
	RunID brain.OrNull `json:"runId"` // null in a dry run
	// Taken is the place in the file where a person wrote something else, so that the memory
	// waits in the review queue; "" if it was moved.
	Taken string `json:"-"`
}

// Core returns the core memories.
func (u *UseCases) Core(ctx context.Context) (CoreAnswer, error) {
	b := u.services(ctx)
	found, err := b.Review.CoreMemories(ctx)
	if err != nil {
		return CoreAnswer{}, err
	}
	views, err := b.Recall.Views(ctx, found...)
	return CoreAnswer{views, u.app.Settings.Paths.CoreFile}, err
}

// PromoteToCore moves a memory into core memory, as a run of its own. If a person wrote
// something else under its key, it waits in the review queue instead.
func (u *UseCases) PromoteToCore(ctx context.Context, id string) (CoreChangeAnswer, error) {
	b := u.services(ctx)
	m, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (brain.Memory, error) {
		found, err := lifecycle.Resolve(r, id)
		return found.Memory, err
	})
	if err != nil {
		return CoreChangeAnswer{}, err
	}
	at, free, err := u.coreFile(b).Entry(ctx, m)
	if m.IsCore() || err != nil || free { // writing the file warns of the error
		return u.setCore(ctx, id, false)
	}
	made, err := b.Review.Flag(ctx, review.Collision(m, "to be moved by hand", at))
	if err != nil {
		return CoreChangeAnswer{}, err
	}
	pending, err := b.Review.Reviews(ctx, brain.ReviewPending)
	if err != nil {
		return CoreChangeAnswer{}, err
	}
	waits := func(item brain.ReviewItem) bool {
		return item.Kind == brain.ReviewCore && slices.Contains(item.Memories, m.ID)
	}
	if made > 0 || slices.ContainsFunc(pending, waits) {
		views, err := b.Recall.Views(ctx, m)
		return CoreChangeAnswer{CoreAnswer: CoreAnswer{views, u.app.Settings.Paths.CoreFile}, Taken: at}, err
	}
	return u.setCore(ctx, id, false) // it was decided before
}

// DemoteFromCore moves a memory out of core memory, as a run of its own.
func (u *UseCases) DemoteFromCore(ctx context.Context, id string) (CoreChangeAnswer, error) {
	return u.setCore(ctx, id, true)
}

func (u *UseCases) setCore(ctx context.Context, id string, demote bool) (CoreChangeAnswer, error) {
	b := u.services(ctx)
	m, run, err := b.Review.SetCore(ctx, id, demote)
	if err != nil {
		return CoreChangeAnswer{}, err
	}
	u.writeCore(ctx, b)
	views, err := b.Recall.Views(ctx, m)
	return CoreChangeAnswer{CoreAnswer: CoreAnswer{views, u.app.Settings.Paths.CoreFile}, RunID: u.journaled(run)}, err
}

func (u *UseCases) coreFile(b *services.Services) *corememory.Keeper {
	paths := u.app.Settings.Paths
	return corememory.New(corememory.Settings{
		Brain: b, Host: lease.Host(), Path: paths.CoreFile, Lock: filepath.Join(paths.State, "core-memory.lock"), Warn: u.warn,
	})
}

// writeCore updates core-memory.json. A failure is a warning: the next run tries again.
func (u *UseCases) writeCore(ctx context.Context, b *services.Services) {
	if u.caller.DryRun {
		return
	}
	if err := u.coreFile(b).Write(ctx, b.Base.Now(), false); err != nil {
		u.caller.Notices.Warn(err)
	}
}
