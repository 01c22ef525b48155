#!/usr/bin/env bash
# Runs every fuzz target of the module for a short time each, FUZZTIME (20s), one after the other. What it finds is
# written into testdata/fuzz of the package, where the ordinary tests run it from then on.
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
[[ -n $targets ]] || echo "no fuzz targets"
status=0
while read -r target folder; do
	[[ -n $target ]] || continue
	echo "== $target in ${folder#"$PWD"/}"
	go test -run='^$' -fuzz="^$target\$" -fuzztime="${FUZZTIME:-20s}" "$folder" || status=1
done <<<"$targets"
exit "$status"
