package testlab

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// reportFile is the environment variable with the file to which [Report] appends.
const reportFile = "BRAINBRIDGE_TEST_REPORT"

// Reporting reports whether figures are kept: tests may then take longer.
func Reporting() bool { return os.Getenv(reportFile) != "" }

// Report logs what a test counted on a store, such as "400 captures, 211 acknowledged, 0 lost".
// The store is empty for a test without one.
// `make guarantees` puts the last such line of each test and store into docs/guarantees.md.
func Report(t testing.TB, store, format string, args ...any) {
	t.Helper()
	figures := fmt.Sprintf(format, args...)
	t.Log(store, figures)
	name := os.Getenv(reportFile)
	if name == "" {
		return
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "%s\t%s\t%s\n", test, store, figures)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
