#!/usr/bin/env bash
# Builds the page of integration/web/ui into its dist folder. With --check it fails if that changes
# what is committed, or if the types or the markup are wrong.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../integration/web/ui"
command -v npm >/dev/null || { echo "page: npm is missing; install Node.js 20.19 or newer" >&2; exit 3; }

before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R dist src/lib/types.d.ts "$before"
npm ci --no-audit --no-fund --loglevel=error
npm run --silent types >/dev/null
npm run --silent check
npm run --silent build -- --logLevel warn
[[ ${1-} == --check ]] || exit 0
if ! diff -rq "$before/dist" dist || ! diff -q "$before/types.d.ts" src/lib/types.d.ts; then
	echo "page: what is committed is not what the sources give; make page, and commit it" >&2
	exit 1
fi
