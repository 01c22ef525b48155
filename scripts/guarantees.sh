#!/usr/bin/env bash
# Runs the tests that docs/guarantees.md names, and writes what they counted into its last column. Without
# BRAINBRIDGE_TEST_NEO4J it brings a Neo4j server. A test that fails leaves the page as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ -n ${BRAINBRIDGE_TEST_NEO4J-} ]] || exec scripts/neo4j/with.sh scripts/guarantees.sh
page=docs/guarantees.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export BRAINBRIDGE_TEST_REPORT=$work/report BRAINBRIDGE_TEST_DAMAGES=${BRAINBRIDGE_TEST_DAMAGES:-200}

# One run for each package, of the tests in the second column.
awk -F '|' '/^\|.*`Test/ { split($3, part, "`"); tests[part[4]] = tests[part[4]] "|" part[2] }
	END { for (p in tests) print p, substr(tests[p], 2) }' "$page" |
	while read -r package tests; do
		go test -count=1 -timeout=0 -run "^($tests)\$" "./$package" </dev/null
	done

awk -F '|' -v day="$(date -u +%F)" '
	NR == FNR { split($0, part, "\t"); key = part[1] "\t" part[2]; if (!(key in figures)) order[++n] = key; figures[key] = part[3]; next }
	/^\|.*`Test/ {
		split($3, part, "`")
		text = ""
		for (i = 1; i <= n; i++) {
			split(order[i], of, "\t")
			if (of[1] == part[2]) text = text (text ? "<br>" : "") (of[2] ? of[2] ": " : "") figures[order[i]]
		}
		if (text) $0 = "|" $2 "|" $3 "| " text " (" day ") |"
	}
	{ print }' "$work/report" "$page" >"$work/page"
cp "$work/page" "$page"
