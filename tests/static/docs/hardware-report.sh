#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# scripts/hardware-report on a simulated fabric: every command prints the same on both pairs, and a
# library that differs is noticed. FABRIC_LIBS names our pair. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/tools/fabric-test.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../fabric/tools/fabric-test.sh"

fail() {
	cat "$FABRIC_DIR/report"
	echo "FAILED: $*" >&2
	exit 1
}

# report FOLDERS: the report on a fabric of its own.
report() {
	env -u IBSIM_SOCKNAME TMPDIR="$FABRIC_DIR" "$here/../../../scripts/fabric" --build "$build" -- \
		"$here/../../../scripts/hardware-report" "$1" >"$FABRIC_DIR/report" 2>"$FABRIC_DIR/report.err"
}

build=$(dirname "${ours%%:*}")
fabric_test_begin ibstat ibaddr sminfo ibnetdiscover iblinkinfo smpquery perfquery saquery ibtracert
report "$ours" || fail "a command differs"
# shellcheck disable=SC2016 # the backquotes are Markdown
[ "$(grep -c '^| `.*` | same, [1-9][0-9]* lines, exit status 0 |$' "$FABRIC_DIR/report")" -eq 17 ] ||
	fail "not 17 commands are the same"
echo "ok 17 commands are the same"

# A folder without a library to load: every command fails, and the report says so.
mkdir "$FABRIC_DIR/broken"
echo nothing >"$FABRIC_DIR/broken/libibmad.so.5"
! report "$FABRIC_DIR/broken" || fail "a broken library passes"
grep -q '^17 of the commands differ' "$FABRIC_DIR/report" || fail "not every difference is counted"
grep -q 'stderr of ours: .*libibmad' "$FABRIC_DIR/report" || fail "the report does not say why"
echo "ok a library that cannot be loaded is noticed"
