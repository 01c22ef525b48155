package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Work of less than a second shows nothing; after that each step is told, and
// what is shown goes before anything else is written.
func TestProgressOfLongWork(t *testing.T) { synctest.Test(t, testProgress) }

func testProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{out: &out, started: time.Now()}
	shown := func() string {
		defer out.Reset()
		return out.String()
	}
	<-time.After(999 * time.Millisecond)
	p.tell("settle", 5, 10)
	p.clear()
	if got := shown(); got != "" {
		t.Errorf("within the first second: %q", got)
	}
	<-time.After(time.Millisecond)
	p.tell("settle", 5, 10)
	if got := shown(); got != clearLine+progressLine("settle", 5, 10) {
		t.Errorf("after a second: %q", got)
	}
	p.tell("settle", 10, 10)
	p.tell("duplicates", 20, 20)
	if got := shown(); got != clearLine {
		t.Errorf("at its end: %q", got)
	}
	p.tell("core memory", 0, 0)
	if got := shown(); !strings.HasSuffix(got, "core memory …") {
		t.Errorf("at its beginning: %q", got)
	}
	p.tell("core memory", 3, 0)
	if got := shown(); got != "" {
		t.Errorf("at once again: %q", got)
	}
	<-time.After(redrawAfter)
	p.tell("core memory", 7, 0)
	if got := shown(); !strings.HasSuffix(got, "core memory … 7 found") {
		t.Errorf("without a total: %q", got)
	}
	p.clear()
	p.clear()
	if got := shown(); got != clearLine {
		t.Errorf("cleared twice: %q", got)
	}
}

// The progress of a use case is shown on a terminal, and nowhere else, and never
// on standard output.
func TestProgressIsForTerminals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*cli)
		want   string
	}{
		"terminal":     {func(*cli) {}, clearLine + progressLine("slow work", 3, 10) + clearLine},
		"no terminal":  {func(a *cli) { a.errTTY = false }, ""},
		"quiet":        {func(a *cli) { a.quiet = true }, ""},
		"for programs": {func(a *cli) { a.json = true }, ""},
	} {
		var out, said bytes.Buffer
		a := &cli{out: &out, err: &said, errTTY: true, outTTY: true}
		c.change(a)
		a.startProgress()
		if a.bar != nil {
			a.bar.started = time.Now().Add(-time.Minute)
		}
		notices{a}.Progress("slow work", 3, 10)
		if err := a.close(); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 0 {
			t.Errorf("%s: standard output has %q", name, out.String())
		}
		if said.String() != c.want {
			t.Errorf("%s: standard error has %q, want %q", name, said.String(), c.want)
		}
	}
}
