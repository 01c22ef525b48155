package main

import (
	"context"
	"time"

	sd "github.com/coreos/go-systemd/v22/daemon"
)

// ready tells the service manager that started the daemon, if one did, that
// the daemon does its work now.
func (d *daemon) ready() { d.notify(sd.SdNotifyReady + "\nSTATUS=" + daemonLine(new(d.state()))) }

func (d *daemon) notify(state string) {
	if _, err := sd.SdNotify(false, state); err != nil {
		d.log.Warn().Err(err).Msg("the service manager cannot be told")
	}
}

// beat tells the service manager twice in each interval of its watchdog that
// the daemon is alive, until ctx ends, what is under way included. Each beat
// asks the watcher for its state: one that hangs ends the beats, and the manager
// starts the daemon anew. Runs of consolidation may take as long as they take.
func (d *daemon) beat(ctx context.Context) error {
	interval, err := sd.SdWatchdogEnabled(false)
	if err != nil {
		d.log.Warn().Err(err).Msg("the watchdog is not told of the daemon")
	}
	if err != nil || interval == 0 {
		return nil
	}
	t := time.NewTicker(interval / 2)
	defer t.Stop()
	for {
		d.notify(sd.SdNotifyWatchdog + "\nSTATUS=" + daemonLine(new(d.state())))
		select {
		case <-ctx.Done():
			d.notify(sd.SdNotifyStopping)
			return nil
		case <-t.C:
		}
	}
}
