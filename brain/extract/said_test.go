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

// A thing to do is a commitment, however much it must be done, and not a rule for all times.
func TestTasksAreNoPreferences(t *testing.T) {
	for text, want := range map[string]extract.Kind{
		"I have to call the tax office by Friday":                    extract.Commitment,
		"We have to renew the certificate of the shop before Friday": extract.Commitment,
		"I still have to write the migration for orders":             extract.Commitment,
		"Don’t forget to renew the certificate on Friday":            extract.Commitment,
		"Wir müssen bis Freitag den Shop umziehen":                   extract.Commitment,
		"We must not deploy on Fridays":                              extract.Preference,
		"We don’t merge on red CI":                                   extract.Preference,
		"Every commit must pass the tests before Friday":             extract.Preference,
		"You must always ask before pushing":                         extract.Preference,
	} {
		if got := extract.KindOf(text); got != want {
			t.Errorf("%q is a %s, want %s", text, got, want)
		}
	}
}
