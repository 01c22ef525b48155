#!/usr/bin/env bash
# Lives through a simulated month of hard use on both stores, or on STORE (sqlite, neo4j). SOAK_TIME (1h) says how much: an
# hour is a million operations on SQLite and 50,000 on Neo4j, however long they take. It brings a Neo4j server.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
with=scripts/neo4j/with.sh
[[ ${STORE-} != sqlite ]] || with=env
BRAINBRIDGE_TEST_SOAK=${SOAK_TIME:-1h} "$with" scripts/progress.sh "soaking" \
	go test -count=1 -timeout=0 -v -run "^TestSoak\$/${STORE-}" ./cmd/brainbridge/e2e
