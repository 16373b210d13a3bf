#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The programs of docs/tutorial.md (examples/first.c and examples/tutorial, built in ENGINE_PROGRAMS)
# on the simulated fabric of 24 hosts and 12 switches, with whole SA responses: they print what the
# fabric is made of, and the documents show them as they are. tests/static/follow runs the commands of the
# documents. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

programs=${ENGINE_PROGRAMS:?ENGINE_PROGRAMS must name the folder of the programs}
examples=$here/../../../examples

# Each block of C in the tutorial is a run of lines of one of its programs, or the whole program, and each
# program has one.
python3 -B - "$here/../../../docs/tutorial.md" "$examples"/first.c "$examples"/tutorial/*.c <<'END' ||
import pathlib
import re
import sys

document, *programs = (pathlib.Path(name) for name in sys.argv[1:])
left = {path: path.read_text() for path in programs}
for block in re.findall(r'^```c\n(.*?)^```$', document.read_text(), re.MULTILINE | re.DOTALL):
    found = [path for path, text in left.items() if block in text]
    assert found, f'no program has the lines\n{block}'
    del left[found[0]]
assert not left, f'the tutorial does not show {[path.name for path in left]}'
END
	fail "the tutorial and its programs differ"

engine_begin
cat "$here/../tools/fat-tree-24.net" "$here/../tools/counters.net" >"$FABRIC_DIR/fabric.net"
engine_start_fabric "$FABRIC_DIR/fabric.net" host-01
for program in first neighbour switch-ports switches port-errors; do
	engine_run "$program" "$ours" host-24 "$programs/$program"
done
expect first 1 '^host-24 has 2 ports$'
expect neighbour 1 '^here: host-24, GUID 0x0200000000100180, 2 ports$'
expect neighbour 1 '^there: leaf-[0-9]+, GUID 0x[0-9a-f]{16}, [0-9]+ ports$'
expect switch-ports 8 '^port [1-8]: (Active|Down)$'
expect switches 12 '^lid [1-9][0-9]* guid 0x[0-9a-f]{16} ports [0-9]+ (leaf|spine)-[0-9]+$'
expect port-errors 1 '^leaf-01 port 4: SymbolErrorCounter 17$'
expect port-errors 0 '^host-'
[ "$(wc -l <"$examples/tutorial/port-errors.c")" -le 25 ] || fail "port-errors has more than 25 lines"
