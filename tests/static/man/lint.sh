#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# lint.sh mandoc|man SOURCE BUILT: no warning from that program about any page in SOURCE, or below
# BUILT, which holds man3, man7 and man8 as they are installed, with their examples. Pages that are wrong on
# purpose must be found. Exits 77 when the program is not installed.
set -euo pipefail

tool=$1
source=$2
built=$3
folder=$(mktemp -d "${TMPDIR:-/tmp}/ibmad-man.XXXXXXXX")
trap 'rm -rf "$folder"' EXIT

skip() {
	echo "skipped: $*"
	exit 77
}

complaints_of_mandoc() {
	mandoc -Tlint -W warning "$1"
}

# Newer versions of groff say "cannot adjust line" of every line with a long word in it (break); older
# ones do not know that warning.
complaints_of_man() {
	{ LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings='mac,!break' -E UTF-8 -l -Tutf8 -Z "$1" \
		>/dev/null; } 2>&1 | grep -v "unknown warning '!break'"
}

# Prints the program's complaints about a page, with which it may end with a status that is not 0.
complaints() {
	"complaints_of_$tool" "$1" || true
}

command -v "$tool" >/dev/null || skip "$tool is not installed"
[ "$tool" != man ] || command -v groff >/dev/null || skip "groff is not installed"

page_head='.Dd November 21, 2026\n.Dt WRONG 3\n.Os\n.Sh NAME\n.Nm wrong\n.Nd wrong\n'
# shellcheck disable=SC2059 # with its escapes
make_page() {
	printf "$page_head$1" >"$folder/wrong.3"
}

make_page ''
[ -z "$(complaints "$folder/wrong.3")" ] || { complaints "$folder/wrong.3"; exit 1; }
make_page '.Sh DESCRIPTION\n.nosuchmacro\n'
[ -n "$(complaints "$folder/wrong.3")" ] || { echo "$tool does not find what is wrong"; exit 1; }
make_page '.Sh EXAMPLES\n.Pp\nText.\n'
[ "$tool" != mandoc ] || [ -n "$(complaints "$folder/wrong.3")" ] ||
	{ echo "$tool does not find a stray paragraph macro"; exit 1; }

pages=0
for page in "$source"/*.[378] "$built"/man3/*.3 "$built"/man7/*.7 "$built"/man8/*.8; do
	[ "$(head -c 4 "$page")" != '.so ' ] || continue
	pages=$((pages + 1))
	complaints "$page" >>"$folder/complaints"
done
if [ -s "$folder/complaints" ]; then
	cat "$folder/complaints"
	exit 1
fi
[ "$pages" -gt 0 ] || { echo "no page in $built"; exit 1; }
echo "$tool has nothing to say about $pages pages"
