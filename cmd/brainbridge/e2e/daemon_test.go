package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// daemon is a running `brainbridge serve`.
type daemon struct {
	t     *testing.T
	cmd   *exec.Cmd
	said  *words
	ended chan struct{}
}

// words are what a process says while it runs.
type words struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// launch starts a daemon and waits until it has said something.
func (h *home) launch(until string) *daemon {
	h.t.Helper()
	return h.start(h.command(context.Background(), "serve"), until)
}

func (h *home) start(serve *exec.Cmd, until string) *daemon {
	h.t.Helper()
	d := newDaemon(h.t, serve)
	d.cmd.Stderr = d.said
	return d.start(until)
}

func newDaemon(t *testing.T, serve *exec.Cmd) *daemon {
	return &daemon{t: t, cmd: serve, said: &words{}, ended: make(chan struct{})}
}

func (d *daemon) start(until string) *daemon {
	d.t.Helper()
	must(d.t, d.cmd.Start())
	go func() {
		defer close(d.ended)
		_ = d.cmd.Wait() // the code is looked at by those who want one
	}()
	d.t.Cleanup(d.kill)
	eventually(d.t, func() error {
		select {
		case <-d.ended:
			d.t.Fatalf("the daemon ended with %d:\n%s", d.cmd.ProcessState.ExitCode(), d.said)
		default:
		}
		if !strings.Contains(d.said.String(), until) {
			return fmt.Errorf("the daemon does not say %q but:\n%s", until, d.said)
		}
		return nil
	})
	return d
}

// serve starts a daemon that works.
func (h *home) serve() *daemon { h.t.Helper(); return h.launch("Ctrl-C stops it.") }

func (d *daemon) signal(s syscall.Signal) {
	d.t.Helper()
	must(d.t, d.cmd.Process.Signal(s))
}

// kill ends the daemon as a power cut would. It may have ended already.
func (d *daemon) kill() {
	_ = d.cmd.Process.Kill()
	<-d.ended
}

// code waits for the end and returns the exit code.
func (d *daemon) code() int {
	d.t.Helper()
	eventually(d.t, func() error {
		select {
		case <-d.ended:
			return nil
		default:
			return fmt.Errorf("the daemon did not end:\n%s", d.said)
		}
	})
	return d.cmd.ProcessState.ExitCode()
}

// stop ends the daemon as a service manager does.
func (d *daemon) stop() {
	d.t.Helper()
	d.signal(syscall.SIGTERM)
	if code := d.code(); code != 0 {
		d.t.Fatalf("a daemon that was asked to stop ended with %d:\n%s", code, d.said)
	}
}

func TestDaemonStopsAndStartsAgain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		d := h.serve()
		want(t, "watching", h.status().Watching, true)
		d.stop()
		want(t, "watching after the stop", h.status().Watching, false)

		d = h.serve()
		d.kill()
		want(t, "watching after kill -9", h.status().Watching, false)

		d = h.serve() // over the lock file that was left
		want(t, "watching again", h.status().Watching, true)
		d.signal(syscall.SIGINT)
		want(t, "exit code after Ctrl-C", d.code(), 0)
	})
}

func TestSecondSignalInterruptsTheDrain(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	d := h.serve()
	silent, err := net.Dial("tcp", strings.TrimPrefix(ask[struct{ Web string }](h, "status").Web, "http://")) // a client that says nothing is waited for
	must(t, err)
	defer func() { must(t, silent.Close()) }()
	// Both signals find the daemon at once: a drain is over in a moment.
	d.signal(syscall.SIGSTOP)
	d.signal(syscall.SIGINT)
	d.signal(syscall.SIGTERM) // not the same signal again: two of a kind may arrive as one
	d.signal(syscall.SIGCONT)
	want(t, "exit code", d.code(), 130)
	h.serve().stop()
}

func TestSecondDaemonOfABrainIsRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.serve()
		a := h.exits(4, "serve", "--json")
		says(t, a.failed(t).Error.Message, "daemon", h.brain, "running already")
		want(t, "watching", h.status().Watching, true)
	})
}

// What it would go on to write into a file without a name would be lost.
func TestDaemonEndsWhenItsDatabaseIsReplaced(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	d := h.serve()
	db := h.path("data", h.brain, "brain.db")
	must(t, os.Rename(db, db+".old"))
	want(t, "exit code", d.code(), 5)
	says(t, d.said.String(), db, "was removed or replaced", "restart the daemon")
	must(t, os.Rename(db+".old", db))
	h.serve().stop()
}

func TestDaemonRefusesASetClock(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "BRAINBRIDGE_NOW=2026-03-01T12:00:00Z")
	says(t, h.exits(2, "serve").err, "BRAINBRIDGE_NOW")
	if left, err := os.ReadDir(h.dir); err != nil || len(left) > 0 {
		t.Errorf("it made %v (%v)", left, err)
	}
}

// A fresh machine: no home of ours, no XDG folders, nothing configured.
func TestFirstRunMakesWhatItNeeds(t *testing.T) {
	t.Parallel()
	h := &home{t: t, dir: newHome(t).dir, brain: "default"}
	h.env = []string{"BRAINBRIDGE_HOME=", "BRAINBRIDGE_BRAIN=", "HOME=" + h.dir}
	d := h.serve()
	data, state, notes := h.path(".local/share/brainbridge/default"), h.path(".local/state/brainbridge/default"), h.path("brainbridge/memory")
	says(t, d.said.String(), filepath.Join(data, "brain.db"), notes, filepath.Join(state, "daemon.log"), "recall", "remember", "install")

	must(t, os.WriteFile(filepath.Join(notes, "2026-01-05.md"), []byte(note("10:00", "Port", "staging listens on 5433")), 0o644))
	want(t, "title", h.once("staging listens").Name, "Port")
	h.ok("learn", "tea", "green, not black")
	h.once("green tea")

	for path, mode := range map[string]os.FileMode{
		data: 0o700, state: 0o700, filepath.Join(data, "brain.db"): 0o600, filepath.Join(state, "daemon.log"): 0o600,
	} {
		info, err := os.Lstat(path)
		must(t, err)
		want(t, "mode of "+path, info.Mode().Perm(), mode)
	}
	d.stop()
}

// A state folder that others may read is closed.
func TestStateIsInAClosedFolder(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	must(t, os.MkdirAll(h.state(""), 0o755))
	must(t, os.Chmod(h.state(""), 0o755))
	h.serve()
	info, err := os.Stat(h.state(""))
	must(t, err)
	want(t, "mode of the state folder", info.Mode().Perm(), os.FileMode(0o700))
}
