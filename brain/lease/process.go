package lease

import (
	"errors"
	"os"
	"syscall"

	"github.com/brainbridge/brainbridge/brain"
)

// Host returns the name of this machine, "" if the system does not know it.
func Host() string {
	host, _ := os.Hostname()
	return host
}

// ThisProcess returns the holder that this process writes into its locks.
func ThisProcess() brain.Holder {
	return brain.Holder{Host: Host(), PID: os.Getpid(), Token: brain.NewID()}
}

// HolderGone reports whether a holder was a process of this machine that has
// ended. Nothing is known about processes of another machine.
func HolderGone(h brain.Holder) bool {
	if h.Host == "" || h.Host != Host() || h.PID <= 0 {
		return false
	}
	return errors.Is(syscall.Kill(h.PID, 0), syscall.ESRCH)
}
