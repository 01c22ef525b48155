package app

import (
	"context"
	"errors"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/daemon"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/watcher"
)

func (a *App) daemon() daemon.Daemon { return daemon.In(a.o.Settings.Paths.State) }

// ClaimDaemon makes what the daemon of the brain needs, and takes the lock that it
// holds while it runs. Nothing is made for a brain that does not exist.
func (a *App) ClaimDaemon(ctx context.Context) (unlock func(), err error) {
	if a.o.Env("BRAINBRIDGE_NOW") != "" {
		return nil, invalid("unset BRAINBRIDGE_NOW; it is for single commands",
			"the daemon does not run with a clock set by BRAINBRIDGE_NOW")
	}
	if err := a.Open(ctx); err != nil && !errors.Is(err, brain.ErrUnavailable) {
		return nil, err
	}
	if err := makeFolders(a.o.Settings); err != nil {
		return nil, err
	}
	return a.lockDaemon(ctx)
}

// lockDaemon takes the lock that the daemon of the brain holds while it runs.
func (a *App) lockDaemon(ctx context.Context) (unlock func(), err error) {
	return a.daemon().Lock(ctx, brain.Errorf(brain.ErrBusy, "stop it first, or name another brain with --brain",
		"a daemon of the brain %s is running already", a.o.Settings.Config.Brain))
}

// Open opens the store. The error is [brain.ErrUnavailable] if it is unreachable.
func (a *App) Open(ctx context.Context) error {
	_, err := a.As(Caller{}).openServices(ctx, false)
	return err
}

// Daemon is the work of the daemon of a brain.
type Daemon struct {
	// Watch finds changes of the notes. It is nil if they belong to another brain.
	Watch *watcher.Watcher
	// NotWatching says why Watch is nil.
	NotWatching string

	use    *UseCases
	brain  *services.Services
	notes  *notes.Directory
	runner *consolidate.Runner
	log    zerolog.Logger
}

// Daemon returns the work of the daemon, which logs what it does. Nothing runs yet.
func (a *App) Daemon(ctx context.Context, n Notices, log zerolog.Logger) (*Daemon, error) {
	d := &Daemon{use: a.As(Caller{Notices: n}), log: log}
	var err error
	if d.brain, err = d.use.Brain(ctx); err != nil {
		return nil, err
	}
	d.notes, d.runner = d.use.NotesDirectory(d.brain, log), d.use.Runner(d.brain, ConsolidateRequest{})
	// Other problems than another brain's notes may pass, such as a disk that is not
	// mounted yet: the watcher tries again.
	if _, err := d.notes.Claim(ctx); errors.Is(err, brain.ErrBusy) {
		log.Warn().Err(err).Msg("cannot ingest the notes")
		d.NotWatching = err.Error()
		return d, nil
	} else if err != nil {
		log.Warn().Err(err).Msg("cannot ingest the notes")
	}
	d.Watch = watcher.New(watcher.Config{Dir: a.o.Settings.Paths.NotesDir, Match: d.notes.Match, SkipDir: d.notes.SkipDir, Log: log})
	return d, nil
}

// Store describes the open store.
func (d *Daemon) Store() brain.StoreInfo { return d.brain.Base.Store.Info() }

// drain stores the captures that waited for the store.
func (d *Daemon) drain(ctx context.Context) error {
	_, err := d.use.drain(ctx, d.brain)
	return err
}

// Settle settles what is due, if anything is.
func (d *Daemon) Settle(ctx context.Context) error { return d.consolidate(ctx, true) }

func (d *Daemon) consolidate(ctx context.Context, background bool) error {
	rep, err := d.runner.Run(ctx, consolidate.Request{Kind: brain.RunConsolidate, Background: background})
	if len(rep.Actions) > 0 {
		d.log.Info().Str("run", rep.RunID).Int("promoted", len(rep.Promoted)).Int("expired", rep.Expired).
			Dur("took", rep.Duration).Msg("settled")
	}
	return err
}

// nightly is a whole run, which also drops old entries of the journal. On Neo4j it
// stores the energy of now, for the server's own browser.
func (d *Daemon) nightly(ctx context.Context) error {
	err := d.consolidate(ctx, false)
	if err == nil && d.Store().Kind == config.Neo4jURI {
		_, err = d.runner.Decay(ctx, consolidate.Request{})
	}
	return err
}

// closeDay brings MEMORY.md up to the end of the day before.
func (d *Daemon) closeDay(ctx context.Context) error {
	if d.Watch == nil {
		return nil // the notes belong to another brain
	}
	rep, err := d.runner.Run(ctx, consolidate.Request{Kind: brain.RunCurate})
	if errors.Is(err, brain.ErrInvalid) { // a person has to look at the file; the nightly run tries again
		d.log.Warn().Err(err).Msg("MEMORY.md was left as it is")
		err = nil
	}
	if err == nil && rep.RunID != "" {
		d.log.Info().Str("run", rep.RunID).Msg("closed the day in MEMORY.md")
	}
	return err
}

// TakeNotes brings a batch of changed notes into the graph. Captures that wait go
// first: an outcome captured while the store was away is in a note too, without its
// project and relations.
func (d *Daemon) TakeNotes(ctx context.Context, batch watcher.Batch) error {
	if err := d.drain(ctx); err != nil {
		return err
	}
	var res notes.Result
	var err error
	if batch.Full {
		res, err = d.notes.Sync(ctx, nil)
	} else {
		res, err = d.notes.SyncPaths(ctx, batch.Paths)
	}
	for _, p := range res.Problems {
		d.log.Warn().Str("file", p.File).Int("line", p.Line).Str("problem", p.Message).Msg("note")
	}
	if res.New+res.Changed+res.Gone > 0 {
		d.log.Info().Int("new", res.New).Int("changed", res.Changed).Int("gone", res.Gone).Msg("ingested notes")
	}
	return err
}
