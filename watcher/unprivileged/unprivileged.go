// Package unprivileged lets a test of what file permissions forbid run for root too, whom they do not stop: as on most
// machines of a CI. The test is run again in a process of its own, which has not got root's right to read everything.
package unprivileged

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// again marks the process in which a test runs again.
const again = "BRAINBRIDGE_TEST_UNPRIVILEGED"

// Elsewhere reports whether the calling test was run in another process, and is to return at once; it has failed then
// if it failed there. It is false where permissions stop this process already. Call it first, in a test that is not
// parallel. Its process must be able to start others, and if it is root to give rights away, or the test fails.
func Elsewhere(t *testing.T) bool {
	t.Helper()
	if !readsAll(t) {
		return false
	}
	if os.Getenv(again) != "" {
		t.Fatal("this process reads what it has no permission for, although that right was taken away")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatalf("find the test's own program: %v", err)
	}
	c := exec.CommandContext(t.Context(), program, "-test.run="+exactly(t.Name()), "-test.count=1", "-test.v")
	c.Env = append(os.Environ(), again+"=1")
	out, err := withoutRights(c)
	if err != nil {
		t.Fatalf("run it without the right to read everything: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Fatalf("it did not run without the right to read everything:\n%s", out)
	}
	return true
}

// exactly is the pattern that selects one test by its name.
func exactly(name string) string {
	return "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
}

// readsAll tries whether permissions stop this process.
func readsAll(t *testing.T) bool {
	t.Helper()
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	_, err := os.ReadDir(closed)
	return err == nil
}
