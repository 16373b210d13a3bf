# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What the tests of fabric-sweep share: a simulator with a console, runs of the sweep and of
# ibnetdiscover with their MADs counted. Sourced. The environment names our pair
# (FABRIC_LIBS), the program (FABRIC_SWEEP) and the preload that counts (SWEEP_PRELOAD).
# Files are written below FABRIC_DIR, which ends with the test.

sweep_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/fabric/tools/fabric-test.sh
. "$sweep_here/../tools/fabric-test.sh"

sweep=${FABRIC_SWEEP:?FABRIC_SWEEP must name the program}
sweep_preload=${SWEEP_PRELOAD:?SWEEP_PRELOAD must name the preload that counts MADs}
sample=$sweep_here/../tools/fat-tree-24.net
SWEEP_HOST='host-01'

# show FILE...: what went wrong is mostly in there.
show() {
	local file
	for file; do
		echo "--- ${file##*/}"
		tail -n 30 "$file"
	done
}

# sweep_test_begin TOOL...: the tools are those that the test is about to run.
sweep_test_begin() {
	fabric_test_begin "$@"
	FABRIC_PRELOAD="$sweep_preload $FABRIC_PRELOAD"
}

# start_console_sim TOPOLOGY [IBSIM OPTION...]: as fabric_start_sim, with a console to type at.
start_console_sim() {
	local topology=$1
	shift
	mkfifo "$FABRIC_DIR/console"
	exec {SWEEP_CONSOLE}<>"$FABRIC_DIR/console"
	# shellcheck disable=SC2016
	fabric_spawn "$theirs" "$FABRIC_DIR/ibsim.log" \
		bash -c 'exec ibsim -s "${@:2}" <"$1"' ibsim "$FABRIC_DIR/console" "$@" \
		"$(readlink -f "$topology")"
	FABRIC_SIM_PID=$FABRIC_PID
	fabric_wait_for 20 "simulator" "$FABRIC_SIM_PID" fabric_sim_listens
}

sim_has_dumped() {
	[ "$(grep -c '^#  dumped' "$FABRIC_DIR/ibsim.log")" -gt "$1" ]
}

# console COMMAND...: types commands at the simulator, and waits until it has done them.
console() {
	local dumps
	dumps=$(grep -c '^#  dumped' "$FABRIC_DIR/ibsim.log") || true
	printf '%s\n' "$@" "Dump \"$SWEEP_HOST\"" >&"$SWEEP_CONSOLE"
	fabric_wait_for 20 "console" "$FABRIC_SIM_PID" sim_has_dumped "$dumps"
}

# run_sweep NAME OPTION...: NAME.txt and NAME.json, NAME.count has the MADs sent.
run_sweep() {
	local name=$1 status=0
	shift
	fabric_run "$name" "$ours" "$SWEEP_HOST" env SWEEP_MAD_COUNT="$FABRIC_DIR/$name.count" \
		"$sweep" -o "$FABRIC_DIR/$name.txt" --json "$FABRIC_DIR/$name.json" --statistics \
		"$@" || status=$?
	fabric_tool_loaded "$name" "$ours" fabric-sweep >/dev/null || return 1
	return "$status"
}

# run_ibnetdiscover NAME OPTION...: the distribution's, on the distribution's pair.
run_ibnetdiscover() {
	local name=$1
	shift
	fabric_run "$name" "$theirs" "$SWEEP_HOST" \
		env SWEEP_MAD_COUNT="$FABRIC_DIR/$name.count" ibnetdiscover "$@"
}

# compare NODES LINKS NAME: the sweep NAME found what ibnetdiscover did, and that many.
compare() {
	python3 -B "$sweep_here/compare.py" --nodes "$1" --links "$2" \
		"$FABRIC_DIR/theirs.out" "$FABRIC_DIR/$3.txt" "$FABRIC_DIR/$3.json" ||
		{ show "$FABRIC_DIR/$3.err"; fail "$3 found something else than ibnetdiscover"; }
}
