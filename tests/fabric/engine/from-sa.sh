#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# fabric-sweep --from-sa (ENGINE_PROGRAM) finds what it finds by directed routes, on the fabric of 24
# hosts and 12 switches under opensm, in few requests. Where tables are cut, as without the shim,
# it takes directed routes and says so.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

sweep=${ENGINE_PROGRAM:?ENGINE_PROGRAM must name fabric-sweep}
host='host-24'

# without_time FILE: without the lines that differ from run to run.
without_time() {
	grep -vE '^(# Generated:|  "(time|duration_ms|last_complete|from_sa)")' "$1"
}

# run NAME OPTION...: NAME.txt and NAME.json.
run() {
	local name=$1
	shift
	engine_run "$name" "$ours" "$host" "$sweep" -o "$FABRIC_DIR/$name.txt" \
		--json "$FABRIC_DIR/$name.json" --statistics "$@"
	tail -n 1 "$FABRIC_DIR/$name.err"
}

# expect_same NAME: both files are as those of the directed sweep.
expect_same() {
	local format
	for format in txt json; do
		diff <(without_time "$FABRIC_DIR/directed.$format") \
			<(without_time "$FABRIC_DIR/$1.$format") || fail "$1: another $format"
	done
}

engine_begin
engine_start_fabric "$here/../tools/fat-tree-24.net" host-01

run directed
run from-sa --from-sa
expect_same from-sa
grep -q '"from_sa": true' "$FABRIC_DIR/from-sa.json" || fail "not from the SA"
sent=$(grep -oE '[0-9]+ sent' "$FABRIC_DIR/from-sa.err")
[ "${sent% sent}" -lt 20 ] || fail "$sent: the tables need few requests"

FABRIC_PRELOAD=${FABRIC_PRELOAD#"$shim "}
run cut --from-sa
expect_same cut
grep -q 'from-sa: .*cut.* by directed routes' "$FABRIC_DIR/cut.err" || fail "no word of the fallback"
! grep -q '"from_sa"' "$FABRIC_DIR/cut.json" || fail "it was not from the SA"
echo "ok: the same topology from the SA, in $sent ($SECONDS s)"
