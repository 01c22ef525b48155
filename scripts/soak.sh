#!/usr/bin/env bash
# Lives through a simulated month of hard use on both stores, or on STORE (sqlite, neo4j). SOAK_TIME (1h) says how much: an
# hour is a million operations on SQLite and 50,000 on Neo4j, however long they take. It brings a Neo4j server.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
clean_up() {
	[[ ! -d $work/server ]] || scripts/neo4j/down.sh "$work/server"
	rm -rf "$work"
}
trap clean_up EXIT

if [[ ${STORE-} != sqlite && -z ${BRAINBRIDGE_TEST_NEO4J-} ]]; then
	BRAINBRIDGE_TEST_NEO4J=$(scripts/neo4j/up.sh --with $$ "$work/server" 0)
	export BRAINBRIDGE_TEST_NEO4J
fi
BRAINBRIDGE_TEST_SOAK=${SOAK_TIME:-1h} scripts/progress.sh "soaking" \
	go test -count=1 -timeout=0 -v -run "^TestSoak\$/${STORE-}" ./cmd/brainbridge/e2e
