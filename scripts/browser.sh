#!/usr/bin/env bash
# Prints the path of a Chromium or Chrome for the tests of the page, and installs their npm packages. On Debian as root it
# installs Chromium if there is none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v npm >/dev/null || { echo "browser: npm is missing; install Node.js 20.19 or newer" >&2; exit 3; }
(cd integration/web/ui && npm ci --no-audit --no-fund --loglevel=error) >&2

find_browser() {
	[[ -z ${BRAINBRIDGE_TEST_BROWSER-} ]] || { echo "$BRAINBRIDGE_TEST_BROWSER"; return; }
	local name
	for name in chromium chromium-browser google-chrome google-chrome-stable "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
		if command -v "$name"; then
			return
		fi
	done
	return 1
}

if ! find_browser; then
	if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
		echo "browser: there is no Chromium or Chrome; install one, or set BRAINBRIDGE_TEST_BROWSER to its path" >&2
		exit 3
	fi
	install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >&2; }
	install || { apt-get update >&2 && install; }
	find_browser
fi
