package neo4jtest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Options of a server of a test's own. The zero value asks for no password.
type Options struct {
	Password string            // of the user neo4j, at least 8 characters; empty switches passwords off
	Settings map[string]string // further lines of neo4j.conf
}

// Instance is a server for a single test. Its methods fail the test on errors. It is not
// safe for concurrent use.
type Instance struct {
	tb      testing.TB
	scripts string
	home    string
	options Options
	uri     string
}

// Start starts a server on a free port with its data in a temporary folder, which takes about 6 s, and stops it at
// the end of the test. It is skipped and fails under the same conditions as Server. The server also stops if the test
// process dies, so none is left behind.
func Start(tb testing.TB, options Options) *Instance {
	tb.Helper()
	needNeo4j(tb)
	i := &Instance{
		tb:      tb,
		scripts: filepath.Join(moduleRoot(tb), "scripts", "neo4j"),
		home:    tb.TempDir(),
		options: options,
	}
	i.up("0")
	tb.Cleanup(i.Stop)
	return i
}

// URI is the server's Bolt URI. It stays the same over a restart.
func (i *Instance) URI() string { return i.uri }

// Password is that of the user neo4j, or empty if the server asks for none.
func (i *Instance) Password() string { return i.options.Password }

// Kill ends the server at once, as a power cut would. The port is closed when it returns.
func (i *Instance) Kill() {
	i.tb.Helper()
	i.script("down.sh", "--kill", i.home)
}

// Stop shuts the server down and returns when it has ended. It does nothing if no server
// runs.
func (i *Instance) Stop() {
	i.tb.Helper()
	i.script("down.sh", i.home)
}

// Restart starts the server again on the same data and port, after stopping it in the ordinary way if it runs.
// When it returns, the server answers.
func (i *Instance) Restart() {
	i.tb.Helper()
	i.Stop()
	i.up(i.uri[strings.LastIndexByte(i.uri, ':')+1:])
}

// up starts the server on a port and keeps its URI.
func (i *Instance) up(port string) {
	i.tb.Helper()
	args := []string{"--with", strconv.Itoa(os.Getpid())}
	if i.options.Password != "" {
		args = append(args, "--password", i.options.Password)
	}
	for key, value := range i.options.Settings {
		args = append(args, "--set", key+"="+value)
	}
	i.uri = i.script("up.sh", append(args, i.home, port)...)
}

// script runs one of the project's scripts and returns what it printed. It does not end with the context of the test,
// which is over when Cleanup stops the server; the scripts have time limits of their own, and this one is only for
// what they cannot foresee.
func (i *Instance) script(name string, args ...string) string {
	i.tb.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(i.tb.Context()), 10*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(i.scripts, name), args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// The simpler compiler of Java halves the work of a start, and these servers live for a short time.
	cmd.Env = append(os.Environ(), "JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1")
	if err := cmd.Run(); err != nil {
		i.tb.Fatalf("scripts/neo4j/%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(stdout.String())
}

// moduleRoot finds the folder that scripts/neo4j is in, from this file, or where -trimpath hides that, from the folder
// that the test runs in.
func moduleRoot(tb testing.TB) string {
	tb.Helper()
	_, file, _, _ := runtime.Caller(0)
	wd, err := os.Getwd()
	if err != nil {
		tb.Fatalf("find the folder of the test: %v", err)
	}
	for _, from := range []string{filepath.Dir(file), wd} {
		if root, err := rootAbove(from); err == nil {
			return root
		}
	}
	tb.Fatalf("no folder above %s has scripts/neo4j/up.sh: run the tests from a checkout", wd)
	return ""
}

var errNoRoot = errors.New("no folder above has scripts/neo4j/up.sh")

// rootAbove looks in a folder and those above it for the project's scripts.
func rootAbove(folder string) (string, error) {
	for filepath.IsAbs(folder) {
		if _, err := os.Stat(filepath.Join(folder, "scripts", "neo4j", "up.sh")); err == nil {
			return folder, nil
		}
		above := filepath.Dir(folder)
		if above == folder {
			break
		}
		folder = above
	}
	return "", errNoRoot
}
