#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# examples/fabric-inventory.c (ENGINE_PROGRAM) on the simulated fabric of 24 hosts and 12 switches:
# every node and port of the topology is listed, in the state that it is in, with counters that
# ibsim was given beforehand, and the same LIDs that saquery shows. Exits 77 when something is not
# installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

program=${ENGINE_PROGRAM:?ENGINE_PROGRAM must name fabric-inventory}
lines_max=60
source=$here/../../../examples/fabric-inventory.c

[ "$(wc -l <"$source")" -le "$lines_max" ] || fail "the example has more than $lines_max lines"
engine_begin saquery
cat "$here/../tools/fat-tree-24.net" "$here/../tools/counters.net" >"$FABRIC_DIR/fabric.net"
engine_start_fabric "$FABRIC_DIR/fabric.net" host-01
engine_run list "$ours" host-24 "$program"
engine_run saquery "$theirs" host-24 saquery NR

expect list 36 '^(host|leaf|spine)-[0-9]+ lid [1-9][0-9]* guid 0x[0-9a-f]{16}$'
expect list 1 '^host-24 lid [1-9][0-9]* guid 0x0200000000100181$'
expect list 132 $'^\tport [0-9]+ '
# 56 cables have 2 ends, and 12 switches a port 0.
expect list 124 $'^\tport [0-9]+ Active'
expect list 8 $'^\tport [0-9]+ Down'
expect list 0 'no counters'
expect list 1 $'^\tport 4 Down SymbolErrorCounter 17 LinkDownedCounter 255 LocalLinkIntegrityErrors 5 Ex'
expect list 1 ' VL15Dropped 65535 PortXmitData 123456789 PortRcvPkts 4294967295$'

# name=lid, sorted, of both.
sed -nE 's/^([^\t ]+) lid ([0-9]+) .*/\1=\2/p' "$FABRIC_DIR/list.out" | sort >"$FABRIC_DIR/list"
awk -F '\\.\\.+' '/^\t\tlid/ { lid = $2 } /^\t\tNodeDescription/ { print $2 "=" lid }' \
	"$FABRIC_DIR/saquery.out" | sort | diff - "$FABRIC_DIR/list" ||
	fail "saquery (<) has other LIDs"
echo "ok the LIDs are those of saquery ($SECONDS s)"
