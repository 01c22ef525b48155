# shellcheck shell=bash
# Sourced by up.sh: finding Java and Maven, and getting them where that is allowed. Needs say and fail of lib.sh.

# shellcheck disable=SC2016 # it is for the person's shell to expand
how_to_get_java='Debian, Ubuntu: sudo apt-get install default-jre-headless; macOS: brew install openjdk@21, and export JAVA_HOME="$(brew --prefix openjdk@21)/libexec/openjdk.jdk/Contents/Home"'
how_to_get_maven='Debian, Ubuntu: sudo apt-get install maven; macOS: brew install maven'

# may_install: only a CI machine that is ours to change. On a developer's machine nothing is installed unasked.
may_install() {
	[[ ${CI-} == true && $(id -u) == 0 ]] && command -v apt-get >/dev/null
}

# install_one_of PACKAGE...: the first that the distribution has. What is installed already is not touched.
install_one_of() {
	may_install || return
	local package
	apt-get update -qq >&2 || say "apt-get update failed, going on with the lists that are there"
	for package in "$@"; do
		say "installing $package"
		DEBIAN_FRONTEND=noninteractive "$(dirname "${BASH_SOURCE[0]}")/../progress.sh" "installing $package" apt-get install -y -qq --no-install-recommends --no-upgrade "$package" >&2 && return
	done
	return 1
}

java_command() { echo "${JAVA_HOME:+$JAVA_HOME/bin/}java"; }

# java_major: 17 of "17.0.15"; nothing where there is no Java (macOS has a command of that name that only says so).
java_major() {
	"$(java_command)" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p'
}

need_java() {
	local major
	major=$(java_major) || true
	# Where JAVA_HOME points to nothing, installing another Java would not help.
	[[ -n $major || -z ${JAVA_HOME-} ]] || fail 3 "JAVA_HOME is $JAVA_HOME, but there is no Java there; unset it or correct it"
	if [[ -z $major ]] && ! command -v java >/dev/null && install_one_of openjdk-17-jre-headless openjdk-21-jre-headless; then
		major=$(java_major) || true
	fi
	[[ -n $major ]] || fail 3 "Java is missing (17 or 21). $how_to_get_java"
	((major >= 17)) || fail 3 "Java $major is too old for Neo4j (17 or 21). $how_to_get_java"
}

need_maven() {
	command -v mvn >/dev/null || install_one_of maven || true
	command -v mvn >/dev/null || fail 3 "Maven is missing; it fetches Neo4j the first time. $how_to_get_maven"
}
