#!/usr/bin/env bash
# Runs a command and says on standard error, every eight seconds, that it still runs.
#
#   progress.sh [--size FOLDER] WORDS COMMAND [ARGUMENT...]
#
# With --size it also says how much is in FOLDER by then.
set -euo pipefail
folder=''
if [[ $1 == --size ]]; then
	folder=$2
	shift 2
fi
words=$1
shift

tell() {
	local size=''
	# The pipes of this script must not stay open behind it. It may also have been killed.
	while sleep 8 </dev/null >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
		[[ -z $folder ]] || size=", $({ du -sm "$folder" 2>/dev/null || true; } | awk 'END { print $1 + 0 }') MB"
		echo "… $words, $SECONDS s$size" >&2
	done
}
tell </dev/null >/dev/null &
trap 'kill $! 2>/dev/null || true' EXIT
"$@"
