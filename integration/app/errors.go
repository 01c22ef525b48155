package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config"
)

// Exit codes, a contract with scripts.
const (
	ExitInternal    = 1
	ExitUsage       = 2
	ExitNotFound    = 3
	ExitBusy        = 4
	ExitStore       = 5
	ExitInterrupted = 130
)

// ExitCode returns the exit code of a command that ends with an error. The JSON of the error has
// it too.
func ExitCode(err error) int {
	var setting *config.Error
	switch {
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, brain.ErrUnavailable), errors.Is(err, brain.ErrRefused), errors.Is(err, brain.ErrReadOnly),
		errors.Is(err, context.DeadlineExceeded):
		return ExitStore
	case errors.Is(err, durable.ErrBusy): // may be about a setting
		return ExitBusy
	case errors.Is(err, brain.ErrInvalid), errors.As(err, &setting):
		return ExitUsage
	case errors.Is(err, brain.ErrNotFound):
		return ExitNotFound
	case errors.Is(err, brain.ErrBusy), errors.Is(err, brain.ErrConflict):
		return ExitBusy
	}
	return ExitInternal
}

// Hint returns what to do next about an error; empty if there is nothing to say.
func Hint(err error) string {
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
