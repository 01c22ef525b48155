package e2e

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

// pause stops a process in the middle of its work, however fast it is and
// however slow the test: it may only go on for moments, between looks whether
// it has begun. A process that holds a lock then keeps it.
func pause(t *testing.T, p *os.Process, begun func() bool) {
	t.Helper()
	eventually(t, func() error {
		must(t, p.Signal(syscall.SIGSTOP))
		if begun() {
			return nil
		}
		must(t, p.Signal(syscall.SIGCONT))
		<-time.After(50 * time.Millisecond)
		return errors.New("it has not begun")
	})
}

// resume lets a process go on that was stopped. One that was killed cannot.
func resume(t *testing.T, p *os.Process) {
	t.Helper()
	if err := p.Signal(syscall.SIGCONT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}
