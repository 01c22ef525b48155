# shellcheck shell=bash
# Sourced by up.sh: the server's jars, kept in the person's cache folder. Needs lib.sh and tools.sh.

# jars_of SCRIPTS: the folder that the jars of this version are kept in.
jars_of() {
	local version
	version=$(sed -n 's:.*<neo4j.version>\(.*\)</neo4j.version>.*:\1:p' "$1/pom.xml")
	echo "${XDG_CACHE_HOME:-$HOME/.cache}/brainbridge-neo4j/$version/lib"
}

# fetch_jars SCRIPTS JARS: makes the folder JARS, whole or not at all. Two at once are safe: each fills a folder of
# its own, the first to finish puts it in place, and the other finds it there.
fetch_jars() {
	local scripts=$1 jars=$2 place=${2%/*} try
	[[ ! -d $jars ]] || return 0
	need_maven
	export -f run_maven
	say "fetching Neo4j ${place##*/} (about 130 MB, once)"
	mkdir -p "$place" || fail 5 "cannot create $place"
	unfinished=$(mktemp -d "$place/part.XXXXXX") || fail 5 "cannot write into $place"
	for try in 1 2 3; do
		"$scripts/../progress.sh" --size "$place/m2" "fetching Neo4j" \
			bash -o pipefail -c 'run_maven "$@"' - "$scripts" "$place/m2" "$unfinished/lib" && break
		[[ ! -d $jars ]] || return 0
		((try < 3)) || fail 5 "Maven could not fetch Neo4j ${place##*/} in 3 tries; its messages are above. What it has got is kept for the next try"
		say "try $try of 3 failed"
		sleep $((try * 3))
	done
	mv "$unfinished/lib" "$place/" 2>/dev/null || [[ -d $jars ]] || fail 5 "cannot create $jars"
	rm -rf "$place/m2"
}

# run_maven SCRIPTS REPOSITORY TARGET: the repository is apart from the person's own and stays after a failure, so
# that the next try goes on where this one stopped. Maven resets the colours even where it was told to use none.
run_maven() {
	local colour=$'\033\\[[0-9;]*m'
	mvn -B -ntp -q -C -Dstyle.color=never -f "$1/pom.xml" -Dmaven.repo.local="$2" \
		dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$3" 2>&1 </dev/null |
		sed -e "s/$colour//g" -e '/^$/d' >&2
}
