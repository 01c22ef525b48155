#!/usr/bin/env bash
# Checks the laws of the module (property tests) more often than the suite does: each RAPID_CHECKS (1000) times, slow
# tests and tests on a server a fraction of that (brain/storetest/laws.go). The tests also run on a Neo4j server if
# BRAINBRIDGE_TEST_NEO4J is the URI of one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export RAPID_CHECKS=${RAPID_CHECKS:-1000}

packages=$(
	go list -test -f '{{.ImportPath}} {{join .Deps " "}} ' ./... |
		awk '$1 ~ /\.test$/ && / pgregory\.net\/rapid / { sub(/\.test$/, "", $1); print $1 }'
)
# shellcheck disable=SC2086 # import paths have no spaces
go test -count=1 -timeout=0 $packages
