package consolidate

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/tiers"
)

// The names of the steps in their order. MEMORY.md follows at the end.
const (
	StepDuplicates = "duplicates"
	StepPairs      = "pairs"
	StepCore       = "core memory"
	StepForget     = "forgetting"
	StepRelations  = "relations"
	StepModel      = "model tier"
)

// Step is a part of a run besides settling. A run applies its steps one after the other.
type Step interface {
	// Name is the name of the step in messages and in requests, a word or two.
	Name() string
	// Apply applies the step. It stores every change with an action of the run, see
	// [lifecycle.Base.Act], and returns the run after them, also with an error. A dry run
	// returns what it would do, writes nothing and asks no model.
	Apply(ctx context.Context, s Scope, run brain.Run) (Outcome, brain.Run, error)
}

// Undoer is a step that changes something outside the store.
type Undoer interface {
	// Kinds returns the kinds of the actions that Undo handles.
	Kinds() []brain.ActionKind
	// Undo reverts what an action did outside the store. If it does not revert it, it
	// returns the reason. It may be called again for the same action.
	Undo(ctx context.Context, a brain.Action) (reason string, err error)
}

// Scope selects the memories and steps of a run.
type Scope struct {
	Request
	Now     time.Time    // the time of the run
	Numbers tiers.Policy // in force for the run, see [lifecycle.Base.Numbers]
	// NumbersErr is the reason why thresholds that a person set in a file could not be read;
	// nil if they were. If set, nothing is forgotten or promoted to core.
	NumbersErr error
	// Doubtful is set if the clock of a scheduled run may be ahead. Then nothing is forgotten.
	Doubtful bool
	// Progress receives the progress of the step; a total of 0 means that it is unknown.
	Progress func(done, total int)
}

// Outcome describes the changes that a step made, or would make.
type Outcome struct {
	Actions []brain.Action
	// OnRequest are actions that a run takes only on request. They may be incomplete.
	OnRequest []brain.Action
	Figures
}

// coreStep returns the step of core memory, even if the run leaves it out, because its file
// is read before the run and written after it; nil if there is none.
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

// steps applies the steps. The failure of a step is a warning, for example because a file
// cannot be written, unless the request was for that step only.
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
		op.report.add(out.Actions...)
		for _, a := range out.OnRequest {
			op.report.Actions = append(op.report.Actions, Action{Kind: string(a.Kind), IDs: a.IDs, Reason: a.Reason, OnRequest: true})
		}
		op.report.Figures = op.report.plus(out.Figures)
		switch {
		case err == nil:
		case ctx.Err() != nil || op.req.Kind != brain.RunConsolidate || len(op.req.Only) == 1:
			return err
		default:
			// ErrBusy: the file of the step belongs to another brain or is being written, which is no fault of the run.
			op.report.Partial = op.report.Partial || !errors.Is(err, brain.ErrBusy)
			r.o.Warn(leftError(s.Name(), err))
		}
	}
	return nil
}

func (r *Runner) step(ctx context.Context, op *operation, s Step) (out Outcome, err error) {
	scope := Scope{
		Request: op.req, Now: op.now, Numbers: op.numbers, NumbersErr: op.numbersErr, Doubtful: op.doubtful,
		Progress: func(done, total int) { r.o.Progress(s.Name(), done, total) },
	}
	scope.Progress(0, 0)
	defer scope.Progress(1, 1) // complete the progress even if the total was unknown
	out, op.run, err = s.Apply(ctx, scope, op.run)
	return out, err
}

// outside returns the undo functions of the steps that change something outside the store.
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

// JournalArchive stores old runs outside the store.
type JournalArchive interface {
	// AppendJournal adds lines to the archive of a month, and reads them back before it
	// returns nil. If lines yields an error, it stops and adds nothing.
	AppendJournal(ctx context.Context, month time.Time, lines iter.Seq2[json.RawMessage, error]) error
}

// archive moves runs older than JournalKeep to the archive of their month. The store drops
// the runs of a month after they were written and read back; after a crash in between they are
// in both, which loses nothing. A month that fails does not keep the others.
func (r *Runner) archive(ctx context.Context, now time.Time) error {
	if r.o.Archive == nil || r.o.JournalKeep <= 0 {
		return nil
	}
	const batchSize = 1000
	for {
		old, err := r.journal.RunsBefore(ctx, now.Add(-r.o.JournalKeep), batchSize)
		if err != nil || len(old) == 0 {
			return err
		}
		months := map[time.Time][]brain.Run{}
		for _, run := range old {
			t := run.Started.UTC()
			month := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
			months[month] = append(months[month], run)
		}
		var failed error
		for _, month := range slices.SortedFunc(maps.Keys(months), time.Time.Compare) {
			err := r.o.Archive.AppendJournal(ctx, month, r.journal.JournalLines(ctx, months[month]))
			if err == nil {
				err = r.journal.DropRuns(ctx, months[month])
			}
			failed = errors.Join(failed, err)
		}
		if failed != nil {
			return failed
		}
	}
}
