#!/usr/bin/env bash
# Prints what standard input says and, in between, how far the tests are: in place on a terminal, otherwise a line
# whenever nothing else was printed for eight seconds. Ends with its input.
#
#   test-progress.sh FOLDER
#
# FOLDER has: began, when the tests began; packages, all of them; events, what test-binary.sh wrote; durations, the
# seconds that packages took the last time, which may be empty.
set -euo pipefail
folder=$1
parallel=$(($(getconf _NPROCESSORS_ONLN) + 1))

# how_far: without the durations of the last time, all packages count as equally long.
how_far() {
	awk -v now="$(date +%s)" -v parallel="$parallel" '
		FILENAME ~ /began$/     { began = $1; next }
		FILENAME ~ /durations$/ { expected[$1] = $2; known = 1; next }
		FILENAME ~ /packages$/  { all[++total] = $1; next }
		$1 == "start"           { since[$2] = $3 }
		$1 == "end"             { done[$2] = 1; ended++ }
		END {
			for (i = 1; i <= total; i++) {
				p = all[i]
				if (p in done) continue
				left = (p in expected) ? expected[p] : 5
				if (p in since) {
					running = running (running == "" ? "" : ", ") p " " now - since[p] " s"
					left = left > now - since[p] ? left - (now - since[p]) : 5
				}
				sum += left
				if (left > longest) longest = left
			}
			if (known) rest = sum / parallel > longest ? sum / parallel : longest
			else if (ended) rest = (now - began) * (total - ended) / ended
			text = "package " ended + 0 " of " total
			minutes = int(rest / 60 + 0.5) > 1 ? int(rest / 60 + 0.5) " minutes" : "1 minute"
			if (known || ended) text = text ", about " minutes " left" (known ? "" : " at a guess")
			print "… " text "; " (running == "" ? "building" : "running: " running)
		}' "$folder/began" "$folder/durations" "$folder/packages" "$folder/events"
}

every=8 in_place=''
if [[ -t 1 ]]; then
	every=2 in_place=yes
	columns=$(tput cols 2>/dev/null || echo 80)
fi
# An old bash cannot tell the end of its input from a pause, so a last line marks the end.
end="end of input $$"
{
	cat
	echo "$end"
} | while true; do
	status=0
	IFS= read -r -t "$every" line || status=$?
	[[ -z $in_place ]] || printf '\r\033[K'
	if ((status == 0)); then
		[[ $line != "$end" ]] || break
		printf '%s\n' "${partial-}$line"
		partial=''
	else
		partial=${partial-}$line
		text=$(how_far)
		if [[ -n $in_place ]]; then
			printf '%s' "${text:0:columns-1}"
		else
			printf '%s\n' "$text"
		fi
	fi
done
