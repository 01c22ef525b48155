package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/integration/transcripts"
	"github.com/brainbridge/brainbridge/watcher"
)

// ClaimDaemon creates the folders that the daemon of the brain needs, and takes the lock
// that it holds while it runs. It creates nothing for a brain that does not exist. It waits
// for a lost brain without the lock, which a restore needs until it is done. open is [App.Open], perhaps with
// a reason to give up.
func (a *App) ClaimDaemon(ctx context.Context, open func(context.Context) error, waiting func(error)) (unlock func(), err error) {
	if a.Env("BRAINBRIDGE_NOW") != "" {
		return nil, invalid("unset BRAINBRIDGE_NOW; it is for single commands",
			"the daemon does not run with a clock set by BRAINBRIDGE_NOW")
	}
	lost := false
	err = Await(ctx, func(ctx context.Context) error {
		err := open(ctx)
		switch {
		case errors.Is(err, errLost):
			lost = true
			return err
		case err == nil, errors.Is(err, brain.ErrUnavailable): // the caller waits for it
		case lost && errors.Is(err, brain.ErrHeld): // by the restore
			return fmt.Errorf("%w: %w", brain.ErrUnavailable, err)
		default:
			return err
		}
		if err := makeFolders(a.Settings); err != nil {
			return err
		}
		unlock, err = a.lockDaemon(ctx)
		if lost && errors.Is(err, brain.ErrBusy) { // the brain is back, and the restore not yet done
			return fmt.Errorf("%w: %w", brain.ErrUnavailable, err)
		}
		return err
	}, waiting)
	return unlock, err
}

// Open opens the store for writing. The error is [brain.ErrUnavailable] if it is unreachable,
// and [brain.ErrReadOnly] for one that this program can only read.
func (a *App) Open(ctx context.Context, n Notices) error {
	b, err := a.As(Caller{Notices: n}).openServices(ctx, false)
	if err == nil {
		err = writable(b.Base.Store)
	}
	return err
}

// Daemon is the work of the daemon of a brain.
type Daemon struct {
	// Watch finds changes of the notes. It is nil if they belong to another brain.
	Watch *watcher.Watcher
	// NotWatching says why Watch is nil.
	NotWatching string

	use      *UseCases
	brain    *services.Services
	notes    *notes.Directory
	log      zerolog.Logger
	follower *follower // nil if nobody watches

	mu     sync.Mutex
	failed map[string]JobFailure // by job
}

// RunJobs runs the due jobs one after the other, at once and then now and then, until ctx ends.
func (d *Daemon) RunJobs(ctx context.Context, jobs ...Job) error {
	return runJobs(ctx, d.log, d.noteJob, jobs...)
}

func (d *Daemon) noteJob(job string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		delete(d.failed, job)
		return
	}
	if d.failed == nil {
		d.failed = map[string]JobFailure{}
	}
	d.failed[job] = JobFailure{time.Now().UTC().Truncate(time.Second), err.Error()}
}

// Failed returns the jobs that failed when they ran last.
func (d *Daemon) Failed() map[string]JobFailure {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.failed)
}

// Daemon returns the work of the daemon, which logs its actions. It starts nothing.
func (a *App) Daemon(ctx context.Context, n Notices, log zerolog.Logger) (*Daemon, error) {
	d := &Daemon{use: a.As(Caller{Notices: n, Background: true}), log: log}
	d.use.log = log
	var err error
	if d.brain, err = d.use.Brain(ctx); err != nil {
		return nil, err
	}
	d.use.forgetDecrypted(ctx)
	d.notes = d.use.NotesDirectory(d.brain)
	// Other errors may be temporary, such as a disk that is not mounted yet, so the watcher
	// tries again.
	if _, err := d.notes.Claim(ctx); errors.Is(err, brain.ErrBusy) {
		log.Warn().Err(err).Msg("cannot ingest the notes")
		d.NotWatching = err.Error()
		return d, nil
	} else if err != nil {
		log.Warn().Err(err).Msg("cannot ingest the notes")
	}
	d.Watch = watcher.New(watcher.Config{Dir: a.Settings.Paths.NotesDir, Match: d.notes.Match, SkipDir: d.notes.SkipDir, Log: log})
	return d, nil
}

// Replaced returns an error if the brain is no longer in the store that was opened, or if
// another process has upgraded the store.
func (d *Daemon) Replaced() error { return usable(d.brain.Base.Store) }

// usable returns an error if a store can only be read, or its brain was removed or replaced.
func usable(s brain.Store) error { return cmp.Or(writable(s), replaced(s)) }

// Store describes the open store.
func (d *Daemon) Store() brain.StoreInfo { return d.brain.Base.Store.Info() }

func (d *Daemon) drain(ctx context.Context) error { return d.use.drain(ctx, d.brain) }

// Settle settles what is due, if anything is.
func (d *Daemon) Settle(ctx context.Context) error { return d.consolidate(ctx, true) }

// run carries out a run, for which the thresholds in core-memory.json are read anew.
func (d *Daemon) run(ctx context.Context, req consolidate.Request) (consolidate.Report, error) {
	b, err := d.use.openServices(ctx, false)
	if err != nil {
		return consolidate.Report{}, err
	}
	return d.use.Runner(b, ConsolidateRequest{}).Run(ctx, req)
}

func (d *Daemon) consolidate(ctx context.Context, background bool) error {
	rep, err := d.run(ctx, consolidate.Request{Kind: brain.RunConsolidate, Background: background})
	if len(rep.Actions) > 0 {
		d.log.Info().Str("run", rep.RunID).Int("promoted", len(rep.Promoted)).Int("expired", rep.Expired).
			Dur("took", rep.Duration).Msg("settled")
	}
	return err
}

// nightly is a run of all steps, which also archives old entries of the journal, and the checks
// of doctor.
func (d *Daemon) nightly(ctx context.Context) error {
	if err := d.consolidate(ctx, false); err != nil {
		return err
	}
	found, err := d.use.Doctor(ctx)
	for _, c := range found.Checks {
		if !c.OK() {
			d.log.Warn().Str("check", c.Name).Str("found", c.Detail).Msg("something is wrong: brainbridge doctor")
		}
	}
	return err
}

// closeDay updates MEMORY.md to the end of the day before.
func (d *Daemon) closeDay(ctx context.Context) error {
	if d.Watch == nil {
		return nil // the notes belong to another brain
	}
	rep, err := d.run(ctx, consolidate.Request{Kind: brain.RunCurate})
	if errors.Is(err, brain.ErrInvalid) { // a person has to look at the file; the nightly run tries again
		d.log.Warn().Err(err).Msg("MEMORY.md was left as it is")
		err = nil
	}
	if err == nil && rep.RunID != "" {
		d.log.Info().Str("run", rep.RunID).Msg("closed the day in MEMORY.md")
	}
	return err
}

// loggedProblems is the number of problems in notes that are logged at once.
const loggedProblems = 20

// TakeNotes ingests a batch of changed notes. Spooled captures are stored first: they have
// the project and the relations of an outcome that is also in a note.
func (d *Daemon) TakeNotes(ctx context.Context, batch watcher.Batch) error {
	if err := d.drain(ctx); err != nil {
		return err
	}
	var res notes.Result
	var err error
	if batch.Full {
		res, err = d.notes.Sync(ctx, func(done, total int) { d.use.caller.Notices.Progress(NotesStep, done, total) })
	} else {
		res, err = d.notes.SyncPaths(ctx, batch.Paths)
	}
	for i, p := range res.Problems {
		if i == loggedProblems {
			d.log.Warn().Int("more", len(res.Problems)-i).Msg("see notes status")
			break
		}
		d.log.Warn().Str("file", p.File).Int("line", p.Line).Str("problem", p.Message).Msg("note")
	}
	if res.New+res.Changed+res.Gone > 0 {
		d.use.embedChanged(ctx, d.brain)
		d.log.Info().Int("new", res.New).Int("changed", res.Changed).Int("gone", res.Gone).Msg("ingested notes")
	}
	if d.follower != nil && len(res.Read) > 0 {
		d.follower.observer.NotesRead(res)
	}
	return err
}

// Names of the jobs other than maintenance. Each machine extracts its own transcripts, so
// the end of these jobs is stored for each host.
const (
	backupJob           = "backup"
	closeDayJob         = "close-day"
	countDaysJob        = "count-days"
	transcriptsJob      = "transcripts"        // past days
	transcriptsTodayJob = "transcripts-so-far" // the current day
	// afterMidnight leaves time for late edits and for sessions that run past midnight.
	afterMidnight = "10 0 * * *"
)

// settleEvery is the time between two settlings.
const settleEvery = 10 * time.Minute

// Jobs returns the periodic work of the daemon, in the order in which it runs. Slow jobs may
// take minutes and must not block the quick ones.
func (d *Daemon) Jobs() (quick, slow []Job) {
	c, zone := d.use.app.Settings.Config, d.use.app.Settings.Zone
	quick = []Job{
		{Name: "spool", Run: d.drain},
		{Name: lifecycle.ConsolidationJob, Next: Every(settleEvery), Last: d.lastFinished(lifecycle.ConsolidationJob), Run: d.Settle}, // which stores its end
		d.job(closeDayJob, closeDayJob, Cron(afterMidnight, zone), d.closeDay),
		d.job(lifecycle.NightlyJob, lifecycle.NightlyJob, Cron(c.Consolidate.Nightly, time.Local), d.nightly),
	}
	quick = append(quick, d.job(countDaysJob, countDaysJob, Cron(afterMidnight, zone), d.use.CountDays))
	embed := WithBackoff(func(ctx context.Context) error {
		embedded, err := d.use.embedTexts(ctx, d.brain, false)
		if embedded > 0 {
			d.log.Info().Int("texts", embedded).Msg("embedded")
		}
		return err
	})
	slow = []Job{{Name: "vectors", Run: embed}} // the store records what is left
	if c.Backup.Scheduled() {
		slow = append(slow, Job{Name: backupJob, Next: Cron(c.Backup.Schedule, time.Local), Last: d.lastBackup, Run: WithBackoff(d.backUp)})
	}
	slow = append(slow, Job{Name: "backup-test", Next: d.testDue, Last: d.lastTest, Run: WithBackoff(d.testBackup)})
	if d.Watch == nil {
		return quick, slow // the notes belong to another brain
	}
	extraction := func(name, schedule string, today bool) Job {
		j := d.job(name, name+":"+lease.Host(), Cron(schedule, zone), func(ctx context.Context) error { return d.extract(ctx, today) })
		j.Run = WithBackoff(j.Run)
		return j
	}
	return quick, append(slow, extraction(transcriptsJob, afterMidnight, false), extraction(transcriptsTodayJob, c.Transcripts.Schedule, true))
}

func (d *Daemon) job(name, key string, next func(time.Time) (time.Time, error), run func(context.Context) error) Job {
	return Job{Name: name, Next: next, Last: d.lastFinished(key), Run: func(ctx context.Context) error {
		if err := run(ctx); err != nil {
			return err
		}
		return d.brain.Base.FinishJob(ctx, key, time.Now())
	}}
}

func (d *Daemon) lastFinished(key string) func(context.Context) (time.Time, error) {
	return func(ctx context.Context) (time.Time, error) { return d.brain.Base.JobFinished(ctx, key) }
}

// extract extracts the transcripts of unfinished past days, or of the current day if today
// is set. If chunks fail, it returns an error, so that their days are tried again.
func (d *Daemon) extract(ctx context.Context, today bool) error {
	extractor, err := d.use.transcripts(ctx, d.brain)
	if err != nil {
		return err
	}
	rep, err := extractor.Extract(ctx, transcripts.Request{SoFar: today})
	for _, day := range rep.Days {
		d.log.Info().Str("day", day.Date).Int("messages", day.Messages).Int("chunks", day.Chunks).Int("items", day.Items).
			Int("added", day.Added).Int("failures", day.Failures).Bool("done", day.Done).Msg("extracted transcripts")
	}
	for _, p := range rep.Problems {
		d.log.Warn().Str("file", p.File).Int("line", p.Line).Str("problem", p.Message).Msg("problem in transcript")
	}
	if err != nil {
		return err
	}
	return rep.Failed()
}
