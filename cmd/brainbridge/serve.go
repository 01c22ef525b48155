package main

import (
	"cmp"
	"context"
	"os"
	"runtime/debug"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/daemon"
)

func serveCommand(a *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon: watch the notes and run maintenance",
		Long: `Run the daemon in the foreground. It ingests notes when they are saved, settles
every consolidate.every, stores spooled captures when the store is reachable again,
and serves agents over HTTP on localhost (web.listen). It creates missing files and
folders. Ctrl-C stops it.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context()) },
	}
}

// serve runs the daemon until ctx ends.
func (a *cli) serve(ctx context.Context) error {
	debug.SetGCPercent(daemonGC)
	core, err := a.app()
	if err != nil {
		return err
	}
	unlock, err := core.ClaimDaemon(ctx)
	if err != nil {
		return err
	}
	a.onClose(func() error { unlock(); return nil })
	l := core.Settings()
	here := daemon.In(l.Paths.State)
	if err := here.RemoveState(); err != nil { // of a daemon that was killed
		return err
	}
	a.onClose(here.RemoveState)
	log, err := a.daemonLog(l)
	if err != nil {
		return err
	}
	err = daemon.Await(ctx, core.Open, func(err error) {
		a.say("The store cannot be reached yet, waiting for it: %v", err)
		log.Warn().Err(err).Msg("waiting for the store")
	})
	if err != nil {
		return err
	}
	p, err := a.newProcess(ctx, core, here, log)
	if err != nil {
		return err
	}
	p.publishState(daemon.State{})
	a.printStartup(l, p)
	return p.Run(ctx)
}

// Limits of the daemon's log.
const (
	logMegabytes = 5
	logBackups   = 3
)

// daemonLog opens the rotated log of the daemon.
func (a *cli) daemonLog(l config.Loaded) (zerolog.Logger, error) {
	level, err := zerolog.ParseLevel(l.Config.Log.Level)
	if err != nil {
		return zerolog.Nop(), usage("use debug, info, warn or error", "log.level: %v", err)
	}
	file := &lumberjack.Logger{Filename: logFile(l), MaxSize: logMegabytes, MaxBackups: logBackups}
	a.onClose(file.Close)
	return zerolog.New(file).Level(level).With().Timestamp().Logger(), nil
}

func logFile(l config.Loaded) string { return cmp.Or(l.Config.Log.File, l.Paths.DaemonLog) }

// printStartup prints the places of the store, the notes and the log, and what to do next.
func (a *cli) printStartup(l config.Loaded, p *process) {
	info := p.work.Store()
	notes := l.Paths.NotesDir
	if p.work.Watch == nil {
		notes += " (not watched: " + p.work.NotWatching + ")"
	}
	self := os.Args[0]
	a.say("brainbridge %s is running, brain %s, pid %d", version, info.Brain, os.Getpid())
	a.say("  store  %s", info.URI)
	a.say("  notes  %s", notes)
	a.say("  log    %s", logFile(l))
	if p.web != nil {
		a.say("  mcp    %s, with the token in %s", p.web.URL()+mcpPath, l.Paths.Token)
	}
	a.say("")
	if p.work.Watch == nil {
		a.say("Type in another shell:")
	} else {
		a.say("Write a note there, such as %s.md, or type in another shell:", time.Now().Format(time.DateOnly))
	}
	a.say("  %s learn postgres \"staging listens on port 5433\"", self)
	a.say("  %s recall \"what port does postgres listen on?\"", self)
	a.say("  %s status", self)
	a.say("Ctrl-C stops it.")
}
