package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config"
)

// Exit codes, a contract with scripts.
const (
	exitInternal    = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitBusy        = 4
	exitStore       = 5
	exitInterrupted = 130
)

// exitCode maps an error to the exit code.
func exitCode(err error) int {
	var setting *config.Error
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, brain.ErrUnavailable), errors.Is(err, brain.ErrRefused), errors.Is(err, brain.ErrReadOnly),
		errors.Is(err, context.DeadlineExceeded):
		return exitStore
	case errors.Is(err, durable.ErrBusy): // may be about a setting
		return exitBusy
	case errors.Is(err, brain.ErrInvalid), errors.As(err, &setting):
		return exitUsage
	case errors.Is(err, brain.ErrNotFound):
		return exitNotFound
	case errors.Is(err, brain.ErrBusy), errors.Is(err, brain.ErrConflict):
		return exitBusy
	}
	return exitInternal
}

// hintFor returns a hint for an error; empty for none.
func hintFor(err error) string {
	var ours *brain.Error
	var setting *config.Error
	var held *brain.HeldError
	switch {
	case errors.As(err, &ours):
		return cmp.Or(ours.Hint, hintOfSystem(err))
	case errors.As(err, &setting):
		return cmp.Or(setting.Hint, hintOfSetting(setting))
	case errors.As(err, &held):
		return "wait for it to end and try again"
	}
	return hintOfSystem(err)
}

// hintOfSystem returns a hint for an error of the operating system.
func hintOfSystem(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space on that disk"
	case errors.Is(err, syscall.EROFS):
		return "it is mounted read-only: mount it for writing, or set BRAINBRIDGE_HOME to a folder elsewhere"
	case errors.Is(err, fs.ErrPermission):
		return "check who owns it and its folder, and that you may read and write there"
	case errors.Is(err, syscall.EIO):
		return "check the disk and read the system log"
	}
	return ""
}

// hintOfSetting returns a hint for an error of a setting that has none itself.
func hintOfSetting(err *config.Error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "give a file that exists, or leave --config out"
	case errors.Is(err, fs.ErrPermission):
		return "let yourself read it, or name another file with --config"
	case err.Key == "":
		return "mend the file there, or move it away: every setting has a default"
	}
	return "`brainbridge config set " + err.Key + " VALUE` changes it"
}

// fail prints an error for people or programs, and returns the exit code.
func (a *cli) fail(err error) int {
	code, message, hint := exitCode(err), err.Error(), hintFor(err)
	if code == exitInterrupted {
		message, hint = "interrupted", ""
	}
	if !a.json {
		a.complain("brainbridge: %s", message)
		if hint != "" {
			a.complain("  %s", hint)
		}
		return code
	}
	line, _ := plaintext.JSON(map[string]any{"error": map[string]any{"code": code, "message": message, "hint": hint}}, "") // it always encodes
	fmt.Fprintf(a.err, "%s", line)
	return code
}

// usage is an error of whoever typed the command.
func usage(hint, format string, args ...any) error {
	return brain.Errorf(brain.ErrInvalid, hint, format, args...)
}
