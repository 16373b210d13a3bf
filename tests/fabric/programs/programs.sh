# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What the tests of other packages' programs share: unpack the packages, start a fabric, run a
# program on the distribution's pair and on ours, compare what it prints, how it ends and what it
# asks the fabric for. Sourced. The environment names, beside what tests/fabric/tools wants, the folder
# for packages (PROGRAMS_FOLDER) and the preloads sim-host, sim-verbs and rmpp-shim (PROGRAMS_HOST,
# PROGRAMS_VERBS, ENGINE_SHIM).

programs=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/fabric/tools/fabric-test.sh
. "$programs/../tools/fabric-test.sh"

# The programs; make-sysroot adds the packages that they need and that are not installed.
PROGRAM_PACKAGES=(srptools ibacm mstflint)
DEVICE_HOST='host-05'			# sim-host's device is at its LID
failed=0

# Unpacks the packages, or waits for another test to have done so. Sets root and where libraries are.
programs_unpack() {
	local folder=${PROGRAMS_FOLDER:?PROGRAMS_FOLDER must name a folder for packages}
	local architecture status=0
	architecture=$(dpkg --print-architecture 2>/dev/null) || skip "no dpkg"
	command -v flock >/dev/null || skip "no flock"
	mkdir -p "$folder"
	flock "$folder" "$programs/../../meta/machines/make-sysroot" --with-dependencies "$architecture" \
		"$folder" "${PROGRAM_PACKAGES[@]}" || status=$?
	[ "$status" -eq 0 ] || exit "$status"
	root=$folder/root
	# Newer packages have nothing in /lib.
	root_libs=$(find "$root" -name '*.so.*' -printf '%h\n' | sort -u | paste -s -d:)
	[ -z "$(find "$root" -name 'libib[um]*ad.so*')" ] ||
		{ echo "a pair among the packages" >&2; exit 1; }
}

# programs_begin PRELOAD...: the fabric, with the distribution's pair; the preloads go before
# umad2sim into every program that is run afterwards. The port of DEVICE_HOST has the device.
programs_begin() {
	local umad2sim
	programs_unpack
	fabric_test_begin readelf
	umad2sim=$FABRIC_PRELOAD
	fabric_start_sim "$theirs" "$here/fat-tree-24.net"
	fabric_start_sm "$theirs" "$SM_HOST" -s 0
	fabric_wait_up 60
	device=$(lid "$DEVICE_HOST")
	self=$(lid "$TOOL_HOST")
	theirs=$theirs:$root_libs
	ours=$ours:$root_libs
	requests=$FABRIC_DIR/requests
	export SIM_DEVICE_LID=$device
	FABRIC_PRELOAD="$* $umad2sim"
}

# What differs from run to run by its nature: process ids, addresses in memory, and what mstflint
# sends of its own stack with one attribute; where a case says ERRNO=regex, a declared difference in
# the text of errno; and where it says UNREAD=regex, a register that a program prints without having
# read it.
programs_normalise() {
	sed -E \
		-e "s/^(${ERRNO:-no errno differs})\$/ERRNO/" \
		-e "s/^(Read 0x[0-9a-f]+:)${UNREAD:-no register}\$/\1UNREAD/" \
		-e 's/^(ibwarn|ibdebug|ibpanic): \[[0-9]+\]/\1: [PID]/' \
		-e 's/^( Current pid[[:space:]]*: )[0-9]+/\1PID/' \
		-e 's/(MR was created with addr=)0x[0-9a-f]+/\1ADDRESS/' \
		-e 's/( class 0x1 .* attribute 0xff53 modifier 0 data ).*/\1STACK/'
}

# programs_bound NAME LIBS FILE: after a run with LD_DEBUG=libs,bindings, every symbol that FILE
# imports from either library is bound, and bound to the pair in LIBS.
programs_bound() {
	local name=$1 libs=$2 file=$3 symbol bound count=0
	while read -r symbol; do
		bound=$(sed -nE "s#.*binding file (.*/)?${file##*/} \[0\] to (/.*) \[0\]: .* symbol \`${symbol%%@*}' .*#\2#p" \
			"$FABRIC_DIR/$name".ld.* | sort -u | xargs -r readlink -f)
		grep -qxF -e "${bound:-none}" <<<"$(fabric_pair_files "$libs")" ||
			{ fabric_fail "$symbol of $file is bound to ${bound:-nothing}"; return 1; }
		count=$((count + 1))
	done < <(readelf -W --dyn-syms "$file" |
		sed -nE 's/.* UND ([a-z_0-9]+@IBU?MAD_[0-9.]+).*/\1/p')
	[ "$count" -gt 0 ] || { fabric_fail "$file imports nothing of the pair"; return 1; }
	echo "$count symbols of ${file##*/} bound"
}

# programs_run PAIR COMMAND...: one run, proved; leaves PAIR.{out,err,status} and PAIR.result.
programs_run() {
	local pair=$1 libs=${!1} status=0
	shift
	rm -f "$requests"
	fabric_run "$pair" "$libs" "$TOOL_HOST" env SIM_REQUEST_LOG="$requests" "$@" || status=$?
	[ "$status" -ne 124 ] || fabric_fail "$* on $pair took too long" || return 1
	fabric_tool_loaded "$pair" "$libs" "${PROGRAM:-${1##*/}}" >/dev/null || return 1
	{
		programs_normalise <"$FABRIC_DIR/$pair.out"
		echo "--- standard error"
		programs_normalise <"$FABRIC_DIR/$pair.err"
		echo "--- requests"
		[ ! -e "$requests" ] || programs_normalise <"$requests"
		echo "--- exit status $status"
	} >"$FABRIC_DIR/$pair.result"
}

programs_wrong() {
	echo "FAILED: $1" >&2
	failed=$((failed + 1))
}

# `compare_runs` STATUS REGEX COMMAND...: equal on both pairs, with that status, REGEX in the output.
compare_runs() {
	local status=$1 wanted=$2
	shift 2
	if ! programs_run theirs "$@" || ! programs_run ours "$@"; then
		programs_wrong "$*"
		return
	fi
	diff -u --label distribution --label ours "$FABRIC_DIR/theirs.result" \
		"$FABRIC_DIR/ours.result" || { programs_wrong "$*: two results"; return; }
	if ! grep -qx -e "--- exit status $status" "$FABRIC_DIR/ours.result" ||
		! grep -qE -e "$wanted" "$FABRIC_DIR/ours.result"; then
		cat "$FABRIC_DIR/ours.result" >&2
		programs_wrong "$*: not status $status, or nothing like '$wanted'"
		return
	fi
	echo "ok      ${1##*/} ${*:2} ($(grep -c '^lid ' "$FABRIC_DIR/ours.result") requests)"
}

programs_end() {
	echo "$failed failures ($SECONDS s)"
	[ "$failed" -eq 0 ]
}
