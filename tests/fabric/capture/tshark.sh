#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# tshark.sh CASE: unmodified tools on our pair and a simulated fabric, with LIBIBUMAD_CAPTURE, and
# what tshark says of the file: LIDs, queue pairs, class, method, attribute and its own summary, and
# no complaint. The environment names our pair (FABRIC_LIBS, folders as in LD_LIBRARY_PATH), the
# programs CAPTURE_CHECK (check-pcap) and CAPTURE_MANY_FILES, and the preload ENGINE_SHIM, which is
# the kernel's RMPP for the simulator. Exits 77 when something is not installed.
set -euo pipefail

# shellcheck source=tests/fabric/tools/fabric-test.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tools/fabric-test.sh"

check=${CAPTURE_CHECK:?CAPTURE_CHECK must name check-pcap}

# captured COMMAND...: a run on our pair that has to succeed; the capture is $capture.
captured() {
	local program=$1
	capture=$FABRIC_DIR/$program.pcap
	LIBIBUMAD_CAPTURE=$capture fabric_run tool "$ours" "$TOOL_HOST" "$@" ||
		{ head -n 20 "$FABRIC_DIR/tool.err" >&2; fail "$* ended with status $?"; }
	fabric_tool_loaded tool "$ours" "$program" >/dev/null || exit 1
	[ -s "$FABRIC_DIR/tool.out" ] || fail "$* says nothing"
	! grep -q '^libibumad:' "$FABRIC_DIR/tool.err" || fail "$(cat "$FABRIC_DIR/tool.err")"
}

# A line for each packet: whether it was received, LIDs, destination and source QP, class, method,
# attribute, summary. Fails where tshark does not see a MAD, finds it malformed or has anything else
# to complain of. Its own warnings on stderr are about being root.
dissect() {
	"$check" "$capture" >/dev/null || fail "$("$check" "$capture")"
	tshark -r "$capture" -T fields -E separator=/t -e erf.flags.cap -e infiniband.lrh.slid \
		-e infiniband.lrh.dlid -e infiniband.bth.destqp -e infiniband.deth.srcqp \
		-e infiniband.mad.mgmtclass -e infiniband.mad.method -e infiniband.mad.attributeid \
		-e _ws.col.Info -e _ws.malformed -e _ws.expert \
		>"$FABRIC_DIR/fields" 2>"$FABRIC_DIR/tshark.err" || fail "$(cat "$FABRIC_DIR/tshark.err")"
	awk -F '\t' -v tolerated="${tolerated:-none}" '
		$6 == "" || $10 != "" || ($11 != "" && index($11, tolerated) == 0)
	' "$FABRIC_DIR/fields" >"$FABRIC_DIR/bad"
	[ ! -s "$FABRIC_DIR/bad" ] || fail "no MAD, or a complaint: $(cat "$FABRIC_DIR/bad")"
	sed -E 's/\t+$//; s/\t/ /g; s/ 0x0+([0-9a-f])/ 0x\1/g; s/ UD Send Only QP=0x[0-9a-f]+//' \
		"$FABRIC_DIR/fields" >"$FABRIC_DIR/packets"
}

# expect TITLE, lines on standard input: those are the packets, in this order.
expect() {
	cat >"$FABRIC_DIR/expected"
	dissect
	diff "$FABRIC_DIR/packets" "$FABRIC_DIR/expected" ||
		fail "$1: < what tshark says, > what it should say"
	echo "ok $1: $(wc -l <"$FABRIC_DIR/packets") packets"
}

case_smpquery() {
	captured smpquery nodeinfo "$sm"
	expect "LID routed" <<-END
		0 $me $sm 0x0 0x0 0x1 0x1 0x11 SubnGet(NodeInfo)
		1 $sm $me 0x0 0x0 0x1 0x81 0x11 SubnGetResp(NodeInfo)
	END
	captured smpquery -D portinfo 0,1 2
	expect "directed route" <<-END
		0 65535 65535 0x0 0x0 0x81 0x1 0x15 SubnGet(PortInfo)
		1 65535 65535 0x0 0x0 0x81 0x81 0x15 SubnGetResp(PortInfo)
	END
	captured smpquery nodedesc "$leaf"
	expect "a switch" <<-END
		0 $me $leaf 0x0 0x0 0x1 0x1 0x11 SubnGet(NodeInfo)
		1 $leaf $me 0x0 0x0 0x1 0x81 0x11 SubnGetResp(NodeInfo)
		0 $me $leaf 0x0 0x0 0x1 0x1 0x10 SubnGet(NodeDescription)
		1 $leaf $me 0x0 0x0 0x1 0x81 0x10 SubnGetResp(NodeDescription)
	END
}

case_perfquery() {
	captured perfquery "$sm" 1
	expect "counters" <<-END
		0 $me $sm 0x1 0x1 0x4 0x1 0x1 PERF (ClassPortInfo)
		1 $sm $me 0x1 0x1 0x4 0x81 0x1 PERF (ClassPortInfo)
		0 $me $sm 0x1 0x1 0x4 0x1 0x12 PERF (PortCounters)
		1 $sm $me 0x1 0x1 0x4 0x81 0x12 PERF (PortCounters)
	END
	captured perfquery -x "$sm" 1
	expect "extended counters" <<-END
		0 $me $sm 0x1 0x1 0x4 0x1 0x1 PERF (ClassPortInfo)
		1 $sm $me 0x1 0x1 0x4 0x81 0x1 PERF (ClassPortInfo)
		0 $me $sm 0x1 0x1 0x4 0x1 0x1d PERF (PortCountersExtended)
		1 $sm $me 0x1 0x1 0x4 0x81 0x1d PERF (PortCountersExtended)
	END
	tshark -r "$capture" -T fields -e infiniband.deth.q_key -e infiniband.bth.p_key \
		-e infiniband.lrh.vl 2>/dev/null | sort -u >"$FABRIC_DIR/keys"
	printf '0x0000000080010000\t65535\t0x00\n' | diff "$FABRIC_DIR/keys" - ||
		fail "< Q_Key, P_Key and lane, > what they should be"
}

case_saquery() {
	captured saquery PR --slid "$sm" --dlid "$me"
	expect "a path" <<-END
		0 $me $sm 0x1 0x1 0x3 0x12 0x35 SubnAdmGetTable(PathRecord)
		1 $sm $me 0x1 0x1 0x3 0x92 0x35 SubnAdmGetTableResp(PathRecord)
	END
	captured saquery -c
	expect "class" <<-END
		0 $me $sm 0x1 0x1 0x3 0x1 0x1 SubnAdmGet(ClassPortInfo)
		1 $sm $me 0x1 0x1 0x3 0x81 0x1 SubnAdmGetResp(ClassPortInfo)
	END
}

# A table comes as one message; the capture has the MADs of it. 36 records of 112 bytes are 21 MADs
# of 200 bytes of data. tshark takes each of them for the beginning of a record, and so finds strings
# with something behind their end.
case_tables() {
	local segments i tolerated='Trailing stray characters'
	captured saquery NR
	dissect
	[ "$(grep -c 'SubnAdmGetTableResp' "$FABRIC_DIR/packets")" -eq 21 ] ||
		fail "$(cat "$FABRIC_DIR/packets")"
	segments=$(tshark -r "$capture" -Y 'erf.flags.cap == 1' -T fields -E separator=/s \
		-e infiniband.rmpp.rmpptype -e infiniband.rmpp.rmppflags \
		-e infiniband.rmpp.segmentnumber -e infiniband.rmpp.payloadlength 2>/dev/null)
	diff <(echo "$segments") <(
		printf '0x01 0x03 0x%08x 0x%08x\n' 1 4452 # 21 * 20 bytes of header, and 36 * 112
		for ((i = 2; i <= 20; i++)); do
			printf '0x01 0x01 0x%08x 0x%08x\n' "$i" 0
		done
		printf '0x01 0x05 0x%08x 0x%08x\n' 21 52
	) || fail "< segments, > what they should be"
	echo "ok tables: 21 segments"
}

# A whole subnet manager: everything that it sends and receives is dissected.
case_opensm() {
	local count
	capture=$FABRIC_DIR/opensm.pcap
	fabric_stop_sm || true
	LIBIBUMAD_CAPTURE=$capture fabric_start_sm "$ours" "$SM_HOST"
	fabric_wait_up 60
	fabric_process_loaded "$FABRIC_SM_PID" "$ours" >/dev/null
	kill -KILL "$FABRIC_SM_PID"
	wait "$FABRIC_SM_PID" 2>/dev/null || true
	FABRIC_SM_PID=
	dissect
	count=$(wc -l <"$FABRIC_DIR/packets")
	[ "$count" -gt 500 ] || fail "$count packets"
	for what in 'SubnGet(NodeInfo)' 'SubnGetResp(PortInfo)' 'SubnSet(LinearForwardingTable)'; do
		grep -qF "$what" "$FABRIC_DIR/packets" || fail "no $what"
	done
	echo "ok opensm, killed: $count packets"
}

# The simulator's descriptors begin at 1024, and that is the number of the capture's, too.
case_many_files() {
	local status=0
	capture=$FABRIC_DIR/many.pcap
	fabric_run many "$ours" "$TOOL_HOST" "${CAPTURE_MANY_FILES:?}" "$capture" || status=$?
	[ "$status" -ne 77 ] || skip "$(cat "$FABRIC_DIR/many.err")"
	[ "$status" -eq 0 ] || fail "$(cat "$FABRIC_DIR/many.err")"
	cat "$FABRIC_DIR/many.out"
	expect "many files" < <(for _ in 1 2 3; do
		echo "0 65535 65535 0x0 0x0 0x81 0x1 0x11 SubnGet(NodeInfo)"
		echo "1 65535 65535 0x0 0x0 0x81 0x81 0x11 SubnGetResp(NodeInfo)"
	done)
}

name=${1:?usage: tshark.sh CASE}
fabric_test_begin tshark smpquery perfquery saquery
if [ "$name" = tables ]; then
	FABRIC_PRELOAD="${ENGINE_SHIM:?ENGINE_SHIM must name rmpp-shim.so} $FABRIC_PRELOAD"
fi
fabric_start_sim "$theirs" "$here/../tools/fat-tree-24.net"
fabric_start_sm "$theirs" "$SM_HOST" -s 0
fabric_wait_up 60
sm=$(lid "$SM_HOST")
me=$(lid "$TOOL_HOST")
leaf=$(lid leaf-01)
"case_$name"
