#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The programs in examples/ that four kinds of users would write, on the simulated fabric of 24 hosts and 12
# switches: users.sh python. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

top=$(cd "$here/../../.." && pwd)

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

# What examples/python prints: every node with its LID, from asynchronous requests.
python() {
	local status=0
	fabric_run python "$ours" host-24 "$top/tests/lib/python-with-cffi" \
		"$top/examples/python/fabric.py" "$top/include" || status=$?
	[ "$status" -ne 77 ] || skip "python3-cffi is not installed"
	[ "$status" -eq 0 ] || fail "fabric.py ended with $status: $(tail -n 3 "$FABRIC_DIR/python.err")"
	expect python 36 '^(host|leaf|spine)-[0-9]+ lid [1-9][0-9]*$'
}

engine_begin
engine_start_fabric "$here/../tools/fat-tree-24.net" host-01
for user; do
	"$user"
done
