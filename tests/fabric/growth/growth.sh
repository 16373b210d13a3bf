#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# growth.sh NOW LATER LATER_LIBS: a program compiled with this release's headers and with those of a later one
# (grow-headers.py), each on both libraries: all four do their work and print the same. Exits 77 when something
# is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/../engine/engine-fabric.sh"

now=$1 later=$2 later_libs=$3
engine_begin
engine_start_fabric "$here/../tools/fat-tree-24.net" host-01
engine_run now "$ours" host-24 "$now" same
engine_run now-newer "$later_libs" host-24 "$now" newer
engine_run later "$later_libs" host-24 "$later" same
engine_run later-older "$ours" host-24 "$later" older
for run in now-newer later later-older; do
	diff "$FABRIC_DIR/now.out" "$FABRIC_DIR/$run.out" || fail "now (<) and $run (>) differ"
done
[ "$(wc -l <"$FABRIC_DIR/now.out")" -gt 60 ] || fail "the programs printed too little"
echo "ok four combinations print the same $(wc -l <"$FABRIC_DIR/now.out") lines"
