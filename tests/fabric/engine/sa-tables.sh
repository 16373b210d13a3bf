#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# On a fat tree of 3 levels, 1,000 hosts and 320 switches under opensm: every record of seven SA
# tables, queried by mad_sa_query_*() (sa-tables.c, ENGINE_PROGRAM), equals what saquery prints on
# the distribution's pair. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/engine/engine-fabric.sh
. "$(dirname "${BASH_SOURCE[0]}")/engine-fabric.sh"

program=${ENGINE_PROGRAM:?ENGINE_PROGRAM must name sa-tables}
host='host-0500'
failed=0

# saquery's text as a title and lines "name=value", digits small. Left out: what saquery does not
# display (keys), and the subnet manager's activity count, which is a clock.
normalise() {
	sed -E -e 's/^[[:space:]]+//' -e 's/ dump:$//' -e '/^(RID|PortInfo|SMInfo)$/d' \
		-e 's/^([^:]*[^.:])\.{2,}/\1=/' -e 's/^([^:]*):\.+/\1=/' \
		-e '/^(Mkey|ServiceKey)=/d' -e 's/^ActCount=[0-9]+$/ActCount=N/' |
		tr '[:upper:]' '[:lower:]'
}

# Fields that older versions of saquery do not know are not compared with them.
drop_newer_fields() {
	grep -q '^linkspeedextactive2=' "$FABRIC_DIR/theirs.records" ||
		sed -i -E '/^linkspeedext(active|supported|enabled)2=/d' "$FABRIC_DIR/ours.records"
}

# compare TABLE LEAST TITLE QUERY...: equal in every line, and at least LEAST records.
compare() {
	local table=$1 least=$2 title=$3 records lines
	shift 3
	engine_run theirs "$theirs" "$host" saquery "$@"
	normalise <"$FABRIC_DIR/theirs.out" >"$FABRIC_DIR/theirs.records"
	engine_run ours "$ours" "$host" "$program" "$table"
	normalise <"$FABRIC_DIR/ours.out" >"$FABRIC_DIR/ours.records"
	drop_newer_fields

	records=$(grep -cx "$title" "$FABRIC_DIR/ours.records" || true)
	lines=$(wc -l <"$FABRIC_DIR/ours.records")
	if ! diff "$FABRIC_DIR/theirs.records" "$FABRIC_DIR/ours.records" >"$FABRIC_DIR/diff"; then
		echo "FAILED: $table: < saquery $*, > ours"
		head -n 40 "$FABRIC_DIR/diff"
		failed=1
	elif [ "$records" -lt "$least" ]; then
		echo "FAILED: $table: $records records, at least $least wanted"
		failed=1
	else
		echo "ok $table: $records records equal ($lines lines)"
	fi
}

engine_begin saquery python3
"$here/../tools/make-fat-tree" --levels 3 --radix 16 --hosts 1000 >"$FABRIC_DIR/fabric.net"
engine_start_fabric "$FABRIC_DIR/fabric.net" host-0001 -S 512

engine_run prepare "$ours" "$host" "$program" prepare
gid=$(sed -n 's/^gid=//p' "$FABRIC_DIR/prepare.out")

compare nodes 1320 noderecord NR
compare port-infos 6000 portinforecord PIR
compare links 6000 linkrecord LR
compare paths 1320 pathrecord PR --sgid "$gid"
compare sm-infos 1 sminforecord SMIR
compare mc-members 6 'mcmember record' MCMR
compare services 5 servicerecord SR
echo "$SECONDS s"
[ "$failed" -eq 0 ]
