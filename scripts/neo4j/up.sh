#!/usr/bin/env bash
# Starts a real Neo4j Community server for tests, on the loopback address only, and prints its Bolt URI.
# The first start fetches the server through Maven; later ones need no network.
set -euo pipefail

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib.sh
source "$scripts/lib.sh"
# shellcheck source=tools.sh
source "$scripts/tools.sh"
# shellcheck source=fetch.sh
source "$scripts/fetch.sh"

usage() {
	cat >&2 <<'EOF'
usage: up.sh [options] FOLDER PORT   start a server with its data in FOLDER; PORT 0 takes a free one
       up.sh --fetch                 only fetch the server and check that Java is there

  --password WORD    ask for a password (user neo4j, 8 characters or more); given at the first start of FOLDER
  --heap SIZE        memory for Java, 512m
  --pagecache SIZE   memory for the page cache, 128m
  --set KEY=VALUE    one more setting; may be repeated
  --timeout SECONDS  for the start, 120; the download is not counted
  --with PID         stop the server as soon as this process has ended, however it ended

exit status: 1 the server did not start, 2 wrong use, 3 Java or Maven is missing, 4 PORT or FOLDER is in use,
             5 the server could not be fetched
EOF
	exit 2
}

unfinished='' starting='' home=''
# shellcheck disable=SC2317 # called by the trap
leave_nothing_behind() {
	[[ -z $unfinished ]] || rm -rf "$unfinished"
	[[ -n $starting ]] || return 0
	kill -KILL "$starting" 2>/dev/null || true
	rm -f "$home/neo4j.pid"
}
trap leave_nothing_behind EXIT
trap 'exit 130' INT TERM

port_in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_port: below the range that systems give to outgoing connections, so that the same port is free at a restart.
free_port() {
	local port
	while
		port=$((20000 + RANDOM % 12000))
		port_in_use "$port"
	do :; done
	echo "$port"
}

# answers_bolt PORT: offers Bolt 5.0 to 5.8 and 4.4, and takes two zero bytes and a version for an answer.
answers_bolt() {
	local zero version
	(
		exec 3<>"/dev/tcp/127.0.0.1/$1" || exit
		printf '\x60\x60\xb0\x17\x00\x08\x08\x05\x00\x00\x04\x04\x00\x00\x00\x00\x00\x00\x00\x00' >&3
		# read -d '' ends at a zero byte, which a variable could not hold.
		for zero in 1 2; do
			IFS= read -r -t 5 -d '' zero <&3 && [[ -z $zero ]] || exit
		done
		LC_ALL=C IFS= read -r -t 5 -d '' -n2 version <&3
		[[ ${version: -1} == [$'\x04'$'\x05'] ]]
	) 2>/dev/null
}

write_settings() {
	mkdir -p "$home/conf"
	{
		cat "$scripts/neo4j.conf"
		echo "server.bolt.listen_address=127.0.0.1:$port"
		echo "server.bolt.advertised_address=127.0.0.1:$port"
		echo "server.memory.pagecache.size=$pagecache"
		echo "dbms.security.auth_enabled=$([[ -n $password ]] && echo true || echo false)"
		printf '%s\n' ${settings[@]+"${settings[@]}"}
	} >"$home/conf/neo4j.conf"
}

# set_password: Neo4j reads it only when it makes its databases, so on older data it would be without effect.
set_password() {
	[[ -n $password && ! -f $home/data/dbms/auth.ini ]] || return 0
	[[ ! -d $home/data/databases ]] ||
		fail 2 "$home has data that was made without --password; take another folder"
	NEO4J_HOME=$home NEO4J_CONF=$home/conf "$(java_command)" "${java_flags[@]}" \
		org.neo4j.server.startup.Neo4jAdminCommand dbms set-initial-password "$password" >"$console" 2>&1 ||
		fail 1 "cannot set the password: $(tail -n 3 "$console")"
}

launch() {
	nohup "$(java_command)" -Xms"$heap" -Xmx"$heap" "${java_flags[@]}" org.neo4j.server.CommunityEntryPoint \
		--home-dir="$home" --config-dir="$home/conf" --console-mode </dev/null >"$console" 2>&1 &
	starting=$!
	echo "$starting" >"$home/neo4j.pid"
}

wait_until_it_answers() {
	local end=$((SECONDS + timeout)) told=$SECONDS
	# The log as well as the port, for another program could answer there.
	until grep -q 'Started\.$' "$console" && answers_bolt "$port"; do
		if ! running "$starting"; then
			tail -n 20 "$console" >&2
			fail 1 "the server ended while starting; all that it said is in $console"
		fi
		if ((SECONDS >= end)); then
			tail -n 20 "$console" >&2
			fail 1 "the server did not answer within $timeout s; what it said is in $console"
		fi
		if ((SECONDS >= told + 8)); then
			told=$SECONDS
			say "the server is starting, $SECONDS s"
		fi
		sleep 0.1
	done
}

# stop_with PID SERVER: holds neither the terminal nor a pipe, and ends with the server.
stop_with() {
	while running "$1" && running "$2"; do sleep 1; done
	[[ $(server_on "$home") != "$2" ]] || "$scripts/down.sh" --kill "$home"
}

password='' heap=512m pagecache=128m timeout=120 with='' fetch_only=''
settings=()
while [[ ${1-} == -* ]]; do
	case $1 in
	--fetch) fetch_only=yes ;;
	--password | --heap | --pagecache | --timeout | --with)
		[[ -n ${2-} ]] || usage
		printf -v "${1#--}" %s "$2"
		shift
		;;
	--set)
		[[ ${2-} == *=* ]] || usage
		settings+=("$2")
		shift
		;;
	*) usage ;;
	esac
	shift
done
if [[ -n $fetch_only ]]; then
	(($# == 0)) || usage
elif ! [[ $# == 2 && $2 =~ ^(0|[1-9][0-9]{0,4})$ ]] || (($2 > 65535)); then
	usage
fi
[[ $timeout =~ ^[0-9]+$ && $with =~ ^[0-9]*$ ]] || usage
[[ -z $password || ${#password} -ge 8 ]] || fail 2 "Neo4j takes no password under 8 characters"

need_java
jars=$(jars_of "$scripts")
fetch_jars "$scripts" "$jars"
[[ -z $fetch_only ]] || exit 0

mkdir -p "$1" || fail 4 "cannot create $1"
home=$(cd "$1" && pwd)
console=$home/console.log
port=$2
# One that was killed a moment ago takes a moment to go.
if server=$(server_on "$home") && ! ended_within 3 "$server"; then
	fail 4 "$home is in use by process $server; stop it with: \"$scripts/down.sh\" \"$home\""
fi
if ((port == 0)); then
	port=$(free_port)
elif port_in_use "$port"; then
	fail 4 "port $port is in use"
fi

java_flags=(
	-XX:+UseSerialGC # 200 MB less than the collector that Java would choose
	--add-opens=java.base/java.nio=ALL-UNNAMED
	--add-opens=java.base/java.io=ALL-UNNAMED
	--add-opens=java.base/sun.nio.ch=ALL-UNNAMED
	--add-opens=java.base/java.util.concurrent=ALL-UNNAMED
	--enable-native-access=ALL-UNNAMED
	-Dfile.encoding=UTF-8
	-Dio.netty.tryReflectionSetAccessible=true
	-Dlog4j2.disable.jmx=true
	-cp "$jars/*"
)
: >"$console"
write_settings
set_password
launch
wait_until_it_answers
if [[ -n $with ]]; then
	stop_with "$with" "$starting" </dev/null >/dev/null 2>&1 &
fi
starting=''
echo "bolt://127.0.0.1:$port"
