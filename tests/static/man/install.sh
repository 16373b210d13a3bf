#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# install.sh CMAKE BUILD BUILT MANDIR: what is installed below MANDIR is what is below BUILT, man
# finds a page there by each of its names and shows whose it is, and `man -k` and whatis find each
# name. Exits 77 when man is not installed.
set -euo pipefail

cmake=$1
build=$2
built=$3
mandir=$4
folder=$(mktemp -d "${TMPDIR:-/tmp}/ibmad-man.XXXXXXXX")
trap 'rm -rf "$folder"' EXIT

fail() {
	echo "FAILED: $*"
	exit 1
}

# An absolute MANDIR stays below DESTDIR, any other below the prefix.
DESTDIR=$folder "$cmake" --install "$build" --prefix /usr >"$folder/log" 2>&1 ||
	{ cat "$folder/log"; fail "cmake --install"; }
case $mandir in
/*) installed=$folder$mandir ;;
*) installed=$folder/usr/$mandir ;;
esac
for section in man3 man7 man8; do
	diff -r "$built/$section" "$installed/$section" || fail "$section differs"
done
echo "installed: $(find "$installed" -type f | wc -l) files"

command -v man >/dev/null || { echo "skipped: man is not installed"; exit 77; }
for name in umad_open_port umad_poll mad_rpc smp_set_via; do
	LC_ALL=C MANWIDTH=80 man -M "$installed" 3 "$name" 2>&1 >"$folder/page" | head
	grep -q "\b$name *(" "$folder/page" || fail "man 3 $name shows another page"
	! grep -w BSD "$folder/page" || fail "man 3 $name speaks of BSD"
done
LC_ALL=C man -M "$installed" 7 ibumad 2>&1 >"$folder/page" | head
grep -q ibumad "$folder/page" || fail "man 7 ibumad"
echo "man finds pages by their names"

command -v mandb >/dev/null || { echo "skipped: mandb is not installed"; exit 77; }
mandb -c -q "$installed" 2>&1 | head
found=$(man -M "$installed" -k mad | wc -l)
[ "$found" -gt 150 ] || fail "man -k mad finds $found names"
for page in "$installed"/man[378]/*; do
	name=${page##*/}
	whatis -M "$installed" -s "${name##*.}" "${name%.*}" >>"$folder/whatis" 2>&1 ||
		fail "whatis knows no ${name%.*}"
done
echo "man -k and whatis find $(wc -l <"$folder/whatis") names"
