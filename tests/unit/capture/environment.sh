#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# environment.sh CASE: LIBIBUMAD_CAPTURE around a program that knows nothing of it (sender.c,
# CAPTURE_SENDER); CAPTURE_CHECK reads a file back. Exits 77 where a permission is missing.
set -euo pipefail

sender=${CAPTURE_SENDER:?CAPTURE_SENDER must name sender}
check=${CAPTURE_CHECK:?CAPTURE_CHECK must name check-pcap}
dir=$(mktemp -d "${TMPDIR:-/tmp}/capture-environment.XXXXXXXX")
mounted=
trap '[ -z "$mounted" ] || umount "$mounted"; rm -rf "$dir"' EXIT

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

skip() {
	echo "skipped: $*"
	exit 77
}

# expect_packets FILE COUNT
expect_packets() {
	local found
	found=$("$check" "$1") || fail "$found"
	[ "$found" = "$2 packets" ] || fail "$1: $found, not $2"
}

# expect_line TEXT: the program's stderr is this line and no other.
expect_line() {
	[ "$(cat "$dir/err")" = "$1" ] || fail "stderr is '$(cat "$dir/err")', not '$1'"
}

# send VALUE: sends five MADs with that capture asked for.
send() {
	LIBIBUMAD_CAPTURE=$1 "$sender" 5 2>"$dir/err" || fail "with $1, the program ended: $?"
}

case_writes() {
	send "$dir/it.pcap"
	expect_line ""
	expect_packets "$dir/it.pcap" 10
	[ "$(stat -c %a "$dir/it.pcap")" = 600 ] || fail "mode $(stat -c %a "$dir/it.pcap")"
	send "$dir/it.pcap"
	expect_packets "$dir/it.pcap" 10
	(cd "$dir" && send here.pcap && echo older >here.pcap && send here.pcap)
	expect_packets "$dir/here.pcap" 10
	send ""
	expect_line ""
}

case_process_id() {
	local file pid
	send "$dir/%p-%d%%%p"
	for file in "$dir"/*-*; do
		pid=${file##*/}
		pid=${pid%%-*}
		[[ $pid =~ ^[0-9]+$ && ${file##*/} == "$pid-%d%%$pid" ]] || fail "a file named $file"
		expect_packets "$file" 10
		return
	done
}

# Refused names are in test-files.c.
case_bad_names() {
	send "$dir/no/it.pcap"
	expect_line "libibumad: no capture to $dir/no/it.pcap: No such file or directory"
	LIBIBUMAD_CAPTURE=$(printf '%5000s' x | tr ' ' x) "$sender" 5 2>"$dir/err" ||
		fail "a long name ended the program"
	grep -qE '^libibumad: no capture to xxxx.*: (File name|Filename) too long$' "$dir/err" ||
		fail "stderr is $(cut -c 1-80 "$dir/err")"
}

# A full disk: one line, and all MADs are sent. Processes that share the file: a line each.
case_full_disk() {
	mkdir "$dir/small"
	mount -t tmpfs -o size=16k none "$dir/small" 2>/dev/null || skip "no right to mount"
	mounted=$dir/small
	LIBIBUMAD_CAPTURE=$dir/small/it.pcap "$sender" 500 2>"$dir/err" ||
		fail "the program ended"
	expect_line "libibumad: capture to $dir/small/it.pcap stopped: No space left on device"
	"$check" "$dir/small/it.pcap" || fail "not in order"
	[ "$("$check" "$dir/small/it.pcap")" != "0 packets" ] || fail "nothing in it"
	for _ in {1..20}; do
		LIBIBUMAD_CAPTURE=$dir/small/it.pcap "$sender" 100 fork 2>"$dir/err" ||
			fail "the program ended"
		"$check" "$dir/small/it.pcap" || fail "of several processes, and not in order"
	done
}

case_size_limit() {
	(ulimit -f 8 && LIBIBUMAD_CAPTURE=$dir/it.pcap exec "$sender" 500) 2>"$dir/err" ||
		fail "the program ended: $?"
	expect_line "libibumad: capture to $dir/it.pcap stopped: File too large"
	expect_packets "$dir/it.pcap" $(((8 * 1024 - 24) / (16 + 16 + 290)))
}

# A program whose plug-ins load the library, one after the other: there is one capture.
case_reload() {
	LIBIBUMAD_CAPTURE=$dir/it.pcap python3 - "${CAPTURE_LIBRARY:?}" "$dir/it.pcap" <<-'END' || fail "see above"
		import _ctypes, ctypes, os, sys
		def state():
		    links = [os.readlink("/proc/self/fd/" + fd) for fd in os.listdir("/proc/self/fd")
		             if os.path.exists("/proc/self/fd/" + fd)]
		    return os.stat(sys.argv[2]).st_ino, [link for link in links if "pcap" in link]
		found = []
		for _ in range(5):
		    library = ctypes.CDLL(sys.argv[1])
		    library.umad_init()
		    _ctypes.dlclose(library._handle)
		    found.append(state())
		if found != [(found[0][0], [sys.argv[2]])] * 5:
		    sys.exit(f"file and descriptors: {found}")
	END
	expect_packets "$dir/it.pcap" 0
}

# Every attribute and notice that has a name: tshark reads its packet, and the debugging lines name it.
case_names() {
	local count
	command -v tshark >/dev/null || skip "no tshark"
	count=$(LIBIBUMAD_CAPTURE=$dir/all.pcap "$sender" all 2>"$dir/lines")
	[ "$count" -gt 200 ] || fail "$count MADs"
	expect_packets "$dir/all.pcap" "$count"
	tshark -r "$dir/all.pcap" -T fields -E separator=, -e infiniband.mad.mgmtclass \
		-e infiniband.mad.attributeid -e _ws.malformed >"$dir/packets" 2>"$dir/err" ||
		fail "$(cat "$dir/err")"
	[ "$(wc -l <"$dir/packets")" -eq "$count" ] || fail "packets: $(wc -l <"$dir/packets")"
	grep -vE '^0x[0-9a-f]+,0x[0-9a-f]+,$' "$dir/packets" >"$dir/bad" || true
	# tshark 4.0 reads GIDs of trap 259 beyond the end of the notice.
	if [ "$(grep -c '^0x01,0x0002,' "$dir/bad")" -gt 1 ] || grep -qv '^0x01,0x0002,' "$dir/bad"; then
		fail "no MAD, or malformed: $(cat "$dir/bad")"
	fi
	[ "$(grep -c ' sends ' "$dir/lines")" -eq "$count" ] || fail "lines: $(wc -l <"$dir/lines")"
	! grep -E ' attribute 0x| Trap .*trap [0-9]+ of' "$dir/lines" || fail "without a name"
}

"case_${1:?usage: environment.sh CASE}"
echo "ok $1"
