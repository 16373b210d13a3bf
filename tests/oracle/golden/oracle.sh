#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# oracle.sh ASK CHECK LIBIBUMAD LIBIBMAD SEED - the answers of the distribution's libibumad3 and
# libibmad5 to questions made from SEED, compared with those of a pair of libraries. Skipped (77)
# where the distribution's are not installed.
set -eu
ask=$1 check=$2 libibumad=$3 libibmad=$4 seed=$5
cd "$(dirname "$0")"

answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
status=0
"$ask" fields.tsv libibumad.so.3 libibmad.so.5 "$seed" >"$answers" || status=$?
if [ "$status" = 77 ]; then
	echo "skipped: no distribution's pair to ask: $(cat "$answers")"
	exit 77
elif [ "$status" != 0 ]; then
	echo "ask failed with status $status"
	exit 1
fi
echo "questions from seed $seed"
"$check" fields.tsv "$libibumad" "$libibmad" known-differences.tsv <"$answers"
