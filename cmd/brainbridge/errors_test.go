package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("a bug"), 1},
		{usage("", "wrong"), 2},
		{fmt.Errorf("capture: %w", brain.ErrInvalid), 2},
		{fmt.Errorf("load: %w", &config.Error{Key: "brain"}), 2},
		{fmt.Errorf("show: %w", brain.ErrNotFound), 3},
		{fmt.Errorf("set: %w", &config.Error{Err: durable.ErrBusy}), 4},
		{&brain.HeldError{Name: "consolidation"}, 4},
		{fmt.Errorf("forget: %w", brain.ErrConflict), 4},
		{fmt.Errorf("open: %w", brain.ErrUnavailable), 5},
		{fmt.Errorf("open: %w", brain.ErrRefused), 5},
		{fmt.Errorf("recall: %w", context.DeadlineExceeded), 5},
		{fmt.Errorf("recall: %w", context.Canceled), 130},
	} {
		if got := app.ExitCode(c.err); got != c.want {
			t.Errorf("%v ends with %d, want %d", c.err, got, c.want)
		}
	}
}

func TestFailIsOneLineForPrograms(t *testing.T) {
	var stderr bytes.Buffer
	a := &cli{err: &stderr, json: true}
	code := a.fail(fmt.Errorf("show: %w", brain.Errorf(brain.ErrNotFound, "look \"there\"", "no <memory>\nof that name")))
	if code != app.ExitNotFound {
		t.Errorf("exit code %d, want %d", code, app.ExitNotFound)
	}
	if n := strings.Count(stderr.String(), "\n"); n != 1 {
		t.Fatalf("%d lines, want 1: %s", n, stderr.String())
	}
	var v struct {
		Error struct {
			Code          int
			Message, Hint string
		}
	}
	if err := json.Unmarshal(stderr.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if v.Error.Code != 3 || v.Error.Hint != `look "there"` || v.Error.Message != "show: no <memory>\nof that name" {
		t.Errorf("got %+v", v.Error)
	}
}

func TestHintOfWhatTheSystemRefuses(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{syscall.ENOSPC, "free some space"},
		{syscall.EDQUOT, "free some space"},
		{syscall.EROFS, "read-only"},
		{syscall.EACCES, "who owns it"},
		{syscall.EIO, "system log"},
	} {
		wrapped := fmt.Errorf("write the archive: %w", &fs.PathError{Op: "write", Path: "archive.json", Err: c.err})
		if got := app.Hint(wrapped); !strings.Contains(got, c.want) {
			t.Errorf("the hint of %v is %q", wrapped, got)
		}
	}
}

func TestFailTellsPeopleWhatToDo(t *testing.T) {
	var stderr bytes.Buffer
	a := &cli{err: &stderr}
	a.fail(usage("do this", "that is wrong"))
	if want := "brainbridge: that is wrong\n  do this\n"; stderr.String() != want {
		t.Errorf("got %q, want %q", stderr.String(), want)
	}
}
