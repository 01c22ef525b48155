package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// person is an app with somebody at a terminal who types an answer.
func person(answer string) (a *cli, out, stderr *bytes.Buffer) {
	out, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return &cli{
		in: strings.NewReader(answer), out: out, err: stderr, inTTY: true, errTTY: true,
		env: func(string) string { return "" },
	}, out, stderr
}

func TestConfirmAsksOnATerminal(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "Yes\n": true, "y": true, "n\n": false, "\n": false, "maybe\n": false} {
		a, out, stderr := person(answer)
		got, err := a.confirm("forget it", "the plan")
		if err != nil || got != want {
			t.Errorf("%q is taken as %v, %v; want %v", answer, got, err, want)
		}
		if s := stderr.String(); !strings.HasPrefix(s, "the plan\nforget it? [y/N] ") {
			t.Errorf("a person reads %q", s)
		}
		if out.Len() > 0 {
			t.Errorf("the question went to the results: %q", out.String())
		}
	}
}

func TestConfirmWithoutAnswer(t *testing.T) {
	a, _, _ := person("")
	if yes, err := a.confirm("forget it", "the plan"); yes || !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("no answer is taken as %v, %v", yes, err)
	}
	a, _, _ = person("y\n")
	a.inTTY = false
	if yes, err := a.confirm("forget it", "the plan"); yes || app.ExitCode(err) != app.ExitUsage {
		t.Errorf("without a terminal it is %v, %v", yes, err)
	}
	a, _, stderr := person("")
	a.yes = true
	if yes, err := a.confirm("forget it", "the plan"); !yes || err != nil || stderr.Len() > 0 {
		t.Errorf("--yes is %v, %v, and prints %q", yes, err, stderr.String())
	}
	a, out, _ := person("")
	a.dryRun = true
	if yes, err := a.confirm("forget it", "the plan"); !yes || err != nil || out.String() != "the plan\n" {
		t.Errorf("--dry-run is %v, %v, and prints %q", yes, err, out.String())
	}
}

func TestInstallAsksAboutTheAgentsThatItFinds(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATH", home)
	for _, step := range [][2]string{{".codex", "found codex\nset it up? [y/N] "}, {".gemini", "found codex and gemini\nset them up? [y/N] "}} {
		if err := os.Mkdir(filepath.Join(home, step[0]), 0o700); err != nil {
			t.Fatal(err)
		}
		a, _, stderr := person("n\n")
		a.env = func(name string) string { return map[string]string{"HOME": home}[name] }
		u, err := a.use()
		if err != nil {
			t.Fatal(err)
		}
		if found, err := a.chooseAgents(u); found != nil || err != nil || !strings.HasPrefix(stderr.String(), step[1]) {
			t.Errorf("a person who says no has chosen %v, %v, and reads %q", found, err, stderr)
		}
	}
}
