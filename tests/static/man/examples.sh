#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# examples.sh PROGRAMS: the examples of the manual, built below PROGRAMS, on a simulated fabric of
# 24 hosts and 12 switches, as the transcripts in expected/ say. A transcript has a name of its
# example and these lines:
#
#	$ program argument ...	is run on host-24; {peer} stands for the LID of another host, {server}
#				for that of the program started last
#	& program argument ...	is started on another host, and has to print "ready"
#	stop			ends that program, when it has said what follows
#	anything else		a line of output (standard output, then standard error), as an
#				extended regular expression that has to match all of it; after it,
#				[N] for an exit status that is not 0
#
# Every example must have a transcript. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../fabric/engine/engine-fabric.sh"

expected=$(cd "$(dirname "${BASH_SOURCE[0]}")/expected" && pwd)
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../man/examples" && pwd)
programs=${1:?folder of the examples}
client='host-24'
peer='host-20'
server_number=10 # each on a host of its own, since the simulator does not notice that one ended
server_pid=
server_lid=
failed=0

# The LID of a host, asked for there.
lid() {
	fabric_run lid "$ours" "$1" ibaddr -L >/dev/null || fail "ibaddr on $1"
	sed -nE 's/.*LID start ([0-9]+) .*/\1/p' "$FABRIC_DIR/lid.out" | grep . || fail "no LID of $1"
}

# Prints the output and the status of a run.
print_run() {
	local name=$1 status=$2
	cat "$FABRIC_DIR/$name.out" "$FABRIC_DIR/$name.err"
	[ "$status" -eq 0 ] || echo "[$status]"
}

is_ready() {
	grep -q '^ready' "$FABRIC_DIR/server.out"
}

has_said() {
	[ "$(wc -l <"$FABRIC_DIR/server.out")" -ge "$1" ]
}

# Runs a program as fabric_run does. umad2sim has a thread for an open issm device, which a program that
# ends leaves with a device that is gone, now and then: it dies of SIGSEGV in that thread, at the lock of
# a structure at address 0, with either pair. Such a run is made once more, and may not end so again.
run_program() {
	local status=0
	fabric_run run "$ours" "$client" "$programs/$1" "${@:2}" || status=$?
	if [ "$status" -eq $((128 + 11)) ] && [ "$1" = umad_get_issm_path ]; then
		echo "$1 died as umad2sim's thread does; once more" >&2
		status=0
		fabric_run run "$ours" "$client" "$programs/$1" "${@:2}" || status=$?
	fi
	return "$status"
}

# run_line LINE COUNT: runs one line of a transcript and prints it with its outcome; other lines
# are output. COUNT is that of the lines behind it.
run_line() {
	local line=$1 status=0 words
	local command=${line//\{peer\}/$peer_lid}
	read -ra words <<<"${command//\{server\}/$server_lid}"
	case ${words[0]-} in
	'$')
		run_program "${words[@]:1}" || status=$?
		echo "$line"
		print_run run "$status"
		;;
	'&')
		server_number=$((server_number + 1))
		server_lid=$(lid "host-$server_number")
		fabric_spawn_tool server "$ours" "host-$server_number" env SIM_SET_ISSM=1 stdbuf -oL \
			"$programs/${words[1]}" "${words[@]:2}"
		server_pid=$FABRIC_PID
		fabric_wait_for 30 "server" "$server_pid" is_ready >&2 ||
			{ cat "$FABRIC_DIR"/server.{out,err} >&2; fail "no server"; }
		echo "$line"
		;;
	stop)
		fabric_wait_for 30 "response" "$server_pid" has_said "$2" >&2 || true
		fabric_stop_process "$server_pid" || true
		echo "$line"
		print_run server 0
		;;
	esac
}

# matches FILE TRANSCRIPT: line by line.
matches() {
	local wanted got
	while IFS= read -r wanted <&3; do
		IFS= read -r got <&4 || { echo "no line like: $wanted"; return 1; }
		case $wanted in
		'$ '* | '& '* | stop | '['[0-9]*']') [ "$wanted" = "$got" ] ;;
		*) [[ $got =~ ^($wanted)$ ]] ;;
		esac || { echo "not like '$wanted': $got"; return 1; }
	done 3<"$2" 4<"$1"
	[ "$(wc -l <"$1")" -le "$(wc -l <"$2")" ] || { echo "more lines than wanted"; return 1; }
}

check() {
	local name=$1 lines i
	mapfile -t lines <"$expected/$name"
	for i in "${!lines[@]}"; do
		run_line "${lines[i]}" $((${#lines[@]} - i - 1))
	done >"$FABRIC_DIR/transcript"
	if ! grep -q "^[\$&] $name\b" "$expected/$name"; then
		echo "FAILED: $name: its transcript does not run it"
		failed=1
	elif ! matches "$FABRIC_DIR/transcript" "$expected/$name"; then
		echo "FAILED: $name; all it said:"
		cat "$FABRIC_DIR/transcript"
		failed=1
	else
		echo "ok $name: $(wc -l <"$FABRIC_DIR/transcript") lines"
	fi
}

engine_begin ibaddr stdbuf
{
	cat "$here/../../fabric/tools/fat-tree-24.net"
	for counter in SymbolErrorCounter=17 LinkDownedCounter=255 LocalLinkIntegrityErrors=5; do
		echo "do PerformanceSet \"$peer\"[1] PortCounters.$counter"
	done
} >"$FABRIC_DIR/fabric.net"
engine_start_fabric "$FABRIC_DIR/fabric.net" host-01
peer_lid=$(lid "$peer")

count=0
servers=()
for source in "$examples"/*.c; do
	name=$(basename "$source" .c)
	count=$((count + 1))
	if [ ! -e "$expected/$name" ]; then
		echo "FAILED: $name has no transcript"
		failed=1
	elif grep -q '^& ' "$expected/$name"; then
		servers+=("$name")
	else
		check "$name"
	fi
done
[ "$count" -gt 0 ] || fail "no example"

# The simulator passes requests only to a program that it takes for a subnet manager, hence
# SIM_SET_ISSM; the real one is gone by then, lest it query the new one.
fabric_stop_process "$FABRIC_SM_PID" || true
FABRIC_SM_PID=
for name in "${servers[@]}"; do
	check "$name"
done
echo "$count examples, $SECONDS s"
[ "$failed" -eq 0 ]
