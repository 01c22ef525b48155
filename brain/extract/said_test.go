package extract_test

import (
	"os"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/extract"
)

// Plain statements, and plain sentences that are none, to which the weights were fitted
// beside the labelled set of `brainbridge bench extract`: a guard, not a measurement.
func TestPlainStatements(t *testing.T) {
	data, err := os.ReadFile("testdata/said.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, wrong, missed, ofKind := 0, 0, 0, 0
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if len(fields) != 3 {
			t.Fatalf("%q is not label, speaker, text", line)
		}
		items := extract.Judge(said(extract.Speaker(fields[1]), fields[2]).Turns)
		switch kept := len(items) > 0; {
		case kept && fields[0] != "none":
			right++
			if items[0].Kind == extract.Kind(fields[0]) {
				ofKind++
			}
		case kept:
			wrong++
			t.Logf("wrong: %s", fields[2])
		case fields[0] != "none":
			missed++
			t.Logf("missed: %s", fields[2])
		}
	}
	t.Logf("%d right, %d of them of their kind; %d wrong, %d missed", right, ofKind, wrong, missed)
	if wrong*15 > right || missed*3 > right || ofKind*5 < right*3 {
		t.Errorf("%d right, %d of them of their kind; %d wrong, %d missed", right, ofKind, wrong, missed)
	}
}
