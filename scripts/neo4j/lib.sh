# shellcheck shell=bash
# Sourced by up.sh and down.sh. Everything here also runs on the bash 3.2 of macOS.

# say WORDS: one line for the person, never on standard output, which is for the URI.
say() { echo "neo4j: $*" >&2; }

# fail STATUS WORDS
fail() {
	local status=$1
	shift
	say "$*"
	exit "$status"
}

# running PID: whether any thread of it is left. A JVM whose main thread has ended (a zombie, or unknown to kill -0)
# can hold its port a moment longer.
running() {
	local status
	kill -0 "$1" 2>/dev/null || return
	status=$(cat "/proc/$1/status" 2>/dev/null) || return 0 # no /proc on macOS
	[[ $status != *$'\nState:\tZ'* || $status != *$'\nThreads:\t1\n'* ]]
}

# ended_within SECONDS PID
ended_within() {
	local end=$((SECONDS + $1))
	while running "$2"; do
		((SECONDS < end)) || return
		sleep 0.05
	done
}

# server_on HOME: prints the id of the server that runs on that data folder. A number in the pid file that belongs
# to another program by now is not one.
server_on() {
	local pid command
	[[ -s $1/neo4j.pid ]] || return
	pid=$(<"$1/neo4j.pid")
	command=$({ tr '\0' ' ' <"/proc/$pid/cmdline" || ps -ww -o command= -p "$pid"; } 2>/dev/null) || return
	[[ $command == *"--home-dir=$1 "* ]] || return
	echo "$pid"
}
