package app

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/integration/daemon"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

// Jobs that are not runs of their own. Every machine takes in its own transcripts.
const (
	closeDayJob         = "close-day"
	transcriptsJob      = "transcripts"        // days that are over
	transcriptsSoFarJob = "transcripts-so-far" // today
	// afterMidnight leaves some time for the last lines of the day: an editor saves
	// them late, and sessions go on over midnight.
	afterMidnight = "10 0 * * *"
)

// Jobs returns the periodic work of the daemon, in the order in which it runs. Slow
// jobs may take minutes, and nothing must wait for them.
func (d *Daemon) Jobs() (quick, slow []daemon.Job, err error) {
	c := d.use.app.o.Settings.Config
	zone, err := c.Notes.Location()
	if err != nil {
		return nil, nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, nil, fmt.Errorf("find out the name of this machine: %w", err)
	}
	quick = []daemon.Job{
		{Name: "spool", Next: daemon.Every(0), Last: never, Run: d.drain},
		{Name: recall.ConsolidationJob, Next: daemon.Every(c.Consolidate.Every), Last: d.finished(recall.ConsolidationJob), Run: d.Settle},
		d.job(closeDayJob, closeDayJob, daemon.Cron(afterMidnight, zone), d.closeDay),
		d.job(recall.NightlyJob, recall.NightlyJob, daemon.Cron(c.Consolidate.Nightly, time.Local), d.nightly),
	}
	if d.Watch == nil {
		return quick, nil, nil // the notes belong to another brain
	}
	for _, t := range []struct {
		name, when string
		soFar      bool
	}{{transcriptsJob, afterMidnight, false}, {transcriptsSoFarJob, c.Transcripts.Schedule, true}} {
		j := d.job(t.name, t.name+":"+host, daemon.Cron(t.when, zone), func(ctx context.Context) error { return d.extract(ctx, t.soFar) })
		j.Run = daemon.Retrying(j.Run)
		slow = append(slow, j)
	}
	return quick, slow, nil
}

// job returns a job whose end is stored under a key.
func (d *Daemon) job(name, key string, next func(time.Time) (time.Time, error), run func(context.Context) error) daemon.Job {
	return daemon.Job{Name: name, Next: next, Last: d.finished(key), Run: func(ctx context.Context) error {
		if err := run(ctx); err != nil {
			return err
		}
		return d.brain.Base.FinishJob(ctx, key, time.Now())
	}}
}

func (d *Daemon) finished(key string) func(context.Context) (time.Time, error) {
	return func(ctx context.Context) (time.Time, error) { return d.brain.Base.JobFinished(ctx, key) }
}

func never(context.Context) (time.Time, error) { return time.Time{}, nil }

// extract takes in the transcripts of days that are over and not done, or of today.
// A day that is over and stays open is an error, so that it is tried again.
func (d *Daemon) extract(ctx context.Context, soFar bool) error {
	in, err := d.use.transcripts(ctx, d.brain, d.log)
	if err != nil {
		return err
	}
	rep, err := in.Extract(ctx, transcripts.Request{SoFar: soFar})
	for _, day := range rep.Days {
		d.log.Info().Str("day", day.Date).Int("messages", day.Messages).Int("chunks", day.Chunks).Int("items", day.Items).
			Int("added", day.Added).Int("failures", day.Failures).Bool("done", day.Done).Msg("extracted transcripts")
		d.logProblems(day.Problems)
	}
	d.logProblems(rep.Problems)
	if err != nil {
		return err
	}
	for _, day := range rep.Days {
		if day.Failures > 0 {
			err := fmt.Errorf("%s is not done: %d of %d chunks failed", day.Date, day.Failures, day.Chunks)
			if day.Partial != "" {
				err = fmt.Errorf("%w: %s", err, day.Partial)
			}
			return err
		}
	}
	return nil
}

func (d *Daemon) logProblems(all []transcripts.Problem) {
	for _, p := range all {
		d.log.Warn().Str("file", p.File).Int("line", p.Line).Str("problem", p.Message).Msg("transcript")
	}
}
