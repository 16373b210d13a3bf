#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The programs in examples/ that four kinds of users would write, on the simulated fabric of 24 hosts and 12
# switches: users.sh python agent report error_rates old_tool, or agent_5000. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

programs=${ENGINE_PROGRAMS:?ENGINE_PROGRAMS must name the folder of the programs}
top=$(cd "$here/../../.." && pwd)

# The output of examples/python with the package ibmad, as it is installed: devices, every node with its
# LID from asynchronous requests, and records of the SA. Then a program that does all it should not.
python() {
	local status=0
	"$top/tests/lib/python-with-cffi" "$top/python/ibmad_cffi.py" "$FABRIC_DIR/site" "$top/include" ||
		status=$?
	[ "$status" -ne 77 ] || skip "python3-cffi is not installed"
	[ "$status" -eq 0 ] || fail "the package could not be made"
	PYTHONPATH=$FABRIC_DIR/site fabric_run python "$ours" host-24 "$top/tests/lib/python-with-cffi" \
		"$top/examples/python/fabric.py" || status=$?
	[ "$status" -eq 0 ] || fail "fabric.py ended with $status: $(tail -n 12 "$FABRIC_DIR/python.err")"
	expect python 36 '^(host|leaf|spine)-[0-9]+ lid [1-9][0-9]*$'
	expect python 1 '^device ibsim0 ports .1.$'
	expect python 1 '^the SA says host-24$'
	expect python 1 '^local node 2 ports$'
	PYTHONPATH=$FABRIC_DIR/site fabric_run careless "$ours" host-24 \
		"$top/tests/lib/python-with-cffi" "$top/tests/fabric/engine/careless.py" || status=$?
	[ "$status" -eq 0 ] || fail "careless.py ended with $status: $(tail -n 12 "$FABRIC_DIR/careless.err")"
	expect careless 1 '^careless: all is an exception$'
}

# The administrator's: it finds the counters that ibsim was started with, and ends with 1 for that.
report() {
	local status=0
	fabric_run report "$ours" host-24 "$programs/report" || status=$?
	[ "$status" -eq 1 ] || fail "report ended with $status, not 1"
	expect report 1 '^12 switches, 24 other nodes, 56 links$'
	expect report 1 '^errors: leaf-01 port 4: SymbolErrorCounter 17 LinkDownedCounter 255 or more Loc'
	expect report 1 '^[1-9][0-9]* findings$'
	expect report 0 '^(problem|slow link): '
}

# Errors over time: a request to a LID that no port has, while the program waits, is an error of a switch.
error_rates() {
	local pid status=0
	fabric_spawn_tool error-rates "$ours" host-24 "$programs/error-rates" 1 3
	pid=$FABRIC_PID
	while kill -0 "$pid" 2>/dev/null; do
		fabric_run nobody "$theirs" host-02 smpquery -t 100 nodeinfo 999 && fail "LID 999 responds"
	done
	wait "$pid" || status=$?
	[ "$status" -eq 0 ] || fail "error-rates ended with $status"
	grep -E '^(leaf|spine)-[0-9]+ port [0-9]+: PortRcvSwitchRelayErrors rose by [0-9]+, [0-9.]+ a second$' \
		"$FABRIC_DIR/error-rates.out" || fail "no rise: $(cat "$FABRIC_DIR/error-rates.out")"
	echo "ok error-rates shows what rose"
}

# The agent reads all ports in each round; it reads its keys again, and ends, when it gets a signal.
agent() {
	local pid child status=0
	echo "0x0000000000000001 0x0000000000000002" >"$FABRIC_DIR/guid2mkey"
	chmod 644 "$FABRIC_DIR/guid2mkey"
	fabric_spawn_tool agent "$ours" host-24 "$programs/agent" 1 0 "$FABRIC_DIR/guid2mkey"
	pid=$FABRIC_PID
	fabric_wait_for 20 "the agent's ports" "$pid" agent_prints '^112 ports$'
	while kill -0 "$pid" 2>/dev/null && ! agent_prints '^alert: '; do
		fabric_run nobody "$theirs" host-02 smpquery -t 100 nodeinfo 999 && fail "LID 999 responds"
	done
	child=$(<"/proc/$pid/task/$pid/children") # of timeout, which would end it for this signal
	kill -HUP "${child% }"
	fabric_wait_for 20 "keys" "$pid" agent_prints_twice
	kill "${child% }"
	wait "$pid" || status=$?
	[ "$status" -eq 0 ] || fail "the agent ended with $status: $(cat "$FABRIC_DIR/agent.err")"
	grep -E '^alert: (leaf|spine)-[0-9]+ port [0-9]+: [0-9]+ new errors$' "$FABRIC_DIR/agent.out" | head -n 1
	expect agent 1 '^[1-9][0-9]* responses, 0 failures$'
}

# shellcheck disable=SC2317 # fabric_wait_for calls them
agent_prints() {
	grep -qsE "$1" "$FABRIC_DIR/agent.out"
}

# shellcheck disable=SC2317
agent_prints_twice() {
	[ "$(grep -c '^keys read$' "$FABRIC_DIR/agent.out")" -ge 2 ]
}

# More than 5,000 ports, three times.
agent_5000() {
	FABRIC_TOOL_SECONDS=300
	engine_run agent "$ours" host-0001 "$programs/agent" 1 3
	cat "$FABRIC_DIR/agent.out"
	expect agent 1 '^6096 ports$'
	expect agent 1 '^18288 responses, 0 failures$'
}

# The old tool prints the same on the libraries that it was written for.
old_tool() {
	engine_run old-tool "$ours" host-24 "$programs/old-tool"
	engine_run old-tool-theirs "$theirs" host-24 "$programs/old-tool"
	expect old-tool 1 '^# SM: Lid 1$'
	expect old-tool 1 '^# NodeDescription: host-24$'
	expect old-tool 1 '^PortGuid:\.+0x0200000000100181$'
	diff "$FABRIC_DIR/old-tool.out" "$FABRIC_DIR/old-tool-theirs.out" || fail "old-tool differs on the two pairs"
	echo "ok old-tool prints the same on both pairs"
}

engine_begin
cat "$here/../tools/fat-tree-24.net" "$here/../tools/counters.net" >"$FABRIC_DIR/fabric.net"
[ "$1" != agent_5000 ] || ENGINE_SECONDS=240
[ "$1" != agent_5000 ] || python3 -B "$here/../tools/make-fat-tree" --hosts 1000 --levels 3 --radix 16 \
	>"$FABRIC_DIR/fabric.net"
sm_host=$(sed -nE '/^Ca[[:space:]].*# "([^"]*)".*/{s//\1/;p;q}' "$FABRIC_DIR/fabric.net")
engine_start_fabric "$FABRIC_DIR/fabric.net" "$sm_host" -N 8192 -S 2048 -P 65536
for user; do
	"$user"
done
