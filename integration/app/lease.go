package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
)

// ThisProcess is how this process signs the locks that it takes.
func ThisProcess() (brain.Holder, error) {
	host, err := os.Hostname()
	return brain.Holder{Host: host, PID: os.Getpid(), Token: brain.NewID()}, err
}

// HolderGone reports whether a holder was a process of this machine that has
// ended. Nothing is known about processes of another machine.
func HolderGone(h brain.Holder) bool {
	host, err := os.Hostname()
	if err != nil || host != h.Host || h.PID <= 0 {
		return false
	}
	return errors.Is(syscall.Kill(h.PID, 0), syscall.ESRCH)
}

// maintenancePatience is how long a backup waits for a run that is under way,
// waitStep how often it tries.
const (
	maintenancePatience = 30 * time.Second
	waitStep            = 200 * time.Millisecond
)

// holdMaintenance waits for the lock of runs and takes it.
func (u *UseCases) holdMaintenance(ctx context.Context, s brain.Leaser) (release func(), err error) {
	holder, err := ThisProcess()
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(maintenancePatience)
	for {
		lease, err := s.Lease(ctx, consolidate.LeaseName, holder, HolderGone)
		if err == nil {
			return func() {
				if err := lease.Release(); err != nil {
					u.caller.Notices.Warn(fmt.Errorf("release the lock: %w", err))
				}
			}, nil
		}
		if !errors.Is(err, brain.ErrBusy) || time.Now().After(until) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(waitStep):
		}
	}
}
