#!/usr/bin/env bash
# Runs the tests with real agents. RUN is a pattern of test names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
BRAINBRIDGE_TEST_AGENTS=$(scripts/agents/fetch.sh)
BRAINBRIDGE_TEST_MODEL=${BRAINBRIDGE_TEST_MODEL-$(scripts/model/fetch.sh)}
export BRAINBRIDGE_TEST_AGENTS BRAINBRIDGE_TEST_MODEL
scripts/progress.sh "testing with the real agents" go test -count=1 -timeout=20m -run "${RUN-}" ./cmd/brainbridge/realagents
