#!/usr/bin/env bash
# Builds archives of the program with docs, man pages, completions, licence and checksums.
#
#   release.sh FOLDER [OS/ARCH...]    else Linux and macOS on amd64 and arm64
set -euo pipefail
[[ $# -gt 0 ]] || { echo "usage: release.sh FOLDER [OS/ARCH...]" >&2 && exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[[ $# -gt 0 ]] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_ENABLED=${CGO_ENABLED-0}

# RELEASE_FLAGS is for the test, which has everything built without -trimpath already.
# shellcheck disable=SC2086 # it may be several flags
build() { go build ${RELEASE_FLAGS--trimpath} -buildvcs=auto -ldflags '-s -w' "$@" ./cmd/brainbridge; }

# sums FOLDER FILES: writes SHA256SUMS of files below a folder.
sums() {
	local sum=(sha256sum)
	command -v sha256sum >/dev/null || sum=(shasum -a 256)
	(cd "$1" && find . -type f -name "${2-*}" ! -name SHA256SUMS | sort | sed 's|^\./||' | xargs "${sum[@]}" >SHA256SUMS)
}

# What is the same in every archive.
common=$work/common
mkdir -p "$common/man/man1" "$common/completions"
cp -R LICENSE README.md ARCHITECTURE.md CHANGELOG.md SECURITY.md CONTRIBUTING.md docs "$common"
if model=$(scripts/model/fetch.sh); then
	cp -L "$model" "$common"
	cp brain/embedding/minilm/notice.txt "$common/NOTICE-model.txt"
else
	echo "the archives have no sentence model; \`brainbridge model install\` downloads it" >&2
fi
build -tags manpages -o "$work/here"
"$work/here" man-pages "$common/man/man1"
"$work/here" completion bash >"$common/completions/brainbridge.bash"
"$work/here" completion zsh >"$common/completions/_brainbridge"
"$work/here" completion fish >"$common/completions/brainbridge.fish"
version=$("$work/here" version | cut -d ' ' -f 2)

for target; do
	name=brainbridge_${version}_${target/\//_}
	cp -R "$common" "$work/$name"
	GOOS=${target%/*} GOARCH=${target#*/} build -o "$work/$name/brainbridge"
	sums "$work/$name"
	tar -C "$work" -czf "$out/$name.tar.gz" "$name"
	echo "$out/$name.tar.gz"
done
sums "$out" "brainbridge_${version}_*.tar.gz"
