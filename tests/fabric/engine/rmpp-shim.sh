#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# rmpp-shim, which the other tests of this folder depend on: through it, saquery shows whole tables on
# the fabric of 24 hosts and 12 switches, the same on the distribution's pair and on ours, and an empty
# table is a response, too. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

host='host-24'

# expect COUNT TITLE QUERY...: so many records, the same ones on both pairs.
expect() {
	local count=$1 title=$2 found
	shift 2
	engine_run theirs "$theirs" "$host" saquery "$@"
	engine_run ours "$ours" "$host" saquery "$@"
	diff "$FABRIC_DIR/theirs.out" "$FABRIC_DIR/ours.out" || fail "saquery $*: two results"
	found=$(grep -c "^$title dump:" "$FABRIC_DIR/ours.out" || true)
	[ "$found" -eq "$count" ] || fail "saquery $*: $found records, not $count"
	echo "ok saquery $*: $count records on both pairs"
}

engine_begin saquery
engine_start_fabric "$here/../tools/fat-tree-24.net" host-01

expect 36 NodeRecord NR
expect 132 PortInfoRecord PIR
expect 112 LinkRecord LR
expect 1296 PathRecord PR
expect 1 PathRecord PR --slid 1 --dlid 4
expect 0 ServiceRecord SR
