#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# golden.sh CHECK LIBIBUMAD LIBIBMAD - the answers in golden.tsv.xz (of the reference, to fixed
# questions), compared with those of a pair of libraries. Skipped (77) without xz, and on a
# big-endian machine, for the answers hold numbers as a little-endian one has them in memory.
set -eu
cd "$(dirname "$0")"

if ! command -v xz >/dev/null; then
	echo "skipped: no xz to unpack golden.tsv.xz"
	exit 77
fi
if [ "$(printf '\1\0' | od -An -t u2 | tr -d ' ')" != 1 ]; then
	echo "skipped: the answers are those of a little-endian machine"
	exit 77
fi

if printf 'name\t29\tLib\n' | "$1" fields.tsv "$2" "$3" >/dev/null; then
	echo "a wrong answer is not noticed"
	exit 1
fi

answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
xz -dc golden.tsv.xz >"$answers"
"$1" fields.tsv "$2" "$3" <"$answers"
