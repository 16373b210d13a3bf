# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What the fabric tests share: find both pairs, begin, skip (77) when something is not
# installed. Sourced. The environment names our pair: FABRIC_LIBS, folders as in
# LD_LIBRARY_PATH; and FABRIC_THEIRS that of the distribution, where it is not what is installed.
# Sets ours, theirs and the names of fat-tree-24.net.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/fabric-lib.sh
. "$here/../../../scripts/fabric-lib.sh"

SM_HOST='host-01'			# opensm is here
TOOL_HOST='host-24'			# the tools run here
HELPER_HOST='host-05'			# and here what prepares or looks after them
SM_GUID=0x0200000000100011
HOST_GUID=0x0200000000100181
LEAF_GUID=0x0200000000200010		# leaf-01: hosts on 1 to 3, 4 is free, spines on 5 to 8
NO_LID=99				# no port has it
ours=${FABRIC_LIBS:?FABRIC_LIBS must name the folders of libibumad.so.3 and libibmad.so.5}

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# expect NAME COUNT REGEX: exactly that many lines of what NAME printed.
expect() {
	local found
	found=$(grep -cE -e "$3" "$FABRIC_DIR/$1.out" || true)
	if [ "$found" -ne "$2" ]; then
		cat "$FABRIC_DIR/$1.out"
		fail "$1: $found lines like '$3', not $2"
	fi
	echo "ok $1: $2 lines like '$3'"
}

# fabric_test_begin TOOL...: the tools are those that the test is about to run.
fabric_test_begin() {
	local command status=0
	fabric_begin || status=$?
	[ "$status" -ne "$FABRIC_MISSING" ] || skip "the simulator or opensm is not installed"
	[ "$status" -eq 0 ] || exit "$status"
	theirs=${FABRIC_THEIRS:-$(fabric_distribution_libs)} || skip "libibumad3 is not installed"
	[ "$(fabric_pair_files "$theirs" | wc -l)" -eq 2 ] || skip "libibmad5 is not installed"
	[ "$(fabric_pair_files "$ours" | wc -l)" -eq 2 ] ||
		fail "no pair in $ours"
	for command; do
		command -v "$command" >/dev/null || skip "$command is not installed"
	done
}

# lid HOST: the LID of a host or switch, by the distribution's ibaddr run on it.
lid() {
	fabric_run lid "$theirs" "$1" ibaddr -L >&2 &&
		awk '/LID start/ { print $3 }' "$FABRIC_DIR/lid.out"
}
