package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/adhocore/gronx"
	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
)

// tick is how often the schedule looks at the wall clock. A timer that runs
// for hours would not notice that the machine slept.
const tick = 30 * time.Second

// job is one piece of periodic work. When it last came to its end is kept by
// the store, so that a restart, a sleep of the machine or another machine on
// the same brain neither repeats nor drops it.
type job struct {
	name string
	next func(last time.Time) (time.Time, error) // when it is due after last
	last func(context.Context) (time.Time, error)
	run  func(context.Context) error // records its end itself
}

// every is due a fixed time after the last end.
func every(d time.Duration) func(time.Time) (time.Time, error) {
	return func(last time.Time) (time.Time, error) { return last.Add(d), nil }
}

// cron is due at the next tick of a cron expression, in a location.
func cron(expr string, loc *time.Location) func(time.Time) (time.Time, error) {
	return func(last time.Time) (time.Time, error) {
		next, err := gronx.NextTickAfter(expr, last.In(loc), false)
		if err != nil {
			return time.Time{}, fmt.Errorf("read the schedule %q: %w", expr, err)
		}
		return next, nil
	}
}

// schedule runs jobs when they are due by the wall clock, one after the other.
type schedule struct {
	jobs []job
	now  func() time.Time
	log  zerolog.Logger
}

// Run looks at once and then every tick, until ctx ends. A job that fails is
// tried again at the next tick.
func (s *schedule) Run(ctx context.Context) error {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		for _, j := range s.jobs {
			s.look(ctx, j)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// look runs a job if it is due. What went wrong is logged: the schedule goes on.
func (s *schedule) look(ctx context.Context, j job) {
	due, err := s.due(ctx, j)
	if err == nil && due {
		err = j.run(ctx)
	}
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, brain.ErrBusy):
		s.log.Debug().Err(err).Str("job", j.name).Msg("another process does it")
	default:
		s.log.Warn().Err(err).Str("job", j.name).Msg("job failed, will be tried again")
	}
}

// due reports whether a job is due. One that never ended is due, and so is one
// that ended in the future of a clock that went back.
func (s *schedule) due(ctx context.Context, j job) (bool, error) {
	last, err := j.last(ctx)
	if err != nil || last.IsZero() {
		return err == nil, err
	}
	now := s.now()
	if last.After(now.Add(tick)) {
		return true, nil
	}
	next, err := j.next(last)
	return !next.After(now), err
}
