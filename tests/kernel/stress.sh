# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Sourced by init: tools of both pairs, asynchronous requests, link flaps and removals of devices beside each
# other for STRESS_SECONDS, on several processors. Nothing fails, and the kernel has no complaint.
# shellcheck source=infiniband-lib.sh
. /tests/infiniband-lib.sh

load_modules ib_umad

seconds() {
	cut -d . -f 1 /proc/uptime
}

# until_end NAME FUNCTION ARGUMENT...: FUNCTION again and again, which prints "failed" or nothing for each
# of its runs that fails; what has become of them goes to /tmp/NAME.
until_end() {
	local name=$1 runs=0
	shift
	: >"/tmp/$name.out"
	while [ "$(seconds)" -lt "$end" ]; do
		"$@" >>"/tmp/$name.out" 2>&1
		runs=$((runs + 1))
	done
	echo "$runs $(grep -c '^failed' "/tmp/$name.out")" >"/tmp/$name"
}

# try COMMAND...
try() {
	"$@" >/tmp/"$name".last 2>&1 || {
		echo "failed: status $?: $*"
		tail -n 5 /tmp/"$name".last
	}
}

run_tools() {
	LD_LIBRARY_PATH=/$1
	export LD_LIBRARY_PATH
	try ibnetdiscover -t 2000 -C "$2"
	try saquery -t 10000 -C "$2"
	try smpquery -t 2000 -C "$2" -D nodeinfo 0,1
	try perfquery -t 2000 -C "$2"
	try ibstat "$2"
}

flap() {
	vhca unplug "$1" 1
	usleep 200000
	vhca link "$1" 1 switch "$2"
	usleep 300000
}

remove() {
	vhca del "$1"
	usleep 200000
	vhca add "$1" ca 1
	vhca link "$1" 1 switch "$2"
	sleep 1
}

# Within 20 s. opensm overlooks a change that comes at the end of a sweep, where it clears PortStateChange, if
# traps have come so often that it ignores them; another change shows it both.
comes_up() {
	local tries=0
	until is_active "$1" 1; do
		[ $((tries += 1)) -lt 200 ] || return 1
		usleep 100000
	done
}

stress() {
	local name number=0 runs failed workers='' end loads=''
	begin
	set -- "add switch switch 10"
	while [ $((number += 1)) -lt 10 ]; do
		set -- "$@" "add host$number ca 1" "link switch $number host$number 1"
	done
	load_vhca "$@"
	start_sm ours 0x0002ff0000000201 -s 3
	wait_up host1 host2 host3 host4 host5 host6 host7 host8 host9
	end=$(($(seconds) + STRESS_SECONDS))
	for number in 2 4; do
		until_end "ours$number" run_tools ours host$number &
		workers="$workers $!"
		until_end "theirs$number" run_tools theirs host$((number + 1)) &
		workers="$workers $!"
	done
	until_end flaps flap host7 7 &
	workers="$workers $!"
	until_end removals remove host8 8 &
	workers="$workers $!"
	for number in 6 8; do
		LD_LIBRARY_PATH=/ours /tests/load host$number "$STRESS_SECONDS" >/tmp/load$number 2>/tmp/load.err$number &
		loads="$loads $!"
	done
	number=6
	for name in $loads; do
		wait "$name"
		report $? "asynchronous requests on host$number: $(cat /tmp/load$number)"
		grep -v "can't open UMAD port" /tmp/load.err$number | tail -n 5 | sed 's/^/# /'
		number=8
	done
	for name in $workers; do
		wait "$name"
	done
	for name in ours2 theirs2 ours4 theirs4 flaps removals; do
		read -r runs failed <"/tmp/$name"
		grep -A 5 '^failed' "/tmp/$name.out" | head -n 12 | sed 's/^/# /'
		[ "$failed" -eq 0 ] && [ "$runs" -gt 0 ]
		report $? "$name: $runs rounds, $failed failed"
	done
	number=0
	until comes_up host8 || [ $((number += 1)) -gt 3 ]; do
		flap host8 8
	done
	is_active host8 1
	report $? "host8 is Active, after $number more changes"
	is_active host8 1 || tail -n 20 "$sm_log" | sed 's/^/# /'
	stop "$sm_pid"
	report $? "opensm ends"
	succeeds rmmod rmmod vhca
	finish
}

run stress stress
run log kernel_log
