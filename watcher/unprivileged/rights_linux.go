package unprivileged

import (
	"fmt"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// withoutRights runs a process that keeps its user but not the capabilities that set permissions aside.
func withoutRights(c *exec.Cmd) (out []byte, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends with the goroutine, and no other inherits what it lost
		if err = dropRights(); err == nil {
			out, err = c.CombinedOutput()
		}
	}()
	<-done
	return out, err
}

// dropRights takes from this thread what a process of root's would get from it. What it may do itself stays.
func dropRights() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fmt.Errorf("read the capabilities: %w", err)
	}
	for _, right := range []uint{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(right), 0, 0, 0); err != nil {
			return fmt.Errorf("drop capability %d (it takes CAP_SETPCAP): %w", right, err)
		}
		sets[0].Inheritable &^= 1 << right
	}
	if err := unix.Capset(&header, &sets[0]); err != nil {
		return fmt.Errorf("write the capabilities: %w", err)
	}
	return nil
}
