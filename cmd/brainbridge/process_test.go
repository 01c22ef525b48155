package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/integration/app"
)

// program is the binary with a home of its own.
func program(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), filepath.Join(built, binaryName()), args...)
	c.Env = []string{"BRAINBRIDGE_HOME=" + home, "PATH=" + os.Getenv("PATH")}
	c.Dir = t.TempDir()
	return c
}

// codeOf waits for a process and returns its exit code.
func codeOf(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

func TestInterruptEndsWith130(t *testing.T) {
	c := program(t, t.TempDir(), "status", "--watch")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "daemon:") {
			break
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Fatal(err)
	}
	if code := codeOf(t, c.Wait()); code != app.ExitInterrupted {
		t.Errorf("exit code %d, want %d; it said %s", code, app.ExitInterrupted, stderr.String())
	}
	if said, want := stderr.String(), "brainbridge: interrupted\n"; said != want {
		t.Errorf("it said %q, want %q", said, want)
	}
}

// A second run at the same time says who is running, and since when. The
// older forms wait for it.
func TestBusyRun(t *testing.T) {
	home := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(home, "data", "default", "brain.db"), "default")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	me := lease.ThisProcess()
	held, err := s.Lease(t.Context(), consolidate.LeaseName, me, lease.HolderGone)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"consolidate", "promote", "decay"} {
		c := program(t, home, name)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if code := codeOf(t, c.Run()); code != app.ExitBusy {
			t.Errorf("%s: exit code %d, want %d", name, code, app.ExitBusy)
		}
		if s := stderr.String(); !strings.Contains(s, "is running since") || !strings.Contains(s, "pid ") {
			t.Errorf("%s said %q", name, s)
		}
	}
	c := program(t, home, "-consolidateAll")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if code := codeOf(t, c.Wait()); code != 0 {
		t.Errorf("an older form ended with %d though the run before it had ended", code)
	}
}

// Who died with the lock in hand keeps nobody out.
func TestHolderGone(t *testing.T) {
	me := lease.ThisProcess()
	if lease.HolderGone(me) {
		t.Error("this process counts as gone")
	}
	dead := program(t, t.TempDir(), "version")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	if !lease.HolderGone(brain.Holder{Host: me.Host, PID: dead.Process.Pid}) {
		t.Error("a process that has ended does not count as gone")
	}
	if lease.HolderGone(brain.Holder{Host: "elsewhere", PID: dead.Process.Pid}) {
		t.Error("of another machine nothing is known")
	}
}
