#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# run.sh TESTS BUILD: tests/run of the folder TESTS knows all tables, runs single rows of the build, and says why a
# row does not run.
set -euo pipefail

tests=$1 build=$2
failed=0

# prints STATUS PATTERN ARGUMENT...: tests/run ends with this status, and prints a line with the pattern.
prints() {
	local status=0 text wanted=$1 pattern=$2
	shift 2
	text=$("$tests/run" "$@" 2>&1) || status=$?
	if [ "$status" -ne "$wanted" ] || ! grep -Eq -e "$pattern" <<<"$text"; then
		printf 'tests/run %s: status %s, and no line with %s in:\n%s\n' "$*" "$status" "$pattern" "$text"
		failed=1
	fi
}

while read -r table; do
	prints 0 "${table#"$tests/"}, [1-9][0-9]* rows"
done < <(find "$tests" -name '*.tbl')
prints 0 '^  .* retries( |$)'
for table in umad requests steps fabrics hosts events traffic; do
	row=$("$tests/run" | sed -n "/^$table:/{n;s/^ *//;s/ .*//p}")
	prints 0 '1 test\(s\) run|[0-9]+ test' "$table" "$row" --build "$build"
	[[ $table = umad || $table = requests ]] || prints 77 'skipped: not on kernel: .' "$table" "$row" --on kernel
done
prints 1 'no test matches nothing' umad nothing --build "$build"
prints 0 '2 test\(s\) run' requests smp_by_lid --build "$build" # both forms of the call
if [ -e "$build/tests/robust/simulation/simulate" ]; then
	prints 0 '^ok - requests/smp_set' requests smp_set --on simulation --build "$build"
	prints 0 '^ok - retries' umad retries --on simulation --build "$build"
	prints 0 '^ok - agents_that_can_not_be # SKIP .' umad agents_that_can_not_be --on simulation --build "$build"
fi
exit $failed
