#!/usr/bin/env bash
# Prints the flags that build with the race detector, one a line, where this machine can. Outside macOS that takes a C
# compiler.
set -euo pipefail

# SQLite itself, which is C in Go's clothes, is left unwatched: it locks as C does, the driver and all that is ours
# around it are watched, and watching it too takes ten times as long.
unwatched=(modernc.org/sqlite/lib modernc.org/libc)

if [[ $(go env GOOS) == darwin || $(go env CGO_ENABLED) == 1 ]]; then
	echo -race
	printf -- '-gcflags=%s=-race=false\n' "${unwatched[@]}"
else
	echo "tests run without the race detector: no C compiler (Debian, Ubuntu: sudo apt-get install gcc libc6-dev)" >&2
fi
