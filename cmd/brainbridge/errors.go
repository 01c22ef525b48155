package main

import (
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/app"
)

// fail prints an error for people or programs, and returns the exit code.
func (a *cli) fail(err error) int {
	code, message, hint := app.ExitCode(err), err.Error(), app.Hint(err)
	if code == app.ExitInterrupted {
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
