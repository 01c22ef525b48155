package consolidate

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/tiers"
)

// The names of the steps in their order. MEMORY.md follows at the end.
const (
	StepDuplicates = "duplicates"
	StepCore       = "core memory"
	StepForget     = "forgetting"
	StepRelations  = "relations"
	StepModel      = "model tier"
)

// Step is a part of a run besides settling. A run takes its steps one after the
// other, each on what the one before it left.
type Step interface {
	// Name is the name of the step in messages and in requests, a word or two.
	Name() string
	// Apply takes the step. It stores every change with an action of the run, see
	// [lifecycle.Base.Act], and returns the run after them. The outcome holds what
	// it did before an error. In a dry run it returns what it would do, writes
	// nothing and asks no model.
	Apply(ctx context.Context, s Scope, run brain.Run) (Outcome, brain.Run, error)
}

// Undoer is a step that changes something outside the store.
type Undoer interface {
	// Kinds returns the kinds of the actions that Undo takes.
	Kinds() []brain.ActionKind
	// Undo takes back what an action did outside the store, and returns the reason
	// if it left it. It may be called again for the same action.
	Undo(ctx context.Context, a brain.Action) (reason string, err error)
}

// Scope selects the memories and steps of a run.
type Scope struct {
	Request
	Now     time.Time    // the run's one reading of the clock
	Numbers tiers.Policy // in force for the run, see [lifecycle.Base.Numbers]
	// Unread is the reason why the thresholds that a person set outside the store are not
	// known: then nothing is forgotten or promoted to core. nil: they are known.
	Unread error
	// Progress receives how far the step has come; a total of 0 is not known.
	Progress func(done, total int)
}

// Outcome describes the changes that a step made, or would make.
type Outcome struct {
	Actions []brain.Action
	// Listed are actions that a run could take and does not without being asked.
	// They have no number, and there may be more of them, see [Figures].
	Listed []brain.Action
	Figures
}

// coreStep returns the step to call before and after the run, also if the run leaves
// the step itself out; nil if there is none.
func (r *Runner) coreStep(op *operation) *Core {
	if op.req.Kind != brain.RunConsolidate || op.req.Background {
		return nil
	}
	for _, s := range r.o.Steps {
		if c, ok := s.(*Core); ok {
			return c
		}
	}
	return nil
}

// steps takes the steps. One that fails is a warning, because a file may be in the
// way, unless the run was asked for that step alone.
func (r *Runner) steps(ctx context.Context, op *operation) (err error) {
	if op.req.Background || op.req.Kind != brain.RunConsolidate && op.req.Kind != brain.RunCurate {
		return nil
	}
	if op.numbers, err = r.base.Numbers(ctx); err != nil {
		return err
	}
	for _, s := range r.o.Steps {
		if len(op.req.Only) > 0 && !slices.Contains(op.req.Only, s.Name()) || slices.Contains(op.req.Skip, s.Name()) {
			continue
		}
		out, err := r.step(ctx, op, s)
		op.report.addOutcome(out)
		alone := !op.req.DryRun && len(op.req.Only) == 1
		switch {
		case err == nil:
		case ctx.Err() != nil || op.req.Kind != brain.RunConsolidate || alone:
			return err
		default:
			// A file of another brain, or one that another process writes, is not this run's to finish.
			op.report.Partial = op.report.Partial || !errors.Is(err, brain.ErrBusy)
			r.o.Warn(leftError(s.Name(), err))
		}
	}
	return nil
}

func (r *Runner) step(ctx context.Context, op *operation, s Step) (out Outcome, err error) {
	scope := Scope{
		Request: op.req, Now: op.now, Numbers: op.numbers, Unread: op.unread,
		Progress: func(done, total int) { r.o.Progress(s.Name(), done, total) },
	}
	scope.Progress(0, 0)
	defer scope.Progress(1, 1) // whatever the step knew of its total
	out, op.run, err = s.Apply(ctx, scope, op.run)
	return out, err
}

// outside returns what takes back the actions of steps outside the store.
func (r *Runner) outside() journal.Outside {
	out := journal.Outside{}
	for _, s := range r.o.Steps {
		if u, ok := s.(Undoer); ok {
			for _, kind := range u.Kinds() {
				out[kind] = u.Undo
			}
		}
	}
	return out
}
