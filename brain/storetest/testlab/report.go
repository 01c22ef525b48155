package testlab

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// ReportFile is the environment variable with the file to which [Report] appends.
const ReportFile = "BRAINBRIDGE_TEST_REPORT"

// Reported is what a test counted, one line of JSON in the file.
type Reported struct {
	Test    string `json:"test"`
	Store   string `json:"store"`
	Figures string `json:"figures"`
}

// Report logs what a test counted on a store, such as "400 captures, 211 acknowledged, 0 lost".
// `make guarantees` puts the last such line of each test and store into docs/guarantees.md.
func Report(t testing.TB, store, format string, args ...any) {
	t.Helper()
	figures := fmt.Sprintf(format, args...)
	t.Log(store + ": " + figures)
	name := os.Getenv(ReportFile)
	if name == "" {
		return
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	line, err := json.Marshal(Reported{test, store, figures})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
