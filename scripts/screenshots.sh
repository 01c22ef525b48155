#!/usr/bin/env bash
# Makes the pictures of docs/pictures from the made-up brain of `brainbridge open --demo`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
browser=$(scripts/browser.sh)
scripts/build.sh >&2
mkdir -p docs/pictures
coproc ./bin/brainbridge -q open --demo
trap 'kill "$COPROC_PID"' EXIT
read -r url <&"${COPROC[0]}"
BROWSER=$browser node integration/web/ui/test/pictures.mjs "$url" docs/pictures
