package backups

import (
	"fmt"
	"io"
	"strings"
)

const scriptText = `#!/bin/sh
# Restores the brain %[1]s from the backup in the folder of this file, as
# brainbridge backup restore does. Arguments are passed on: --brain NAME restores
# into another brain, --store URI into another store, --yes does not ask.
# BRAINBRIDGE names the program, if it is not found by itself.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
program=${BRAINBRIDGE:-}
[ -n "$program" ] || program=$(command -v brainbridge) || program=%[2]s
exec "$program" --brain %[1]s backup restore "$here" "$@"
`

// script writes the script that restores the backup.
func (f *writer) script(brainName, executable string) error {
	return f.put(scriptFile, 0o700, f.m.Created, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, scriptText, quoted(brainName), quoted(executable))
		return err
	})
}

// quoted returns a word for the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
