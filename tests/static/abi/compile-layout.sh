#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# compile-layout.sh COMPILER LANGUAGE INCLUDE: layout.c compiles, so every assertion in it holds.
#
# Shows first that a wrong assertion is refused. Exits with 77 if there is no such compiler.
set -eu
compiler=$1 language=$2 include=$3

if ! command -v "$compiler" >/dev/null; then
	echo "skipped: no $compiler"
	exit 77
fi
case $language in
c) standard=-std=gnu11 ;;
c++) standard=-std=c++11 ;;
esac
compile() {
	"$compiler" -x "$language" "$standard" -Wall -Wextra -Werror -I "$include" -I "$include/.." \
		-fsyntax-only "$@"
}

if printf '#include "layout.c"\nASSERT_OFFSET(struct umad_hdr, tid, 9);\n' |
	compile -iquote . - 2>/dev/null; then
	echo "a wrong offset was accepted"
	exit 1
fi
compile layout.c
if [ "$language" = c ]; then
	compile kernel-layout.c
fi
