#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Threads on the simulated fabric of 24 hosts: runs threads.c (ENGINE_PROGRAM) with the argument
# given, on our pair. Every port of the fabric has counters of its own, so that a response can't be
# taken for another's. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

program=${ENGINE_PROGRAM:?ENGINE_PROGRAM must name threads}
test=${1:?usage: threads.sh one-port|several-ports|default-port}

# Console commands of ibsim that set two counters of each port that is cabled.
counters() {
	awk '/^(Ca|Switch)\t/ { split($0, quoted, "\""); node = quoted[2] }
		/^\[[0-9]+\]/ { split($0, port, /[][]/); n++
			printf "do PerformanceSet \"%s\"[%d] PortCounters.SymbolErrorCounter=%d\n",
				node, port[2], n
			printf "do PerformanceSet \"%s\"[%d] PortCounters.VL15Dropped=%d\n",
				node, port[2], 1000 + n }' "$1"
}

engine_begin
topology=$here/../tools/fat-tree-24.net
{ cat "$topology"; counters "$topology"; } >"$FABRIC_DIR/fabric.net"
engine_start_fabric "$FABRIC_DIR/fabric.net" host-01

engine_run threads "$ours" host-17 "$program" "$test"
cat "$FABRIC_DIR/threads.out"
echo "$SECONDS s"
