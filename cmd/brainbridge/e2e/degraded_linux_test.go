package e2e

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Where the machine has no file events left, the daemon scans, and says so.
// A user namespace of its own has a limit of its own.
func TestDaemonWithoutFileEvents(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	const limit = "/proc/sys/user/max_inotify_instances"
	h.as = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	try := exec.Command("/bin/sh", "-c", "echo 0 > "+limit)
	try.SysProcAttr = h.as
	if out, err := try.CombinedOutput(); err != nil {
		t.Skipf("this kernel gives no user namespace in which file events can be taken away (%v): %s", err, out)
	}
	serve := exec.Command("/bin/sh", "-c", "echo 0 > "+limit+` && exec "$0" serve`, binary)
	serve.Env, serve.Dir, serve.SysProcAttr = h.environ(), h.dir, h.as
	h.as = nil
	d := h.start(serve, "Ctrl-C stops it.")
	h.save("2026-01-05.md", note("10:00", "Port", "scannedmark"))
	h.once("scannedmark")
	h.save("2026-01-06.md", note("10:00", "Later", "latermark")) // after the first scan
	h.once("latermark")
	raw, err := os.ReadFile(h.state("daemon.log"))
	must(t, err)
	if n := strings.Count(string(raw), "no file events; scanning"); n != 1 {
		t.Errorf("the log says it %d times, not once:\n%s", n, raw)
	}
	says(t, string(raw), "inotify")
	d.stop()
}
