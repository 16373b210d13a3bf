#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# compare-distribution.sh SONAME OURS: abidiff finds nothing that a program linked to the
# distribution's library of that soname would miss in ours.
#
# Compares symbols and version nodes, and types as far as both carry debug information. What abidiff
# says is worth something only if it finds the opposite difference: symbols of ours missing from theirs.
# Exits with 77 if abidiff or the distribution's library is not there.
set -eu
soname=$1 ours=$2

if ! command -v abidiff >/dev/null; then
	echo "skipped: no abidiff"
	exit 77
fi
# By name from the loader's cache: LD_LIBRARY_PATH may well name ours.
theirs=$(/sbin/ldconfig -p | sed -n "s/^[[:space:]]*$soname (.*) => //p" | head -n 1)
if [ -z "$theirs" ] || [ ! -r "$theirs" ]; then
	echo "skipped: the distribution's $soname is not installed"
	exit 77
fi
if grep -q '_EXT_1\.0' "$theirs"; then
	echo "skipped: the $soname that is installed is ours"
	exit 77
fi
echo "compared with $(readlink -f "$theirs")"
abidiff --no-added-syms "$theirs" "$ours"
if abidiff --no-added-syms "$ours" "$theirs" >/dev/null; then
	echo "abidiff does not notice what is missing from $theirs"
	exit 1
fi
