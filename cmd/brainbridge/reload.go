package main

import (
	"context"
	"errors"
	"os"
	"reflect"
	"time"

	"github.com/brainbridge/brainbridge/config"
)

// errSettings ends a daemon whose settings changed, so that it starts with the new ones.
var errSettings = errors.New("the settings have changed")

// configFile says when a config file was written, and its size; both are 0 without one.
type configFile struct {
	at   time.Time
	size int64
}

// serveAgain runs the daemon, and starts it again when its settings change.
func (a *cli) serveAgain(ctx context.Context) error {
	for {
		err := a.serve(ctx)
		if !errors.Is(err, errSettings) || ctx.Err() != nil {
			return err
		}
		a.say("The settings have changed, starting again with them.")
		a.brainName = a.loaded.Config.Brain // another brain has a daemon of its own
		if err := a.close(); err != nil {
			return err
		}
		a.loaded = nil
	}
}

// settingsChanged reports whether the config file gives the daemon other settings than those
// with which it started. If the file is invalid, the daemon keeps its settings.
func (p *process) settingsChanged() bool {
	var now configFile
	if info, err := os.Stat(p.core.Settings.Paths.ConfigFile); err == nil {
		now = configFile{info.ModTime(), info.Size()}
	}
	if now == p.config {
		return false
	}
	p.config = now
	in := p.cli.configInput()
	in.Flags["brain"] = p.core.Settings.Config.Brain
	l, err := config.Load(in)
	if err != nil {
		p.log.Warn().Err(err).Msg("the settings have changed and cannot be used")
		return false
	}
	was := p.cli.loaded
	return !reflect.DeepEqual([]any{l.Config, l.Paths}, []any{was.Config, was.Paths})
}
