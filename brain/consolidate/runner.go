// Package consolidate runs maintenance. A run takes the brain's lease, reads the clock
// once, settles what is due and applies its steps; then it journals, logs and reports. A
// step plans, applies and undoes. Steps of other packages implement [Step] and are passed
// in.
//
// Every transaction of a run is complete by itself. After a crash, the next run continues
// after the last one that was committed.
//
// Two steps merge: [Duplicates] by rule, and [ModelMerge] asks a model about what the rules
// left. Both find pairs of memories that may say the same, read the memories, decide in pure
// functions which clusters to merge and which to propose, and write each merge in one
// transaction as one action.
package consolidate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Options are the options of a [Runner].
type Options struct {
	Holder brain.Holder            // this process
	Dead   func(brain.Holder) bool // reports whether a process on this machine has ended
	// LogFile gets a line of JSON for each operation; "" for none. A failure is a warning.
	LogFile string
	// Archive receives runs older than JournalKeep, which leave the store; nil: they stay.
	Archive     JournalArchive
	JournalKeep time.Duration
	// Steps are applied in this order, after due memories are settled.
	Steps []Step
	// Warn receives failures that do not stop the run; may be nil.
	Warn func(error)
	// Checkup measures health for the reports of runs; may be nil. A failure is a warning.
	Checkup func(ctx context.Context) (Checkup, error)
	// Info says that another run was asked to settle, see [Request.Wait]; may be nil.
	Info func(string)
	// Progress of a step; a total of 0 means that it is unknown. May be nil.
	Progress func(step string, done, total int)
}

// Runner runs maintenance on one brain, one run at a time. It is safe for concurrent use.
type Runner struct {
	base    lifecycle.Base
	journal *journal.Service
	o       Options
}

// New returns a runner.
func New(base lifecycle.Base, j *journal.Service, o Options) *Runner {
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	if o.Info == nil {
		o.Info = func(string) {}
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.Dead == nil {
		o.Dead = func(brain.Holder) bool { return false }
	}
	return &Runner{base, j, o}
}

// Request says what to run.
type Request struct {
	Kind   string   // brain.RunConsolidate, or another kind that a person or the schedule starts
	DryRun bool     // plan only, write nothing
	Type   string   // the type of memories that the steps look at; "" for all
	Only   []string // names of the steps to apply; none: all
	Skip   []string // names of the steps to leave out
	// ByPerson is set if a person started the run, not the schedule.
	ByPerson bool
	// Forget is set if the person agreed to what the run forgets; else it only lists that.
	Forget bool
	// Background marks frequent runs. If nothing is due, they take no lock and log nothing.
	Background bool
	// Wait is how long to wait for a run in progress before asking it to settle once more.
	Wait time.Duration
}

// isRecorded reports whether the run stores its end and its report, from which the next
// one continues. Dry runs and background runs do not.
func (req Request) isRecorded() bool {
	return req.Kind == brain.RunConsolidate && !req.Background && !req.DryRun
}

// operation is a run in progress.
type operation struct {
	req        Request
	now        time.Time
	started    time.Time // by the machine's clock
	policy     *tiers.Policy
	numbers    tiers.Policy // includes what a person set in a file; set when the steps begin
	run        brain.Run
	report     Report
	before     *Checkup   // the health at the beginning; nil if no report is stored
	decayed    []logEntry // of a run that stores energies
	numbersErr error      // why the core memory file cannot be read, see [Scope]
	doubtful   bool       // the clock may be ahead, see [Scope]
}

// Run settles each due memory, as of the instant at which it fell due, and applies the
// steps. A run of all steps that is not in the background also stores the current energy of
// live memories. A run of kind [brain.RunDecay] does only that; it changes no tier, and
// promotions are left to the next run. Run fails with a
// [brain.HeldError] if another run holds the lock, unless that run was asked to settle.
func (r *Runner) Run(ctx context.Context, req Request) (Report, error) {
	if !req.DryRun && !req.Background && (req.Kind == brain.RunConsolidate || req.Kind == brain.RunPromote) { // it reads all memories
		if err := r.base.StoreEdited(ctx, r.o.Warn); err != nil {
			return Report{}, err
		}
	}
	if req.Background && !req.DryRun {
		now := r.base.Now()
		if idle, err := r.base.Idle(ctx, now); err != nil || idle {
			if err == nil {
				err = r.base.FinishJob(ctx, lifecycle.ConsolidationJob, now)
			}
			return Report{}, err
		}
	}
	do := r.consolidate
	if req.Kind == brain.RunDecay {
		do = r.decay
	}
	rep, err := whileBusy(ctx, req.Wait, func() (Report, error) { return r.locked(ctx, req, do) })
	if errors.Is(err, brain.ErrBusy) && req.Wait > 0 && !req.DryRun {
		r.o.Info(fmt.Sprintf("%v; it was asked to settle once more before it ends", err))
		err = r.Ask(ctx)
	}
	return rep, err
}

func (r *Runner) consolidate(ctx context.Context, op *operation) error {
	if c := r.coreStep(op); c != nil {
		op.numbersErr = c.file.Check(ctx)
	}
	var err error
	if op.doubtful, err = r.doubtsClock(ctx, op); err != nil {
		return err
	}
	if op.req.isRecorded() {
		op.before = r.checkup(ctx)
	}
	first := op
	if op.req.Kind == brain.RunCurate { // settling is a run of its own, so that each can be undone without the other
		first = r.newOperation(Request{Kind: brain.RunSettle}, op.policy)
		first.run.StartedBy = brain.ByProgram
	}
	if op == first || !op.req.DryRun {
		if err := r.settle(ctx, first); err != nil {
			return err
		}
	}
	if op.req.isRecorded() && len(op.req.Only) == 0 {
		if err := r.storeEnergies(ctx, op); err != nil {
			return err
		}
	}
	if err := r.steps(ctx, op); err != nil {
		return err
	}
	if op.req.DryRun || op.req.Kind != brain.RunConsolidate {
		return nil
	}
	return r.finish(ctx, op)
}

// finish writes the core memory file, records the run and moves old runs to the archive.
func (r *Runner) finish(ctx context.Context, op *operation) error {
	if c := r.coreStep(op); c != nil {
		if err := c.file.Write(ctx, op.now, true); err != nil {
			r.o.Warn(leftError(StepCore, err))
		}
	}
	if op.req.isRecorded() {
		if err := r.storeEnd(ctx, op); err != nil {
			return err
		}
	}
	if err := r.archive(ctx, op.now); err != nil {
		r.o.Warn(fmt.Errorf("move old runs to the archive: %w", err))
	}
	if !op.doubtful {
		if err := r.sweepTouches(ctx); err != nil {
			r.o.Warn(err)
		}
	}
	return r.base.FinishJob(ctx, lifecycle.ConsolidationJob, op.now)
}

func leftError(step string, err error) error {
	return fmt.Errorf("%s could not be completed: %w", step, err)
}

// newOperation returns the operation of a request that begins now.
func (r *Runner) newOperation(req Request, policy *tiers.Policy) *operation {
	now := r.base.Now()
	return &operation{
		req: req, now: now, started: time.Now(), policy: policy, report: Report{DryRun: req.DryRun},
		run: r.base.NewRun(req.Kind, now),
	}
}

// Undo undoes a run, under the same lock as runs. See [journal.Service.Undo].
func (r *Runner) Undo(ctx context.Context, runID string) (journal.Undone, error) {
	return r.undo(ctx, func(held context.Context) (journal.Undone, error) {
		return r.journal.Undo(held, runID, r.outside(), func(done, total int) { r.o.Progress("undo", done, total) })
	})
}

// UndoAction undoes one action of a run, under the same lock. See [journal.Service.UndoAction].
func (r *Runner) UndoAction(ctx context.Context, runID, id string) (journal.Undone, error) {
	return r.undo(ctx, func(held context.Context) (journal.Undone, error) {
		return r.journal.UndoAction(held, runID, id, r.outside())
	})
}

func (r *Runner) undo(ctx context.Context, do func(context.Context) (journal.Undone, error)) (journal.Undone, error) {
	held, release, err := r.lock(ctx)
	if err != nil {
		return journal.Undone{}, err
	}
	defer release()
	undone, err := do(held)
	return undone, cause(held, err)
}

const requestJob = "consolidation-request" // its time is that of the last request, see [Runner.Ask]

// Ask asks a run in progress to settle once more before it ends. The next run does it
// anyway.
func (r *Runner) Ask(ctx context.Context) error {
	return r.base.FinishJob(ctx, requestJob, r.base.Now())
}

// answerRequest settles as a run of its own if [Runner.Ask] was called since op began.
func (r *Runner) answerRequest(ctx context.Context, op *operation) error {
	asked, err := r.base.JobFinished(ctx, requestJob)
	if err != nil || !asked.After(op.now) {
		return err
	}
	next := r.newOperation(Request{Kind: brain.RunConsolidate}, op.policy)
	next.run.StartedBy = brain.ByProgram
	if err := r.settle(ctx, next); err != nil {
		return err
	}
	next.setReportID()
	r.log(next)
	return nil
}

// applyNumbers puts into force what a person changed in the lifecycle numbers, and stores the
// initial ones if a person removed them.
func (r *Runner) applyNumbers(ctx context.Context) error {
	if r.base.Store.Info().Editable {
		stored, err := r.base.StoreNumbers(ctx)
		if err != nil {
			return err
		}
		if stored {
			r.o.Warn(errors.New("the lifecycle numbers (ConsolidationConfig) were missing in the store; they are there again, with their initial values"))
		}
	}
	return r.base.ApplyNumbers(ctx)
}

// locked calls do under the lock and logs the outcome. A dry run needs no lock.
func (r *Runner) locked(ctx context.Context, req Request, do func(context.Context, *operation) error) (Report, error) {
	op := r.newOperation(req, nil)
	if !req.DryRun {
		held, release, err := r.lock(ctx)
		if err != nil {
			return Report{}, err
		}
		defer release()
		ctx = held
		if err := r.applyNumbers(ctx); err != nil {
			return Report{}, err
		}
	}
	var err error
	if op.policy, err = r.base.Policy(ctx); err != nil {
		return Report{}, err
	}
	if err = do(ctx, op); err == nil && !req.DryRun {
		err = r.answerRequest(ctx, op)
	}
	op.report.Duration = time.Since(op.started)
	op.setReportID()
	op.report.Partial = op.report.Partial || err != nil
	r.log(op)
	if err != nil {
		return op.report, fmt.Errorf("%s: %w", req.Kind, cause(ctx, err))
	}
	return op.report, nil
}

// setReportID puts the id of the run into the report if it is in the journal or has a stored report.
func (op *operation) setReportID() {
	if op.run.Actions > 0 || op.run.Decayed > 0 || op.hasFindings() {
		op.report.RunID = op.run.ID
	}
}
