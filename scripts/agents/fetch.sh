#!/usr/bin/env bash
# Prints the folder that has the agents of package.json, fetched from npm the first time (about 2 GB); later no network
# is needed. BRAINBRIDGE_TEST_AGENTS names a folder that has them already.
# Exit status: 3 npm is missing, or Node.js on a system for which npm has none; 5 the agents could not be fetched.
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../neo4j/lib.sh
source "$scripts/../neo4j/lib.sh"
# shellcheck source=../neo4j/tools.sh
source "$scripts/../neo4j/tools.sh"
say() { echo "agents: $*" >&2; }

if [[ -n ${BRAINBRIDGE_TEST_AGENTS-} ]]; then
	echo "$BRAINBRIDGE_TEST_AGENTS"
	exit
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/brainbridge-agents
agents=$cache/$(cksum <"$scripts/package-lock.json" | cut -d' ' -f1)
if [[ -d $agents ]]; then
	echo "$agents"
	exit
fi

command -v npm >/dev/null || install_one_of npm || true
command -v npm >/dev/null || fail 3 "npm is missing; it fetches the agents the first time. Debian, Ubuntu: sudo apt-get install npm; macOS: brew install node"
mkdir -p "$cache" || fail 5 "cannot create $cache"
# One process at a time fetches; the others wait and find the agents there. The lock is a link to the process's id.
lock=$cache/lock
for ((waited = 0; ; waited++)); do
	! ln -s $$ "$lock" 2>/dev/null || break
	((waited % 8 != 1)) || say "waiting for another process, which fetches them"
	[[ -w $cache ]] || fail 5 "cannot write into $cache"
	running "$(readlink "$lock" || echo $$)" || rm -f "$lock"
	sleep 1
done
unfinished=
trap 'rm -rf "$lock" "$unfinished"' EXIT
trap 'exit 130' INT TERM
if [[ -d $agents ]]; then
	echo "$agents"
	exit
fi
unfinished=$(mktemp -d "$cache/part.XXXXXX") || fail 5 "cannot write into $cache"
cp "$scripts/package.json" "$scripts/package-lock.json" "$unfinished"

say "fetching the agents (about 2 GB, once)"
# The packages' own scripts do not run, but for the one that puts Claude Code in its place. What npm has got stays for
# the next try.
for try in 1 2 3; do
	"$scripts/../progress.sh" --size "$cache" "fetching the agents" \
		npm ci --prefix "$unfinished" --cache "$cache/npm" --ignore-scripts --no-audit --no-fund --loglevel=error >&2 </dev/null && break
	((try < 3)) || fail 5 "npm could not fetch the agents in 3 tries; its messages are above. What it has got is kept for the next try"
	say "try $try of 3 failed"
done
PATH=$unfinished/node_modules/.bin:$PATH
command -v node >/dev/null || fail 3 "Node.js is missing (22 or later). macOS: brew install node"
node "$unfinished/node_modules/@anthropic-ai/claude-code/install.cjs" >&2 || fail 5 "Claude Code could not be put in its place"
mv "$unfinished" "$agents" || fail 5 "cannot create $agents"
# What npm has got, other versions, and what was left unfinished.
for old in "$cache"/*; do
	[[ $old == "$agents" || $old == "$lock" ]] || rm -rf "$old"
done
echo "$agents"
