// Package consolidate runs maintenance: one locked run that takes the brain's
// lease, reads the clock once, settles what is due, takes its steps, journals,
// logs and reports. A step plans, applies and undoes; steps of other packages
// implement [Step] and are passed in.
//
// Every transaction of a run is complete by itself. A crash leaves some of them,
// and the next run continues from there.
package consolidate

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Options of a [Runner].
type Options struct {
	Holder brain.Holder            // this process
	Dead   func(brain.Holder) bool // reports whether a holder on this machine has ended
	// LogFile is the JSON Lines file that gets a line for each operation; "" for
	// none. A file that cannot be written is a warning.
	LogFile string
	// Archive takes runs older than JournalKeep out of the store; nil: they stay.
	Archive     JournalArchive
	JournalKeep time.Duration
	// Steps are taken in this order, after due memories are settled.
	Steps []Step
	// Warn receives failures that do not stop the run; may be nil.
	Warn func(error)
	// Checkup measures the brain for the reports of runs; nil: they say nothing
	// about its health. One that fails is a warning.
	Checkup func(ctx context.Context) (Checkup, error)
	// Progress receives how far a step has come; a total of 0 is not known. It may
	// be nil.
	Progress func(step string, done, total int)
}

// Runner runs maintenance on one brain. It is safe for concurrent use; runs
// exclude each other by the lease.
type Runner struct {
	base    lifecycle.Base
	journal *journal.Service
	o       Options
}

// New returns a runner. It starts nothing.
func New(base lifecycle.Base, j *journal.Service, o Options) *Runner {
	if o.Warn == nil {
		o.Warn = func(error) {}
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
	Kind   string   // brain.RunConsolidate, or brain.RunPromote for promotions alone
	DryRun bool     // plan only: writes nothing at all
	Type   string   // the steps look at memories of this type alone; "" for all
	Only   []string // names of the steps to take; none: all
	Skip   []string // names of the steps to leave out
	// ByPerson says that a person started the run, not the schedule.
	ByPerson bool
	// Forget says that the person agreed to what the run forgets. Without it the
	// run lists what could be forgotten.
	Forget bool
	// Background marks the daemon's frequent runs: one with nothing to do takes no
	// lock and leaves no line in the log.
	Background bool
}

// consolidates reports whether the run is applied and more than a background run:
// it leaves a report, and the next one counts from it.
func (req Request) consolidates() bool {
	return req.Kind == brain.RunConsolidate && !req.Background && !req.DryRun
}

// operation is one run under way.
type operation struct {
	req     Request
	now     time.Time
	started time.Time // by the machine's clock
	tl      tiers.Timeline
	numbers tiers.Policy // with what a person set in a file, once the steps begin
	run     brain.Run
	report  Report
	before  *Checkup // of the brain at the beginning; nil if no report is stored
	unread  error    // see [Scope]
}

// Run settles what is due as of the instant at which it fell due, strongest first,
// until nothing is due, and takes the steps. It fails with a [brain.HeldError]
// while another run holds the lock.
func (r *Runner) Run(ctx context.Context, req Request) (Report, error) {
	if req.Background && !req.DryRun {
		now := r.base.Now()
		if idle, err := r.base.Idle(ctx, now); err != nil || idle {
			if err == nil {
				err = r.base.FinishJob(ctx, lifecycle.ConsolidationJob, now)
			}
			return Report{}, err
		}
	}
	return r.locked(ctx, req, r.consolidate)
}

func (r *Runner) consolidate(ctx context.Context, op *operation) error {
	if c := r.coreStep(op); c != nil {
		op.unread = c.file.Check(ctx)
	}
	if op.req.consolidates() {
		op.before = r.checkup(ctx)
	}
	if err := r.settleFirst(ctx, op); err != nil {
		return err
	}
	if err := r.steps(ctx, op); err != nil {
		return err
	}
	if op.req.DryRun || op.req.Kind != brain.RunConsolidate {
		return nil
	}
	return r.end(ctx, op)
}

// end does what belongs to the end of a run, and records it.
func (r *Runner) end(ctx context.Context, op *operation) error {
	if c := r.coreStep(op); c != nil {
		if err := c.file.Write(ctx, op.now, true); err != nil {
			r.o.Warn(leftError(StepCore, err))
		}
	}
	if op.req.consolidates() {
		if err := r.store(ctx, op); err != nil {
			return err
		}
	}
	if err := r.archive(ctx, op.now); err != nil {
		r.o.Warn(fmt.Errorf("move old runs to the archive: %w", err))
	}
	if err := r.sweepTouches(ctx); err != nil {
		r.o.Warn(err)
	}
	return r.base.FinishJob(ctx, lifecycle.ConsolidationJob, op.now)
}

func leftError(step string, err error) error {
	return fmt.Errorf("%s was left as it is: %w", step, err)
}

// settleFirst settles what is due. In a run that only writes MEMORY.md this is a run
// of its own, so that each can be undone without the other.
func (r *Runner) settleFirst(ctx context.Context, op *operation) error {
	switch {
	case op.req.Kind != brain.RunCurate:
		return r.settle(ctx, op)
	case op.req.DryRun:
		return nil
	}
	return r.settle(ctx, r.another(op, brain.RunSettle))
}

// another returns another run under the same lock.
func (r *Runner) another(op *operation, kind string) *operation {
	now := r.base.Now()
	return &operation{
		req: Request{Kind: kind}, now: now, tl: op.tl,
		run: brain.Run{ID: r.base.NewID(), Kind: kind, Started: now},
	}
}

// Decay writes the energy of now into live memories. It changes no meaning: what
// is due is left to the next run.
func (r *Runner) Decay(ctx context.Context, req Request) (Report, error) {
	req.Kind = brain.RunDecay
	return r.locked(ctx, req, r.decay)
}

// Undo takes a run back, under the same lock as runs. See [journal.Service.Undo].
func (r *Runner) Undo(ctx context.Context, runID string) (journal.Undone, error) {
	held, release, err := r.lock(ctx)
	if err != nil {
		return journal.Undone{}, err
	}
	defer release()
	undone, err := r.journal.Undo(held, runID, r.outside())
	return undone, cause(held, err)
}

// requestJob marks that somebody asked for a run while one was under way.
const requestJob = "consolidation-request"

// Ask leaves a request for the run that is under way: it settles once more before
// it ends. If none is, the next run takes it up.
func (r *Runner) Ask(ctx context.Context) error {
	return r.base.FinishJob(ctx, requestJob, r.base.Now())
}

// answerRequest settles what is due by now, as a run of its own, if somebody asked
// since this one began.
func (r *Runner) answerRequest(ctx context.Context, op *operation) error {
	asked, err := r.base.JobFinished(ctx, requestJob)
	if err != nil || !asked.After(op.now) {
		return err
	}
	next := r.another(op, brain.RunConsolidate)
	if err := r.settle(ctx, next); err != nil {
		return err
	}
	next.nameRun()
	r.log(next)
	return nil
}

// locked holds the lock while do runs, and logs the outcome. A dry run reads
// without the lock.
func (r *Runner) locked(ctx context.Context, req Request, do func(context.Context, *operation) error) (Report, error) {
	op := &operation{req: req, now: r.base.Now(), started: time.Now(), report: Report{DryRun: req.DryRun}}
	op.run = brain.Run{ID: r.base.NewID(), Kind: req.Kind, Started: op.now}
	if !req.DryRun {
		held, release, err := r.lock(ctx)
		if err != nil {
			return Report{}, err
		}
		defer release()
		ctx = held
		if err := r.base.Recompute(ctx); err != nil {
			return Report{}, err
		}
	}
	var err error
	if op.tl, err = r.base.Timeline(ctx); err != nil {
		return Report{}, err
	}
	if err = do(ctx, op); err == nil && !req.DryRun {
		err = r.answerRequest(ctx, op)
	}
	op.report.Duration = time.Since(op.started)
	op.nameRun()
	op.report.Partial = op.report.Partial || err != nil
	r.log(op)
	if err != nil {
		return op.report, fmt.Errorf("%s: %w", req.Kind, cause(ctx, err))
	}
	return op.report, nil
}

// nameRun names the run in the report if the run is in the journal, or has a
// report to be stored with it.
func (op *operation) nameRun() {
	if op.run.Actions > 0 || op.run.Decayed > 0 || op.reports() {
		op.report.RunID = op.run.ID
	}
}
