#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# compare.sh CLIENT LIBIBUMAD LIBIBMAD DIFFERENCES [CASE...]
#
# Runs every case of wire-client on the distribution's pair of libraries and on ours, and compares
# what the two wrote to the kernel, returned and printed. DIFFERENCES names the cases that are to
# differ: '#' lines with the reason, then "== CASE", once or more, and the lines that differ in each of these
# cases, '<' being the distribution's. All other lines have to be equal, and these have to differ in just this way.
# "{NEW since VERSION, OLD}" stands for what the distribution's pair does from that version on, and
# for what it did before.
# The CC key of a response, which the distribution's pair does not set but sends from its stack, is
# "........" on its side.
# With WIRE_PRINT=1 all differences are printed in that form and none is a failure. Needs the
# distribution's libibumad.so.3 and libibmad.so.5; without them it is skipped (77).
set -u
client=$1 umad=$2 mad=$3 differences=$4
shift 4

distribution() {
	ldconfig -p | sed -n "s/^[[:space:]]*$1 (libc6,x86-64).*=> //p" | head -n 1
}
their_umad=$(distribution libibumad.so.3)
their_mad=$(distribution libibmad.so.5)
if [ -z "$their_umad" ] || [ -z "$their_mad" ]; then
	echo "SKIPPED: the distribution's libibumad.so.3 and libibmad.so.5 are not installed"
	exit 77
fi

version=$(readlink -f "$their_mad" | sed -n 's/.*\.so\.[0-9]*\.[0-9]*\.\([0-9]*\)\..*/\1/p')
if [ -z "$version" ]; then
	echo "FAILED: $(readlink -f "$their_mad") has no version in its name"
	exit 1
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/ours" "$work/theirs" || exit 1
ln -s "$umad" "$work/ours/libibumad.so.3"
ln -s "$mad" "$work/ours/libibmad.so.5"
ln -s "$their_umad" "$work/theirs/libibumad.so.3"
ln -s "$their_mad" "$work/theirs/libibmad.so.5"

# A response (81) of class CC (21): bytes 24 to 31 are its key.
unset_cc_key='s/^(  000: ..21..81( .{8}){5}) .{8} .{8}$/\1 ........ ......../'

# run SIDE ARGUMENT: what the client prints on one pair, process ids, addresses, times left out
run() {
	TMPDIR=$work LD_LIBRARY_PATH=$work/$1 TSAN_OPTIONS=handle_segv=0 \
		ASAN_OPTIONS=detect_leaks=0:handle_segv=0 \
		timeout 60 "$client" "$2" >"$work/raw" 2>&1
	status=$?
	[ "$1" != theirs ] || sed -E -i "$unset_cc_key" "$work/raw"
	sed -E -e 's/\[[0-9]+\]/[PID]/; s/0x7f[0-9a-f]{10}/ADDRESS/g; /^Segmentation fault/d' \
		-e 's/, TID 0x[0-9a-f]+,/, TID,/; s/, [0-9]+\.[0-9]{3} ms$/, TIME/' "$work/raw"
	[ $status -eq 0 ] || echo "exit status $status"
}

for side in ours theirs; do
	for library in $(run $side libraries); do
		case $library in
		"$work/$side"/*) ;;
		*) echo "FAILED: $library was loaded, not the library of $side"; exit 1 ;;
		esac
	done
done
# The lines as they are for this version.
awk -v version="$version" '{
	while (match($0, /\{[^{}]* since [0-9]+, [^{}]*\}/)) {
		split(substr($0, RSTART + 1, RLENGTH - 2), part, / since |, /)
		$0 = substr($0, 1, RSTART - 1) (version >= part[2] + 0 ? part[1] : part[3]) \
			substr($0, RSTART + RLENGTH)
	}
	print
}' "$differences" >"$work/differences"
cases=$(run ours list)
# shellcheck disable=SC2013 # words
for name in $(sed -n 's/^== //p' "$differences"); do
	if ! echo "$cases" | grep -qx -e "$name"; then
		echo "FAILED: $differences names $name, which is no case"
		exit 1
	fi
done

echo "# comparing with $(readlink -f "$their_umad") and $(readlink -f "$their_mad")"
failed=0 count=0 differing=0
# shellcheck disable=SC2086 # words
[ $# -gt 0 ] || set -- $cases
for name; do
	run theirs "$name" >"$work/theirs.txt"
	run ours "$name" >"$work/ours.txt"
	diff "$work/theirs.txt" "$work/ours.txt" | grep "^[<>]" >"$work/found"
	awk -v heading="== $name" '
		/^==/ { wanted = (wanted && follows) || $0 == heading; follows = 1; next }
		{ follows = 0 }
		/^[<>]/ && wanted' "$work/differences" >"$work/intended"
	count=$((count + 1))
	[ ! -s "$work/intended" ] || differing=$((differing + 1))
	if [ "${WIRE_PRINT:-0}" = 1 ]; then
		[ ! -s "$work/found" ] || { echo "== $name"; cat "$work/found"; }
	elif ! cmp -s "$work/found" "$work/intended"; then
		failed=$((failed + 1))
		echo "FAILED: $name does not differ from the distribution's as intended;"
		echo "'<' is what was to differ, '>' what does:"
		diff "$work/intended" "$work/found" | head -n 60
	fi
done
echo "# $count cases compared, $differing of them with intended differences, $failed failed"
[ "$failed" -eq 0 ]
