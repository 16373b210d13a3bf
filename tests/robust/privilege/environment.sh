#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# environment.sh PROGRAM: run by an ordinary user, PROGRAM (environment.c) follows the libraries'
# environment variables; with the setuid bit it does not, and writes no file that they name.
# Needs root to set the bit and a file system that honours it; exits 77 otherwise.
set -euo pipefail

program=$1
user=65534 # the user nobody, which need not exist

skip() {
	echo "skipped: $*"
	exit 77
}
fail() {
	echo "FAILED: $*" >&2
	exit 1
}

[ "$(id -u)" -eq 0 ] || skip "only root can make a program setuid"
command -v setpriv >/dev/null || skip "no setpriv"

folder=$(mktemp -d "${TMPDIR:-/tmp}/ibmad-setuid.XXXXXXXX")
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
mkdir -m 777 "$folder/writable"
cp "$program" "$folder/program"

# `print_output` MODE: the program's output, run by the user, with that mode.
print_output() {
	chown 0:0 "$folder/program"
	chmod "$1" "$folder/program"
	setpriv --reuid="$user" --regid="$user" --clear-groups \
		env -i LIBIBMAD_DEBUG_LEVEL=3 LIBIBUMAD_CAPTURE="$folder/writable/capture" \
		LSAN_OPTIONS=detect_leaks=0 "$folder/program" 2>/dev/null
}

ordinary=$(print_output 0755) || skip "another user can't run programs in ${TMPDIR:-/tmp}"
[ "$ordinary" = "ordinary 3" ] || fail "an ordinary program says: $ordinary"
rm "$folder/writable/capture" || fail "an ordinary program has made no capture"

for mode in 4755 2755; do
	secure=$(print_output "$mode")
	[ "${secure% *}" = secure ] || skip "the setuid bit means nothing in ${TMPDIR:-/tmp}"
	[ "$secure" = "secure 0" ] || fail "a program of mode $mode follows its environment: $secure"
	[ -z "$(ls "$folder/writable")" ] || fail "a program of mode $mode wrote $(ls "$folder/writable")"
done
echo "ok: the environment counts for ordinary programs, and not with the setuid or setgid bit"
