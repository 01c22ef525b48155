package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/integration/daemon"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

// Names of the jobs that do no maintenance. Each machine extracts its own
// transcripts, so the end of these jobs is stored for each host.
const (
	closeDayJob         = "close-day"
	transcriptsJob      = "transcripts"        // past days
	transcriptsTodayJob = "transcripts-so-far" // the current day
	// afterMidnight leaves time for late edits and for sessions that run past midnight.
	afterMidnight = "10 0 * * *"
)

// Jobs returns the periodic work of the daemon, in the order in which it runs. Slow
// jobs may take minutes and must not block the quick ones.
func (d *Daemon) Jobs() (quick, slow []daemon.Job) {
	c, zone := d.use.app.o.Settings.Config, d.use.app.o.Settings.Zone
	quick = []daemon.Job{ // the spool stores no completion, and Settle stores its own
		{Name: "spool", Next: daemon.Every(0), Last: neverRan, Run: d.drain},
		{Name: lifecycle.ConsolidationJob, Next: daemon.Every(c.Consolidate.Every), Last: d.lastFinished(lifecycle.ConsolidationJob), Run: d.Settle},
		d.job(closeDayJob, closeDayJob, daemon.Cron(afterMidnight, zone), d.closeDay),
		d.job(lifecycle.NightlyJob, lifecycle.NightlyJob, daemon.Cron(c.Consolidate.Nightly, time.Local), d.nightly),
	}
	if d.Watch == nil {
		return quick, nil // the notes belong to another brain
	}
	extraction := func(name, schedule string, today bool) daemon.Job {
		j := d.job(name, name+":"+hostName(), daemon.Cron(schedule, zone), func(ctx context.Context) error { return d.extract(ctx, today) })
		j.Run = daemon.Retrying(j.Run)
		return j
	}
	slow = []daemon.Job{
		extraction(transcriptsJob, afterMidnight, false),
		extraction(transcriptsTodayJob, c.Transcripts.Schedule, true),
	}
	return quick, slow
}

// job returns a job whose last completion is stored under key.
func (d *Daemon) job(name, key string, next func(time.Time) (time.Time, error), run func(context.Context) error) daemon.Job {
	return daemon.Job{Name: name, Next: next, Last: d.lastFinished(key), Run: func(ctx context.Context) error {
		if err := run(ctx); err != nil {
			return err
		}
		return d.brain.Base.FinishJob(ctx, key, time.Now())
	}}
}

func (d *Daemon) lastFinished(key string) func(context.Context) (time.Time, error) {
	return func(ctx context.Context) (time.Time, error) { return d.brain.Base.JobFinished(ctx, key) }
}

func neverRan(context.Context) (time.Time, error) { return time.Time{}, nil }

// extract extracts the transcripts of unfinished past days, or of the current day if
// today is set. Chunks that failed are an error, so that their days are tried again.
func (d *Daemon) extract(ctx context.Context, today bool) error {
	extractor, err := d.use.transcripts(ctx, d.brain, d.log)
	if err != nil {
		return err
	}
	rep, err := extractor.Extract(ctx, transcripts.Request{SoFar: today})
	for _, day := range rep.Days {
		d.log.Info().Str("day", day.Date).Int("messages", day.Messages).Int("chunks", day.Chunks).Int("items", day.Items).
			Int("added", day.Added).Int("failures", day.Failures).Bool("done", day.Done).Msg("extracted transcripts")
		d.logProblems(day.Problems)
	}
	d.logProblems(rep.Problems)
	if err != nil {
		return err
	}
	return failedDays(rep.Days)
}

// failedDays returns an error that names each day of which chunks failed.
func failedDays(days []transcripts.Day) error {
	var errs []error
	for _, day := range days {
		if day.Failures == 0 {
			continue
		}
		err := fmt.Errorf("%s is not done: %d of %d chunks failed", day.Date, day.Failures, day.Chunks)
		if day.Partial != "" {
			err = fmt.Errorf("%w: %s", err, day.Partial)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (d *Daemon) logProblems(all []transcripts.Problem) {
	for _, p := range all {
		d.log.Warn().Str("file", p.File).Int("line", p.Line).Str("problem", p.Message).Msg("problem in transcript")
	}
}
