#!/usr/bin/env bash
# with.sh COMMAND...: runs a command with a Neo4j server in BRAINBRIDGE_TEST_NEO4J; without one in there it brings one.
set -euo pipefail
if [[ -z ${BRAINBRIDGE_TEST_NEO4J-} ]]; then
	scripts=$(dirname "${BASH_SOURCE[0]}")
	home=$(mktemp -d)
	trap '"$scripts/down.sh" "$home"; rm -rf "$home"' EXIT
	BRAINBRIDGE_TEST_NEO4J=$("$scripts/up.sh" --with $$ "$home" 0)
	export BRAINBRIDGE_TEST_NEO4J
fi
"$@"
