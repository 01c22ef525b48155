#!/usr/bin/env bash
# Prints -race where this machine can build with the race detector. Outside macOS that takes a C compiler.
set -euo pipefail

if [[ $(go env GOOS) == darwin || $(go env CGO_ENABLED) == 1 ]]; then
	echo -race
else
	echo "tests run without the race detector: no C compiler (Debian, Ubuntu: sudo apt-get install gcc libc6-dev)" >&2
fi
