package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/mcp"
	"github.com/brainbridge/brainbridge/integration/web"
)

// process is the daemon of one brain: its work, and the goroutines that do it.
type process struct {
	cli  *cli
	core *app.App
	work *app.Daemon
	log  zerolog.Logger
	web  *web.Server // nil if nothing is served over HTTP

	config    configFile      // as it was last seen
	published app.DaemonState // for other processes
	beat      time.Time       // of the last sign of life
}

// mcpPath is the HTTP path at which the daemon serves agents.
const mcpPath = "/mcp"

// openWeb opens the HTTP server, unless web.listen is off. An error is only a warning.
func (p *process) openWeb(ctx context.Context) {
	l := p.core.Settings
	if !l.Config.Web.On() {
		return
	}
	log := slog.New(zerolog.NewSlogHandler(p.log.Level(max(p.log.GetLevel(), zerolog.WarnLevel))))
	token, fresh, err := web.Token(l.Paths.Token)
	if fresh {
		p.log.Info().Str("file", l.Paths.Token).Msg("made a new token for HTTP")
	}
	var server *mcp.Server
	if err == nil {
		server, err = mcp.New(p.cli.mcpOptions(log, p.core.As))
	}
	if err == nil {
		mux := http.NewServeMux()
		api := web.NewAPI(web.Options{UseCases: p.core.As, Version: version(), Log: log})
		mux.Handle(mcpPath, server.Handler())
		mux.Handle("/api/v1/", api)
		mux.Handle(web.MetricsPath, api)
		mux.Handle(web.HealthPath, api)
		mux.Handle("/", web.PageFiles())
		p.web, err = web.Listen(ctx, l.Config.Web.Listen, token, log, mux, func() { api.Close(); server.Close() })
	}
	if err != nil {
		p.cli.warn("nothing is served over HTTP: " + err.Error())
		p.log.Warn().Err(err).Msg("nothing is served over HTTP")
		return
	}
	p.cli.onClose(p.web.Close)
	if p.web.Taken != "" {
		p.cli.warn(p.web.Taken + " is taken; HTTP is served at " + p.web.URL() + ", until another address is set with web.listen")
		p.log.Warn().Str("taken", p.web.Taken).Str("url", p.web.URL()).Msg("HTTP is served elsewhere")
	}
}

// drainPatience is how long a stopping daemon waits for work in progress.
const drainPatience = 10 * time.Second

// Run works until ctx ends, then waits for work in progress.
func (p *process) Run(ctx context.Context) error {
	p.log.Info().Int("pid", os.Getpid()).Str("version", version()).Msg("started")
	if err := p.work.Settle(ctx); err != nil && ctx.Err() == nil {
		p.log.Warn().Err(err).Msg("could not settle at the start, will be tried again")
	}
	g, ctx := errgroup.WithContext(ctx)
	quick, slow := p.work.Jobs()
	for _, jobs := range [][]app.Job{quick, slow} {
		g.Go(func() error { return p.work.RunJobs(ctx, jobs...) })
	}
	if p.work.Watch != nil {
		g.Go(func() error { return p.work.Watch.Run(ctx, p.work.TakeNotes) })
	}
	g.Go(func() error { return p.work.Follow(ctx) })
	if p.web != nil {
		g.Go(func() error {
			if err := p.web.Run(ctx); err != nil { // the daemon does the rest of its work
				p.log.Warn().Err(err).Msg("HTTP has ended")
			}
			return nil
		})
	}
	g.Go(func() error { return p.monitor(ctx) })
	ended := make(chan error, 1)
	go func() { ended <- g.Wait() }()
	<-ctx.Done()
	select {
	case err := <-ended:
		p.log.Info().Err(err).Msg("stopped")
		return err
	case <-time.After(drainPatience):
		p.log.Error().Msg("stopped without waiting for work in progress")
		return fmt.Errorf("work in progress did not end within %s", drainPatience)
	}
}

// monitor keeps the state that other processes read up to date. It ends the daemon if its
// store was replaced, so that the service manager restarts it with the new store, and with
// errSettings if its settings changed.
func (p *process) monitor(ctx context.Context) error {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		if err := p.work.Replaced(); err != nil {
			return err
		}
		if p.settingsChanged() {
			return errSettings
		}
		p.publishState()
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// beatEvery is the time between two signs of life.
const beatEvery = 10 * time.Second

// publishState stores the state for `status` if it differs from the published one.
func (p *process) publishState() {
	s := p.state()
	if reflect.DeepEqual(s, p.published) {
		if time.Since(p.beat) > beatEvery {
			p.core.Beat()
			p.beat = time.Now()
		}
		return
	}
	if err := p.core.SetDaemonState(s); err != nil {
		p.log.Warn().Err(err).Msg("cannot publish the state for `status`")
	}
	p.published = s
}

// state describes what the daemon does now.
func (p *process) state() app.DaemonState {
	l := p.core.Settings
	s := app.DaemonState{PID: os.Getpid(), Notes: app.Watched, Store: l.Config.Store, NotesDir: l.Paths.NotesDir, Failed: p.work.Failed()}
	if p.web != nil {
		s.Web = p.web.URL()
	}
	if p.work.Watch == nil {
		s.Notes, s.Why = app.NotWatched, p.work.NotWatching
	} else if p.work.Watch.Silent() > app.SilentAfter {
		s.Notes, s.Why = app.Stalled, "the watcher does not respond"
	} else if why := p.work.Watch.Degraded(); why != "" {
		s.Notes, s.Why = app.Scanned, why
	}
	return s
}

// daemonLine says what the daemon does, for people.
func daemonLine(s *app.DaemonState) string {
	if s == nil {
		return "not running"
	}
	switch s.Notes {
	case app.Watched:
		return "running, watches the notes"
	case app.Scanned:
		return "running, scans the notes now and then: " + flat(s.Why, 300)
	case app.NotWatched, app.Stalled:
		return "running, does not watch the notes: " + flat(s.Why, 300)
	}
	return "running, getting ready"
}
