package app

import (
	"context"
	"errors"
	"time"

	"github.com/adhocore/gronx"
	"github.com/cenkalti/backoff/v5"
	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
)

// tick is how often the wall clock is checked; timers stand still while the machine sleeps.
const tick = 30 * time.Second

// Job is periodic work. The store keeps when it last ended, so that a restart, a sleep of
// the machine or another machine neither repeats nor drops it.
type Job struct {
	Name string
	Next func(last time.Time) (time.Time, error)  // when it is due after last
	Last func(context.Context) (time.Time, error) // nil: the job is always due
	Run  func(context.Context) error              // also stores when it ended
}

// Every returns a [Job.Next] that is due a fixed time after the last end.
func Every(d time.Duration) func(time.Time) (time.Time, error) {
	return func(last time.Time) (time.Time, error) { return last.Add(d), nil }
}

// Cron returns a [Job.Next] for a cron expression in a location.
func Cron(expr string, loc *time.Location) func(time.Time) (time.Time, error) {
	return func(last time.Time) (time.Time, error) {
		next, err := gronx.NextTickAfter(expr, last.In(loc), false)
		return next, brain.Wrap(err, "read the schedule %q", expr)
	}
}

// Bounds of the wait after a failure.
const minRetryWait, maxRetryWait = 5 * time.Minute, 2 * time.Hour

// errWaiting is the error of a job that waits after a failure.
var errWaiting = errors.New("waiting after a failure")

// WithBackoff makes run do nothing for a while after a failure, longer after each one.
func WithBackoff(run func(context.Context) error) func(context.Context) error {
	wait := time.Duration(0)
	var until time.Time
	return func(ctx context.Context) error {
		if now := time.Now(); now.Before(until) && until.Sub(now) <= maxRetryWait { // otherwise the clock was set back
			return errWaiting
		}
		err := run(ctx)
		if err == nil {
			wait, until = 0, time.Time{}
			return nil
		}
		wait = min(max(2*wait, minRetryWait), maxRetryWait)
		until = time.Now().Add(wait)
		return err
	}
}

// runJobs runs the due jobs one after the other, at once and then every tick, until ctx ends. note
// receives what became of each.
func runJobs(ctx context.Context, log zerolog.Logger, note func(job string, err error), jobs ...Job) error {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		for _, j := range jobs {
			j.runIfDue(ctx, log, note)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// runIfDue runs a job if it is due. It logs a failure, so that the other jobs continue.
func (j Job) runIfDue(ctx context.Context, log zerolog.Logger, note func(job string, err error)) {
	due, err := j.due(ctx)
	away := errors.Is(err, brain.ErrUnavailable) // which is said elsewhere, and no fault of the job
	if err == nil && due {
		err = j.Run(ctx)
	}
	if ctx.Err() == nil && !away && !errors.Is(err, errWaiting) && !errors.Is(err, brain.ErrBusy) {
		note(j.Name, err)
	}
	switch {
	case err == nil || ctx.Err() != nil || errors.Is(err, errWaiting):
	case errors.Is(err, brain.ErrBusy):
		log.Debug().Err(err).Str("job", j.Name).Msg("another process is running the job")
	default:
		log.Warn().Err(err).Str("job", j.Name).Msg("job failed, will be retried")
	}
}

// due reports whether a job is due. A job that never ended is, and so is one whose last end
// is in the future.
func (j Job) due(ctx context.Context) (bool, error) {
	if j.Last == nil {
		return true, nil
	}
	last, err := j.Last(ctx)
	if err != nil || last.IsZero() {
		return err == nil, err
	}
	now := time.Now()
	if last.After(now.Add(tick)) {
		return true, nil
	}
	next, err := j.Next(last)
	return !next.After(now), err
}

// Await calls open until the store can be reached. It calls waiting after the first failure.
func Await(ctx context.Context, open func(context.Context) error, waiting func(error)) error {
	called := false
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 500*time.Millisecond, 15*time.Second
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := open(ctx)
		if err != nil && !errors.Is(err, brain.ErrUnavailable) {
			return struct{}{}, backoff.Permanent(err)
		}
		if err != nil && !called {
			called = true
			waiting(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxElapsedTime(0))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
