#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# html.sh: scripts/manual-html makes a page for each name, an index of all of them, and links that lead
# somewhere. Exits 77 when mandoc is not installed.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/ibmad-man.XXXXXXXX")
trap 'rm -rf "$folder"' EXIT

fail() {
	echo "FAILED: $*"
	exit 1
}

command -v mandoc >/dev/null || { echo "skipped: mandoc is not installed"; exit 77; }
"$top/scripts/manual-html" "$folder" || fail "scripts/manual-html"
cd "$folder"
for page in *.[378].html; do
	grep -q '<h1 class="Sh" id="NAME">' "$page" || fail "$page has no NAME"
	grep -q "href=\"$page\"" index.html || fail "the index has no $page"
done
grep -hoE 'href="[^"#]+' ./*.html | sed 's/^href="//' | grep -v '^https:' | sort -u >links
while read -r link; do
	[ -s "$link" ] || fail "a page links to $link, which is not there"
done <links
[ "$(wc -l <links)" -gt 50 ] || fail "only $(wc -l <links) links"
# A page of Linux is linked to elsewhere.
grep -q 'href="https://[^"]*/open.2.html"' mad_rpc_open_port.3.html ||
	fail "no link to open(2)"
echo "$(wc -l <links) links lead to pages"
