package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the program that all tests run.
var binary string

// withoutEvents names the environment variable that makes this program the
// daemon without file events, and holds the path of the daemon's program.
const withoutEvents = "BRAINBRIDGE_E2E_WITHOUT_EVENTS"

// builtBinary names the environment variable with the program, for a test that runs again in
// another process.
const builtBinary = "BRAINBRIDGE_E2E_BINARY"

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if program := os.Getenv(withoutEvents); program != "" {
		fmt.Fprintln(os.Stderr, serveWithoutEvents(program))
		return 1
	}
	if binary = os.Getenv(builtBinary); binary != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "bb-bin-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // one test runs it as somebody else
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	binary = filepath.Join(dir, "brainbridge")
	if out, err := exec.Command("go", "build", "-o", binary, "..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the binary: %v\n%s", err, out)
		return 1
	}
	if err := os.Setenv(builtBinary, binary); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
