#!/usr/bin/env bash
# Builds the program as it is released, with its version in it, and says how long that takes.
#
#   build.sh            into bin/brainbridge
#   build.sh install    into the folder of Go's programs; says where that is and what to do next
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v go >/dev/null; then
	echo "Go is missing; 1.26 or later builds brainbridge. macOS: brew install go; Linux: the package golang, or a newer one from the Go project" >&2
	exit 3
fi
program=bin/brainbridge
if [[ ${1-} == install ]]; then
	program=$(go env GOBIN)
	program=${program:-$(go env GOPATH | cut -d : -f 1)/bin}/brainbridge
fi
[[ -x $program ]] || echo "building brainbridge: about a minute the first time, a few seconds later on" >&2
# Without C, which nothing here needs, a process starts a millisecond sooner.
CGO_ENABLED=0 scripts/progress.sh building go build -trimpath -ldflags '-s -w' -o "$program" ./cmd/brainbridge
[[ ${1-} == install ]] || exit 0

echo "installed $program"
found=$(command -v brainbridge || true)
if [[ $found -ef $program ]]; then
	echo "next: brainbridge install, which sets up the agents that you use"
elif [[ -n $found ]]; then
	echo "your shell finds another one first: $found; remove that, or put this line into ~/.bashrc or ~/.zshrc and open a new terminal:"
	echo "  export PATH=\"$(dirname "$program"):\$PATH\""
else
	echo "its folder is not in your PATH; agents start the program by its name, so put this line into ~/.bashrc or ~/.zshrc and open a new terminal:"
	echo "  export PATH=\"\$PATH:$(dirname "$program")\""
	echo "next: brainbridge install, which sets up the agents that you use"
fi
