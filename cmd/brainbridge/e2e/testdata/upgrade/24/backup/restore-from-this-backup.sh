#!/bin/sh
# Restores the brain 'default' from the backup in this folder, as brainbridge backup
# restore does. Arguments are passed on: --brain NAME restores into another brain,
# --store URI into another store, --yes does not ask. Set BRAINBRIDGE to the path of
# the program if this script does not find it.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
program=${BRAINBRIDGE:-}
[ -n "$program" ] || program=$(command -v brainbridge) || program='/tmp/fixture/bin/brainbridge'
exec "$program" --brain 'default' backup restore "$here" "$@"
