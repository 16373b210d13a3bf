#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A library of ours beside one of the distribution's, as docs/administrators.md says: the distribution's
# libibmad works on our libibumad, and tools print on both what they print on the
# distribution's pair; our libibmad needs a libibumad with the version IBUMAD_1.4, and does not start on an
# older one. FABRIC_LIBS names our pair. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/tools/fabric-test.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../fabric/tools/fabric-test.sh"

# mix NAME LIBIBUMAD_FOLDERS LIBIBMAD_FOLDERS: a folder with one library of each.
mix() {
	mkdir "$FABRIC_DIR/mix-$1"
	ln -s "$(fabric_pair_files "$2" | grep libibumad)" "$FABRIC_DIR/mix-$1/libibumad.so.3"
	ln -s "$(fabric_pair_files "$3" | grep libibmad)" "$FABRIC_DIR/mix-$1/libibmad.so.5"
}

# Leaves out values that change from run to run: times, counters that the queries themselves move.
print_output() {
	sed -E -e '/^# Topology file: generated on/d' -e 's/activity count [0-9]+//' \
		-e '/^(Port)?(Unicast|Multicast)?(Xmit|Rcv)(Data|Pkts|Wait):/d' "$FABRIC_DIR/$1.out"
}

# same_output COMMAND...: on our libibumad with the distribution's libibmad, and on its own pair.
same_output() {
	local name
	fabric_run theirs "$theirs" host-24 "$@" || fail "$* on the distribution's pair"
	fabric_run mixed "$FABRIC_DIR/mix-umad" host-24 "$@" ||
		{ cat "$FABRIC_DIR/mixed.err"; fail "$* on our libibumad"; }
	fabric_tool_loaded mixed "$FABRIC_DIR/mix-umad" "$1" >/dev/null
	for name in theirs mixed; do
		print_output "$name" >"$FABRIC_DIR/output-$name"
	done
	[ -s "$FABRIC_DIR/output-mixed" ] || fail "$* prints nothing"
	diff "$FABRIC_DIR/output-theirs" "$FABRIC_DIR/output-mixed" || fail "$* prints something else"
	echo "ok the distribution's libibmad on our libibumad: $*"
}

# The distribution's libibumad has the version or not; our libibmad starts, or names what is missing.
check_other_direction() {
	local status=0 libibumad
	libibumad=$(fabric_pair_files "$theirs" | grep libibumad)
	fabric_run mixed "$FABRIC_DIR/mix-mad" host-24 sminfo || status=$?
	if grep -q 'IBUMAD_1\.4' "$libibumad"; then
		[ "$status" -eq 0 ] || fail "our libibmad does not work on a libibumad with IBUMAD_1.4"
		echo "ok our libibmad on the distribution's libibumad, which has IBUMAD_1.4: works"
	else
		[ "$status" -ne 0 ] || fail "our libibmad started on a libibumad without IBUMAD_1.4"
		grep -q "version \`IBUMAD_1.4' not found" "$FABRIC_DIR/mixed.err" ||
			{ cat "$FABRIC_DIR/mixed.err"; fail "the loader gives another reason"; }
		echo "ok our libibmad on the distribution's libibumad: does not start"
	fi
}

fabric_test_begin sminfo ibstat smpquery perfquery saquery ibnetdiscover
mix umad "$ours" "$theirs"
mix mad "$theirs" "$ours"
fabric_start_sim "$theirs" "$here/fat-tree-24.net"
fabric_start_sm "$FABRIC_DIR/mix-umad" host-01 -s 0
fabric_wait_up 60
same_output ibstat
same_output ibnetdiscover
same_output smpquery nodeinfo 1
same_output perfquery 1 1
same_output saquery NR 1
same_output sminfo
check_other_direction
