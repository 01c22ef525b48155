package main

import (
	"context"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"
)

// ready tells the service manager that started the daemon, if one did, that
// the daemon does its work now.
func (p *process) ready() { p.notify(sd.SdNotifyReady + "\nSTATUS=" + daemonLine(new(p.state()))) }

func (p *process) notify(state string) {
	if _, err := sd.SdNotify(false, state); err != nil {
		p.log.Warn().Err(err).Msg("the service manager cannot be told")
	}
}

// beat tells the service manager twice in each interval of its watchdog that
// the daemon is alive, until ctx ends, what is under way included. Each beat
// asks the watcher for its state: one that hangs ends the beats, and the manager
// starts the daemon anew. Runs of consolidation may take as long as they take.
func (p *process) beat(ctx context.Context) error {
	interval, err := sd.SdWatchdogEnabled(false)
	if err != nil {
		p.log.Warn().Err(err).Msg("the watchdog is not told of the daemon")
	}
	if err != nil || interval == 0 {
		return nil
	}
	t := time.NewTicker(interval / 2)
	defer t.Stop()
	for {
		p.notify(sd.SdNotifyWatchdog + "\nSTATUS=" + daemonLine(new(p.state())))
		select {
		case <-ctx.Done():
			p.notify(sd.SdNotifyStopping)
			return nil
		case <-t.C:
		}
	}
}
