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

// hostName returns the name of this machine, "" if the system does not know it.
func hostName() string {
	host, _ := os.Hostname()
	return host
}

// ThisProcess returns the name that this process writes into its locks.
func ThisProcess() brain.Holder {
	return brain.Holder{Host: hostName(), PID: os.Getpid(), Token: brain.NewID()}
}

// HolderGone reports whether a holder was a process of this machine that has
// ended. Nothing is known about processes of another machine.
func HolderGone(h brain.Holder) bool {
	if h.Host == "" || h.Host != hostName() || h.PID <= 0 {
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

// whileBusy calls fn again while it returns [brain.ErrBusy], for as long as wait.
func whileBusy[T any](ctx context.Context, wait time.Duration, fn func() (T, error)) (T, error) {
	until := time.Now().Add(wait)
	for {
		v, err := fn()
		if !errors.Is(err, brain.ErrBusy) || time.Now().After(until) {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, ctx.Err()
		case <-time.After(waitStep):
		}
	}
}

// holdMaintenance waits for the lock of runs and takes it.
func (u *UseCases) holdMaintenance(ctx context.Context, s brain.Leaser) (release func(), err error) {
	holder := ThisProcess()
	lease, err := whileBusy(ctx, maintenancePatience, func() (brain.Lease, error) {
		return s.Lease(ctx, consolidate.LeaseName, holder, HolderGone)
	})
	if err != nil {
		return nil, err
	}
	return func() {
		if err := lease.Release(); err != nil {
			u.caller.Notices.Warn(fmt.Errorf("release the lock: %w", err))
		}
	}, nil
}
