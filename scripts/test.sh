#!/usr/bin/env bash
# Every test, once, on both stores. It brings the Neo4j server, the sentence model and the browser that they need and takes
# the server away again. Without model or browser the tests that need it are skipped, or fail under CI=true.
#
#   SKIP_NEO4J=1              leave the Neo4j half out and call that a success; without effect under CI=true
#   TMPDIR                    where tests put their files: else /dev/shm, if that is in memory and has room
#   BRAINBRIDGE_TEST_NEO4J    the bolt:// URI of a server without a password to use instead of a new one
#   BRAINBRIDGE_TEST_BROWSER  the Chromium or Chrome to use instead of the one that is found or installed
#   BRAINBRIDGE_TEST_MODEL    the file of the sentence model to use instead of the one in the cache folder
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ci=${CI-}
skip=${SKIP_NEO4J-}
[[ $ci != true ]] || skip=''

# in_memory FOLDER: a file system in memory that has 4 GB free and runs programs. The stores sync each write, and there
# no test waits for a disk.
in_memory() {
	[[ $(stat -f -c %T "$1" 2>/dev/null) == tmpfs && -w $1 ]] || return 1
	(($(df -Pk "$1" | awk 'NR == 2 { print $4 }') >= 4 * 1024 * 1024)) || return 1
	local program runs=1
	program=$(mktemp "$1/brainbridge-XXXXXX") || return 1
	printf '#!/bin/sh\n' >"$program"
	chmod +x "$program"
	"$program" 2>/dev/null && runs=0
	rm -f "$program"
	return "$runs"
}
if [[ -z ${TMPDIR-} ]] && in_memory /dev/shm; then
	export TMPDIR=/dev/shm
fi
work=$(mktemp -d)
fetching='' fetching_model='' fetching_browser=''

clean_up() {
	[[ -z $fetching_browser ]] || kill "$fetching_browser" 2>/dev/null || true
	[[ -z $fetching ]] || kill "$fetching" 2>/dev/null || true
	[[ -z $fetching_model ]] || kill "$fetching_model" 2>/dev/null || true
	[[ ! -d $work/server ]] || scripts/neo4j/down.sh "$work/server"
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

step() { printf '\n== %s\n' "$*"; }

fetch_in_background() {
	scripts/model/fetch.sh >"$work/model" 2>"$work/model.log" &
	fetching_model=$!
	scripts/browser.sh >"$work/browser" 2>"$work/browser.log" &
	fetching_browser=$!
	[[ -z $skip && -z ${BRAINBRIDGE_TEST_NEO4J-} ]] || return 0
	scripts/neo4j/up.sh --fetch >"$work/fetch.log" 2>&1 &
	fetching=$!
}

# Java's better compiler takes a server that lives for minutes more time than it saves.
java='-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m'

# bring_neo4j sets and exports BRAINBRIDGE_TEST_NEO4J, or puts into $without why it cannot.
without=''
bring_neo4j() {
	[[ -z ${BRAINBRIDGE_TEST_NEO4J-} ]] || return 0
	if [[ -n $skip ]]; then
		without='SKIP_NEO4J is set'
		return
	fi
	step "starting Neo4j"
	scripts/progress.sh "waiting until Neo4j is fetched" bash -c "while kill -0 $fetching 2>/dev/null; do sleep 0.2; done"
	local fetched=0
	wait "$fetching" || fetched=$?
	fetching='' fetching_model=''
	grep -v '^…' "$work/fetch.log" >&2 || true
	if ((fetched != 0)); then
		without=$(tail -n 1 "$work/fetch.log")
	elif BRAINBRIDGE_TEST_NEO4J=$(JDK_JAVA_OPTIONS=$java scripts/neo4j/up.sh --with $$ "$work/server" 0 2> >(tee "$work/up.log" >&2)); then
		export BRAINBRIDGE_TEST_NEO4J
		echo "$BRAINBRIDGE_TEST_NEO4J"
	else
		unset BRAINBRIDGE_TEST_NEO4J
		without=$(tail -n 1 "$work/up.log")
	fi
}

# bring WHAT PROCESS NAME VARIABLE: waits for what a process fetches, and exports the path that it printed into the file
# NAME as VARIABLE. If it failed, $reason says why.
bring() {
	reason=''
	scripts/progress.sh "waiting until $1 is there" bash -c "while kill -0 $2 2>/dev/null; do sleep 0.2; done"
	if wait "$2"; then
		export "$4=$(<"$work/$3")"
	else
		reason=$(tail -n 1 "$work/$3.log")
		echo "$reason" >&2
	fi
}

# packages yes|no: those whose tests do, or do not, link a package that gives them Neo4j or the model.
packages() {
	go list -test -f '{{.ImportPath}} {{join .Deps " "}} ' ./... | awk -v wanted="$1" '
		$1 ~ /\.test$/ {
			found = / [^ ]*\/(neo4jtest|embedtest) / ? "yes" : "no"
			sub(/\.test$/, "", $1)
			if (found == wanted) print $1
		}'
}

# run_tests PACKAGE...: the race detector watches all but the scripts over the real binary, which measure processes.
failed=''
run_tests() {
	local package raced=() plain=()
	for package in "$@"; do
		case $package in
		*/cmd/*) plain+=("$package") ;;
		*) raced+=("$package") ;;
		esac
	done
	# shellcheck disable=SC2086 # flags and import paths have no spaces
	((${#raced[@]} == 0)) || go_test $race "${raced[@]}"
	((${#plain[@]} == 0)) || go_test "${plain[@]}"
}

# go_test FLAG-OR-PACKAGE...: one package more at a time than there are cores, for some wait for a server or a process.
go_test() {
	go test -count=1 -timeout=20m -p "$(($(getconf _NPROCESSORS_ONLN) + 1))" \
		-exec "'$PWD/scripts/test-binary.sh' '$PWD' '$work/events'" "$@" 2>&1 |
		tee -a "$work/tests.log" | scripts/test-progress.sh "$work" || failed=yes
}

# What packages took is kept for the estimate of the next time.
durations=${XDG_CACHE_HOME:-$HOME/.cache}/brainbridge-tests/durations
plan_progress() {
	date +%s >"$work/began"
	: >"$work/events"
	cat "$durations" >"$work/durations" 2>/dev/null || : >"$work/durations"
	printf '%s\n' "$@" | sed "s:^$(go list -m)/::" >"$work/packages"
}

keep_durations() {
	mkdir -p "${durations%/*}" 2>/dev/null || return 0
	awk 'NF == 2 { took[$1] = $2 } $1 == "end" { took[$2] = $3 } END { for (p in took) print p, took[p] }' \
		"$work/durations" "$work/events" >"$durations" 2>/dev/null || true
}

closing_words() {
	if [[ -n $failed ]]; then
		step "FAILED"
		grep -E '^(FAIL|--- FAIL|panic:)' "$work/tests.log" || true
	fi
	if [[ -n $without ]]; then
		step "Neo4j: NOT TESTED"
		echo "$without"
		[[ -n $skip ]] || echo "Without it the suite counts as failed. SKIP_NEO4J=1 make test runs the embedded store alone."
	fi
	if [[ -n $without_model ]]; then
		step "recall by meaning: NOT TESTED"
		echo "$without_model"
		[[ $ci != true ]] || exit 1
	fi
	if [[ -n $without_browser ]]; then
		step "the page: NOT TESTED"
		echo "$without_browser"
		[[ $ci != true ]] || exit 1
	fi
	[[ -z $failed && (-z $without || -n $skip) ]] || exit 1
	step "all tests passed on $stores"
}

race=$(scripts/race-flags.sh | tr '\n' ' ')
fetch_in_background

step "building"
scripts/progress.sh building go build ./...

# On their own lines, since a failing command inside another would go unnoticed.
alone=$(packages no)
both=$(packages yes)

# shellcheck disable=SC2086 # import paths have no spaces
plan_progress $alone $both
step "tests of $(wc -l <"$work/packages" | tr -d ' ') packages; first those that need neither a server nor the sentence model"
# shellcheck disable=SC2086 # import paths have no spaces
run_tests $alone

bring "the sentence model" "$fetching_model" model BRAINBRIDGE_TEST_MODEL
without_model=$reason fetching_model=''
bring "the browser" "$fetching_browser" browser BRAINBRIDGE_TEST_BROWSER
without_browser=$reason fetching_browser=''
bring_neo4j
stores='both stores'
[[ -z $without ]] || stores='the embedded store'
if [[ -n $without && $ci == true ]]; then
	both=''
fi
if [[ -n $both ]]; then
	step "tests on $stores"
	# shellcheck disable=SC2086
	run_tests $both
fi
keep_durations
closing_words
