package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/brainbridge/brainbridge/integration/app"
)

func TestDaemonLine(t *testing.T) {
	for _, c := range []struct {
		state    *app.DaemonState
		line     string
		watching bool
	}{
		{nil, "not running", false},
		{&app.DaemonState{Notes: app.Watched}, "running, watches the notes", true},
		{&app.DaemonState{Notes: app.Scanned, Why: "no watches left"}, "running, scans the notes now and then: no watches left", true},
		{&app.DaemonState{Notes: app.NotWatched, Why: "not ours"}, "running, does not watch the notes: not ours", false},
		{&app.DaemonState{Notes: app.Starting}, "running, getting ready", false},
	} {
		if got := daemonLine(c.state); got != c.line || c.state.Watching() != c.watching {
			t.Errorf("%+v is %q, watching %v", c.state, got, c.state.Watching())
		}
	}
}

// If the settings give two brains one notes folder, it feeds the one that had it first.
func TestStatusSaysWhoWatches(t *testing.T) {
	home := t.TempDir()
	stopFirst, _ := serving(t, home)
	succeed(t, home, "--brain", "second", "init")
	succeed(t, home, "config", "set", "brains.second.notes", "memory")
	stopSecond, greeting := serving(t, home, "--brain", "second")
	if strings.Contains(greeting, "Write a note") || !strings.Contains(greeting, "not watched") {
		t.Errorf("the greeting of a daemon that does not watch: %s", greeting)
	}
	for brain, want := range map[string]app.NotesCare{"default": app.Watched, "second": app.NotWatched} {
		s := statusOf(t, home, brain)
		if s.Daemon == nil || s.Daemon.Notes != want || s.Watching != (want == app.Watched) || (s.Daemon.Why != "") != (want == app.NotWatched) {
			t.Errorf("%s: watching %v, daemon %+v", brain, s.Watching, s.Daemon)
		}
	}
	stopSecond()
	stopFirst()
	for _, brain := range []string{"default", "second"} {
		if s := statusOf(t, home, brain); s.Daemon != nil || s.Watching {
			t.Errorf("%s: after the stop: %+v", brain, s.Daemon)
		}
		if _, err := os.Stat(filepath.Join(home, "state", brain, "daemon.json")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the state is still there: %v", brain, err)
		}
	}
}

// A daemon goes on without the file of its token, but nobody else can speak to it.
func TestDoctorNamesATokenThatIsGone(t *testing.T) {
	home := t.TempDir()
	stop, _ := serving(t, home)
	defer stop()
	if err := os.Remove(filepath.Join(home, "state", "default", "token")); err != nil {
		t.Fatal(err)
	}
	out, err := program(t, home, "doctor").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "FAIL  daemon       the token of the daemon is gone") || !strings.Contains(string(out), "start it again") {
		t.Errorf("doctor says %v:\n%s", err, out)
	}
}

// serving starts a daemon and waits until it says that it runs.
func serving(t *testing.T, home string, args ...string) (stop func(), greeting string) {
	t.Helper()
	_, stop, greeting = servingAgain(t, home, args...)
	return stop, greeting
}

// servingAgain is serving, with a function that waits until the daemon says once more that it
// runs, and returns what it says.
func servingAgain(t *testing.T, home string, args ...string) (again func() string, stop func(), greeting string) {
	t.Helper()
	return servingOn(t, home, "127.0.0.1:0", args...)
}

// servingOn is servingAgain with an address for the page.
func servingOn(t *testing.T, home, address string, args ...string) (again func() string, stop func(), greeting string) {
	t.Helper()
	c := program(t, home, append(args, "serve")...)
	c.Env = append(c.Env, "BRAINBRIDGE_WEB_LISTEN="+address)
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	lines := bufio.NewScanner(said)
	again = func() string {
		t.Helper()
		var text strings.Builder
		for !strings.Contains(text.String(), "Ctrl-C stops it.") {
			if !lines.Scan() {
				t.Fatalf("the daemon ended: %s", text.String())
			}
			text.WriteString(lines.Text() + "\n")
		}
		return text.String()
	}
	greeting = again()
	return again, func() {
		t.Helper()
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, said); err != nil {
			t.Fatal(err)
		}
		if code := codeOf(t, c.Wait()); code != 0 {
			t.Errorf("the daemon ended with %d", code)
		}
	}, greeting
}

// succeed runs a command that must succeed, and returns what it printed.
func succeed(t *testing.T, home string, args ...string) string {
	t.Helper()
	out, err := program(t, home, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
	return string(out)
}

func statusOf(t *testing.T, home, brain string) app.StatusAnswer {
	t.Helper()
	out, err := program(t, home, "--brain", brain, "status", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var s app.StatusAnswer
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	return s
}
