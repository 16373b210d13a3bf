#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# oracle.sh RECORD CHECK LIBIBUMAD LIBIBMAD SEED - the results of the distribution's libibumad3 and
# libibmad5 for calls that follow from SEED, compared with those of a pair of libraries. Skipped (77)
# where the distribution's are not installed.
set -eu
record=$1 check=$2 libibumad=$3 libibmad=$4 seed=$5
cd "$(dirname "$0")"

results=$(mktemp)
trap 'rm -f "$results"' EXIT
status=0
"$record" fields.tsv libibumad.so.3 libibmad.so.5 "$seed" >"$results" || status=$?
if [ "$status" = 77 ]; then
	echo "skipped: no distribution's pair: $(cat "$results")"
	exit 77
elif [ "$status" != 0 ]; then
	echo "record failed with status $status"
	exit 1
fi
echo "calls from seed $seed"
"$check" fields.tsv "$libibumad" "$libibmad" known-differences.tsv <"$results"
