#!/usr/bin/env bash
# Runs every fuzz target of the module for a short time each, FUZZTIME (20s), two at a time. What it finds is written
# into testdata/fuzz of the package, where the ordinary tests run it from then on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck disable=SC2016 # for go list, not for the shell
files='{{$p := .}}{{range .TestGoFiles}}{{$p.Dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$p.Dir}}/{{.}}
{{end}}'
targets=$(
	go list -f "$files" ./... | while IFS= read -r file; do
		[[ -z $file ]] || sed -n "s:^func \(Fuzz[A-Za-z0-9_]*\)(.*:\1 ${file%/*}:p" "$file"
	done
)
[[ -n $targets ]] || { echo "no fuzz targets" && exit 1; }

# shellcheck disable=SC2317 # called through xargs
fuzz() {
	local said
	# Go makes each new input smaller for up to a minute, which would take all of the time.
	said=$(go test -run='^$' -fuzz="^$1\$" -fuzztime="${FUZZTIME:-20s}" -fuzzminimizetime=20x -parallel=1 "$2" 2>&1) ||
		# On a busy machine Go reports the end of the time as a failure, without an input that failed.
		{ grep -q 'context deadline exceeded' <<<"$said" && ! grep -q 'Failing input\|panic' <<<"$said"; } || {
		echo "== $1 in ${2#"$PWD"/}: failed"
		echo "$said"
		return 1
	}
	echo "== $1 in ${2#"$PWD"/}: $(grep -o 'execs: [0-9]*' <<<"$said" | tail -1)"
}
export -f fuzz
status=0
first=${targets%%$'\n'*} # alone, because it builds what the others need too
fuzz "${first% *}" "${first#* }" || status=1
# shellcheck disable=SC2016 # for the inner shell
tail -n +2 <<<"$targets" | xargs -P 2 -n 2 bash -c 'fuzz "$0" "$1"' || status=1
exit "$status"
