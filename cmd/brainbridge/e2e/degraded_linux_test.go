package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where the machine has no file events left, the daemon scans, and says so.
func TestDaemonWithoutFileEvents(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	own, err := os.Executable()
	must(t, err)
	serve := exec.Command(own)
	serve.Env, serve.Dir = append(h.environ(), withoutEvents+"="+binary), h.dir
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

// serveWithoutEvents becomes the daemon, to which the kernel gives no inotify
// instance any more: as if others held all that a user may have, which a test
// cannot bring about without disturbing others. It returns only if it fails.
func serveWithoutEvents(program string) error {
	runtime.LockOSThread() // the filter is that of the thread that becomes the daemon
	if err := refuse(unix.SYS_INOTIFY_INIT1, unix.EMFILE); err != nil {
		return err
	}
	if fd, err := unix.InotifyInit1(0); !errors.Is(err, unix.EMFILE) {
		return fmt.Errorf("inotify gives %d, %w in spite of the filter", fd, err)
	}
	return fmt.Errorf("run %s: %w", program, syscall.Exec(program, []string{program, "serve"}, os.Environ()))
}

// refuse lets a system call fail from now on, in this thread and in what it
// runs. Any user may do that.
func refuse(call uint32, errno syscall.Errno) error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call, first in seccomp_data
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, e := unix.Syscall(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER,
		uintptr(unsafe.Pointer(&prog))); e != 0 {
		return fmt.Errorf("filter system calls: %w", e)
	}
	return nil
}
