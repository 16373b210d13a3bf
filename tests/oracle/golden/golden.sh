#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# golden.sh LIBIBUMAD LIBIBMAD CHECK... - the results in golden.tsv.xz (of the reference, of fixed
# calls), compared with those of a pair of libraries by CHECK (with what runs it in front of it,
# where it is another machine's). Skipped (77) without xz.
set -eu
libibumad=$1 libibmad=$2
shift 2
cd "$(dirname "$0")"

if ! command -v xz >/dev/null; then
	echo "skipped: no xz to unpack golden.tsv.xz"
	exit 77
fi

if printf 'name\t29\tLib\n' | "$@" fields.tsv "$libibumad" "$libibmad" >/dev/null; then
	echo "a wrong result is not noticed"
	exit 1
fi

results=$(mktemp)
trap 'rm -f "$results"' EXIT
xz -dc golden.tsv.xz >"$results"
"$@" fields.tsv "$libibumad" "$libibmad" known-differences.tsv <"$results"
