package consolidate

import (
	"context"
	"errors"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
)

// Step is a part of a run that another room does. A run takes its steps one
// after the other, each on what the one before it left.
type Step interface {
	// Name says in a word or two what the step is about, for messages.
	Name() string
	// Kind is that of the actions that Undo takes.
	Kind() brain.ActionKind
	// Plan says what Apply would do. It writes nothing.
	Plan(ctx context.Context) ([]brain.Action, error)
	// Apply does it: whatever it changes, it stores with an action of the run,
	// see [brain.Brain.Act]. It returns the actions and the run after them, also
	// those from before an error.
	Apply(ctx context.Context, run brain.Run) ([]brain.Action, brain.Run, error)
	// Undo takes back what an action did outside the store, and says why it left
	// it, if it did. It may be called again for the same action.
	Undo(ctx context.Context, a brain.Action) (reason string, err error)
}

// steps takes the steps of a whole run of real memories. One that fails is a
// warning: it may have to do with a file that is in the way, and what the
// others did stands.
func (r *Runner) steps(ctx context.Context, op *operation) error {
	if op.req.TestOnly || op.req.Background || !op.req.steps() {
		return nil
	}
	for _, s := range r.o.Steps {
		actions, err := r.step(ctx, op, s)
		for _, a := range actions {
			op.add(a)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil || op.req.Kind != brain.RunConsolidate:
			return err
		default: // what another brain owns, or another process writes, is not this run's to finish
			op.report.Partial = op.report.Partial || !errors.Is(err, brain.ErrBusy)
			r.o.Warn(fmt.Errorf("%s was left as it is: %w", s.Name(), err))
		}
	}
	return nil
}

// steps tells whether the kind of run has steps.
func (req Request) steps() bool {
	return req.Kind == brain.RunConsolidate || req.Kind == brain.RunCurate
}

func (r *Runner) step(ctx context.Context, op *operation, s Step) (actions []brain.Action, err error) {
	if op.req.DryRun {
		return s.Plan(ctx)
	}
	actions, op.run, err = s.Apply(ctx, op.run)
	return actions, err
}

// outside takes back what the steps did outside the store.
func (r *Runner) outside() brain.Outside {
	out := brain.Outside{}
	for _, s := range r.o.Steps {
		out[s.Kind()] = s.Undo
	}
	return out
}
