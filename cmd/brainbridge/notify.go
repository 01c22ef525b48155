package main

import (
	"context"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"
)

// ready tells the service manager, if it started the daemon, that the daemon is
// ready.
func (p *process) ready() { p.notify(sd.SdNotifyReady + "\nSTATUS=" + daemonLine(new(p.state()))) }

func (p *process) notify(state string) {
	if _, err := sd.SdNotify(false, state); err != nil {
		p.log.Warn().Err(err).Msg("cannot notify the service manager")
	}
}

// beat tells the service manager twice in each interval of its watchdog that the
// daemon is alive, until ctx ends. Each beat asks the watcher for its state: if the
// watcher hangs, the beats end and the manager restarts the daemon. Runs may take any
// time.
func (p *process) beat(ctx context.Context) error {
	interval, err := sd.SdWatchdogEnabled(false)
	if err != nil {
		p.log.Warn().Err(err).Msg("cannot notify the watchdog")
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
