#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# scripts/with-fabric: the command is on the fabric and gets its own environment, the simulator and the
# subnet manager do not; its output and status are all that is seen; nothing is left. FABRIC_LIBS names
# our pair. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/tools/fabric-test.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../fabric/tools/fabric-test.sh"

with_fabric=$here/../../../scripts/with-fabric

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# is EXPECTED ACTUAL WHAT
is() {
	[ "$1" = "$2" ] || fail "$3: $2, not $1"
	echo "ok $3"
}

fabric_test_begin ibstat smpquery
export LD_LIBRARY_PATH=$ours TMPDIR=$FABRIC_DIR/tmp
mkdir "$TMPDIR"
is ibsim0 "$("$with_fabric" ibstat -l 2>&1)" "what the command prints, and nothing else"
status=0
"$with_fabric" sh -c 'exit 3' || status=$?
is 3 "$status" "the command's status"
# shellcheck disable=SC2016 # the command expands it
is host-24 "$("$with_fabric" sh -c 'echo "$SIM_HOST"')" "the host"
mkdir "$FABRIC_DIR/captures"
LIBIBUMAD_CAPTURE=$FABRIC_DIR/captures/%p.pcap "$with_fabric" smpquery -D nodedesc 0 >"$FABRIC_DIR/out"
is 1 "$(find "$FABRIC_DIR/captures" -name '*.pcap' | wc -l)" "only the command is captured"
is "" "$(ls "$TMPDIR")" "nothing is left"
