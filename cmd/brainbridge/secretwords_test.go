package main

import (
	"os"
	"strings"
	"testing"
)

// Every command that captures a text is in the script that looks for secrets.
func TestSecretWordsHaveEveryCapture(t *testing.T) {
	script, err := os.ReadFile("testdata/text/secretwords.txtar")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range newCLI().root(nil).Commands() {
		if c.GroupID != "capture" || c.Flags().Lookup("project") == nil {
			continue
		}
		n++
		if !strings.Contains(string(script), "\nexits 0 "+c.Name()+" ") {
			t.Errorf("%s is not in it", c.Name())
		}
	}
	if n < 6 {
		t.Errorf("only %d commands capture", n)
	}
}
