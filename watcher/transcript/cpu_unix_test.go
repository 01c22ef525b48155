//go:build unix

package transcript

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of processors so far: on a machine
// that others share, the clock on the wall says little.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
