#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# notices.sh BENCH-COUNTS LIBIBUMAD LIBIBMAD OPTION... - with the pairs swapped, so that the
# distribution's has to keep what we promise, the count tests have to fail.
set -u
counts=$1 libibumad=$2 libibmad=$3
shift 3
here=$(dirname "$0")

theirs=$("$here/pairs.py") || exit $?
# shellcheck disable=SC2086 # two paths
output=$("$counts" "$@" --check --first "$libibumad" "$libibmad" --second $theirs codec requests)
status=$?
echo "$output"
[ "$status" -ne 77 ] || exit 77
[ "$status" -eq 1 ] || { echo "not noticed: exit status $status"; exit 1; }
for figure in 'mad_get_field, instructions' 'mad_dump_portinfo, instructions' \
	'smp_query_via, bytes of stack'; do
	echo "$output" | grep -q "^FAILED: .*$figure" || { echo "not noticed: $figure"; exit 1; }
done
