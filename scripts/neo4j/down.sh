#!/usr/bin/env bash
# Stops the server that up.sh started on a data folder, and touches no other process.
# With --kill it dies at once, as in a power cut; up.sh on the same folder and port brings it back.
set -euo pipefail

# shellcheck source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

signal=TERM
if [[ ${1-} == --kill ]]; then
	signal=KILL
	shift
fi
if (($# != 1)); then
	echo "usage: down.sh [--kill] FOLDER" >&2
	exit 2
fi

home=$(cd "$1" 2>/dev/null && pwd) || fail 2 "there is no folder $1"
if server=$(server_on "$home"); then
	kill -"$signal" "$server" 2>/dev/null || true # it may have ended just now
	if ! ended_within 30 "$server"; then
		say "process $server did not stop within 30 s, killing it"
		kill -KILL "$server"
		ended_within 10 "$server" || fail 1 "process $server cannot be stopped"
	fi
else
	say "no server runs on $home"
fi
rm -f "$home/neo4j.pid"
