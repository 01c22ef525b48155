#!/usr/bin/env bash
# Checks the laws of the module (property tests) more often than the suite does: each RAPID_CHECKS (1000) times, the
# dear ones and those on a server a part of that (brain/storetest/laws.go). A Neo4j server is asked too if
# BRAINBRIDGE_TEST_NEO4J says where one is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export RAPID_CHECKS=${RAPID_CHECKS:-1000}

packages=$(
	go list -test -f '{{.ImportPath}} {{join .Deps " "}} ' ./... |
		awk '$1 ~ /\.test$/ && / pgregory\.net\/rapid / { sub(/\.test$/, "", $1); print $1 }'
)
# shellcheck disable=SC2086 # import paths have no spaces
go test -count=1 -timeout=0 $packages
