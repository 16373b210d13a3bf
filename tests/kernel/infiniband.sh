# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Sourced by init: tools on ports of virtual HCAs, with both pairs of libraries. From the kernel's command
# line comes SECTIONS, the functions below that are run, with - for _, and CASES, a pattern of rows.
# shellcheck source=infiniband-lib.sh
. /tests/infiniband-lib.sh

load_modules ib_umad

# is_sm DEVICE PORT: whether the capability mask says so
is_sm() {
	[ $(($(cat "/sys/class/infiniband/$1/ports/$2/cap_mask") & 2)) -ne 0 ]
}

# A port has a subnet manager as long as its issm device is open, which is once at a time.
issm_devices() {
	local path folder holder
	prints "a port can have a subnet manager" 'the port has IsSM now' umad_get_issm_path
	path=$(head -n 1 /tmp/out)
	folder=/sys/class/infiniband_mad/${path##*/}
	set -- "$(cat "$folder/ibdev")" "$(cat "$folder/port")"
	is_sm "$@"
	report $((1 - $?)) "$1 $2 has none"
	(exec 3<"$path"; exec sleep 100) &
	holder=$!
	wait_until "$1 $2 has one" is_sm "$@"
	prints "it has no other" 'Resource temporarily unavailable' sh -c '! umad_get_issm_path'
	stop $holder
	is_sm "$@"
	report $((1 - $?)) "it has none again"
}

# Two hosts with a cable between them and no subnet manager: no port is Active.
without_sm() {
	begin
	load_vhca "add one ca 2" "add two ca 1" "link one 1 two 1"
	issm_devices
	same ibstat 0 'State: Initializing' ibstat
	same ibstat-port 0 'State: Down' ibstat one 2
	same ibaddr 0 'LID start 0x0' ibaddr
	same nodeinfo 0 'NodeType:.*Channel Adapter' smpquery -D nodeinfo 0
	same nodedesc-peer 0 'two$' smpquery -C one -D nodedesc 0,1
	same portinfo-peer 0 'LinkState:.*Initialize' smpquery -D portinfo 0,1 1
	same switchinfo-of-host 255 'query failed' smpquery -D switchinfo 0,1
	same beyond-the-peer 255 'query failed' smpquery -t 100 -D nodeinfo 0,1,1
	fails_on_port_that_is_down port-that-is-down smpquery -C one -P 2 -t 100 -D nodeinfo 0,2
	same smpdump 0 '^[0-9a-f]{4} [0-9a-f]{4}' smpdump -D 0,1 0x11
	same ibnetdiscover 0 '^Ca.*"two"' ibnetdiscover
	same perfquery-without-lid 255 'failed' perfquery -t 100 5 1
	echo "a name" >/sys/class/infiniband/one/node_desc
	same node-desc 0 'a name' smpquery -C two -D nodedesc 0,1
	vhca unplug one 1
	same ibstat-unplugged 0 'Physical state: Polling' ibstat two
	succeeds rmmod rmmod vhca
	finish
}

# The fat tree of 24 hosts, of which two are devices.
load_tree() {
	load_vhca "add host-01 ca 2" "add host-24 ca 2"
	add_topology /tests/fat-tree-24.net host-01=host-01 host-24=host-24
}

end_tree() {
	stop "$sm_pid"
	report $? "opensm ends"
	succeeds rmmod rmmod vhca
}

# Every tool, with opensm on our pair.
fabric() {
	begin
	load_tree
	same discover-initializing 0 '"host-23".*lid 0' ibnetdiscover -C host-01
	start_sm ours 0x0002ff0000000101
	wait_up host-01 host-24
	host=$(lid host-24)
	leaf=$(LD_LIBRARY_PATH=/theirs smpquery -C host-01 -D portinfo 0,1 0 | sed -n 's/^Lid:\.*//p')
	smp_tools
	tools
	sa_tools
	end_tree
	finish
}

# Reads, writes and polls of a umad device (umad.tbl); the test program is the fabric.
umad_cases() {
	local status=0
	insmod /modules/vhca.ko || give_up "insmod vhca"
	LD_LIBRARY_PATH=/ours /tests/test-umad-cases ${CASES:+"$CASES"} || status=$?
	rmmod vhca || status=1
	return $status
}

smp_tools() {
	local attribute
	for attribute in nodeinfo nodedesc portinfo pkeys guidinfo sl2vl vlarb; do
		same "smpquery-$attribute" 0 . smpquery -C host-01 $attribute "$host" 1
	done
	same smpquery-switchinfo 0 'LinearFdbTop:' smpquery -C host-01 switchinfo "$leaf"
	same smpquery-combined 0 'NodeType:.*Channel' smpquery -C host-01 -c nodeinfo "$leaf" 0,2
	same smpquery-directed 0 'NodeType:.*Switch' smpquery -C host-01 -D nodeinfo 0,1,5
	same smpdump-lid 0 '^0101' smpdump -C host-01 "$host" 0x11
	same sminfo 0 'SMINFO_MASTER' sminfo -C host-24
	same ibroute 0 'valid lids dumped' ibroute -C host-01 "$leaf"
	same ibtracert 0 'To ca.*host-24' ibtracert -C host-01 "$(lid host-01)" "$host"
	same ibportstate 0 'LinkState:.*Active' ibportstate -C host-01 "$leaf" 1 query
}

tools() {
	same ibstat 0 'State: Active' ibstat
	same ibaddr 0 'LID start' ibaddr
	same ibaddr-gid 0 'GID fe80::' ibaddr -C host-01 -g "$host"
	same ibnetdiscover 0 '"leaf-08"' ibnetdiscover -C host-24
	same iblinkinfo 0 'host-23' iblinkinfo -C host-24
	same ibqueryerrors 0 'nodes checked' ibqueryerrors -C host-24
	vhca errors leaf-02 1 1234
	same ibqueryerrors-found 1 'SymbolErrorCounter == 1234' ibqueryerrors -C host-24 -G 0x0200000000200020
	same perfquery 0 'PortSelect:.*1' perfquery -C host-01 "$host" 1
	same perfquery-extended 0 'PortUnicastXmitPkts' perfquery -C host-01 -x "$host" 1
	same perfquery-switch 0 'PortSelect:.*5' perfquery -C host-01 "$leaf" 5
	LD_LIBRARY_PATH=/ours ibping -S -C host-24 &
	local server=$!
	sleep 1
	same ibping 0 '3 packets transmitted, 3 received' ibping -C host-01 -c 3 "$host"
	stop $server
}

# The SA forwards traps to a sweep that waits for an hour, which looks at once.
reports_changes() {
	LD_LIBRARY_PATH=/ours fabric-sweep -C host-24 --watch 3600 --traps >/tmp/watch 2>&1 &
	local watch=$!
	wait_until "the sweep waits" grep -qs '^# watching' /tmp/watch
	sleep 2 # fabric-sweep subscribes to traps after it prints that line
	vhca unplug leaf-02 1
	wait_until "it reports the trap" \
		grep -q '^! link state of a switch port changed: SwitchLID [0-9]* (leaf-02)' /tmp/watch
	wait_until "it reports the host" grep -q '^- CA host-04 ' /tmp/watch
	stop $watch
	report 0 "a sweep that waits reports traps and changes"
}

sa_tools() {
	local table
	for table in NR PIR SL2VL VLAR LR LFTR GIR SWIR; do
		same "saquery-$table" 0 . saquery -C host-24 $table "$leaf"
	done
	for table in PR SMIR MCMR CPI; do
		same "saquery-$table" 0 . saquery -C host-24 $table
	done
	same saquery-PKTR 5 'REQ_INVALID' saquery -C host-24 PKTR "$host/1/0"
	for table in SR IIR MFTR; do # of which there is no record
		same "saquery-$table" 0 '' saquery -C host-24 $table
	done
	same saquery-nodes 0 'host-23' saquery -C host-24
	same saquery-class-port-info 0 'Capability mask' saquery -C host-24 -c
}

# Two subnet managers, LMC 2, and an HCA with both ports cabled; switch and cables are the module's.
two_sms() {
	local first second offset base
	begin
	load_vhca "add sw switch 4" "add one ca 2" "add two ca 1" "add three ca 1" "link sw 1 one 1" \
		"link sw 2 two 1" "link sw 3 three 1" "link sw 4 one 2"
	same ibportstate 0 'Disabled' \
		sh -c "ibportstate -C one -D 0,1 3 disable && ibportstate -C one -D 0,1 3 enable"
	start_sm ours 0x0002ff0000000201 -l 2 -p 14
	first=$sm_pid
	wait_up one two three
	start_sm theirs 0x0002ff0000000301 -l 2 -p 1
	second=$sm_pid
	wait_until "the second SM stands by" grep -qs 'Entering STANDBY' "$sm_log"
	report 0 "the second SM stands by"
	same sminfo-first 0 "lid $(lid one) .*MASTER" sminfo -C three
	same sminfo-second 0 'STANDBY' sminfo -C three "$(lid two)"
	same two-ports 0 '"one"' ibnetdiscover -C three
	base=$(lid two)
	for offset in 0 1 2 3; do
		same "lid-$offset-of-lmc" 0 'PortSelect' perfquery -C three $((base + offset)) 1
	done
	same lid-beyond-lmc 255 'failed' perfquery -C three -t 100 $((base + 40)) 1
	kill -9 "$first"
	wait_until "the second SM takes over" grep -qs 'Entering MASTER' "$sm_log"
	wait_until "three knows the second SM" grep -qix "$(cat /sys/class/infiniband/two/ports/1/lid)" \
		/sys/class/infiniband/three/ports/1/sm_lid
	same sminfo-after 0 "lid $base .*MASTER" sminfo -C three
	returns_as_master
	stop "$second"
	report $? "opensm ends"
	succeeds rmmod rmmod vhca
	finish
}

# The first SM comes back, with the higher priority: the second one hands over to it, and stands by.
returns_as_master() {
	local log=$sm_log
	start_sm ours 0x0002ff0000000201 -l 2 -p 14
	first=$sm_pid
	wait_until "the first SM is master again" grep -qs 'Entering MASTER' "$sm_log"
	wait_until "the second SM stands by again" sm_is_again_on_standby "$log"
	wait_until "three knows the first SM" grep -qix "$(cat /sys/class/infiniband/one/ports/1/lid)" \
		/sys/class/infiniband/three/ports/1/sm_lid
	same sminfo-returned 0 "lid $(lid one) .*priority 14 .*MASTER" sminfo -C three
	same sminfo-handed-over 0 'STANDBY' sminfo -C three "$(lid two)"
	stop "$first"
	report $? "opensm ends that has come back"
}

sm_is_again_on_standby() {
	[ "$(grep -o 'Entering [A-Z]*' "$1" | tail -n 1)" = "Entering STANDBY" ]
}

# Newer tools open pairs of devices, by mad_rpc_open_port2().
tools_know_pairs() {
	grep -q mad_rpc_open_port2 /bin/smpquery
}

# fails_on_port_that_is_down NAME COMMAND...: such a port is in no pair of the distribution's (docs/differences.md).
fails_on_port_that_is_down() {
	local name=$1
	shift
	if tools_know_pairs; then
		# shellcheck disable=SC2016 # for the inner shell
		prints "$name" 'query failed' sh -c '! "$@"' sh "$@"
	else
		same "$name" 255 'query failed' "$@"
	fi
}

# An HCA with four planes: mlx5_0 has its GMPs, smi1 the SMPs of each plane, of which one has a cable. perfquery
# also wants SMPs of the device that it is to use, so that of tools without pairs works with neither.
pairs() {
	begin
	load_vhca "add sw switch 2" "add mlx5_0 ca 4 smi1" "add two ca 1" "link sw 1 mlx5_0 1" "link sw 2 two 1"
	start_sm ours 0x0002ff0000000301
	wait_up mlx5_0 two smi1
	prints "the pair" '^SMI smi1, GSI mlx5_0$' umad_get_smi_gsi_pairs
	prints "its ports" 'smi1 port 1 for SMPs, mlx5_0 port 1 for the rest' umad_get_smi_gsi_pairs
	prints "a port of both" '^SMPs on smi1, the rest on mlx5_0' mad_rpc_open_port2
	prints "the subnet manager by SMPs" '^subnet manager: Lid' mad_rpc_open_port2
	same ibstat 0 "CA 'smi1'" ibstat
	same nodedesc-by-smi1 0 'sw$' smpquery -C smi1 -D nodedesc 0,1
	if tools_know_pairs; then
		same nodedesc-by-mlx5_0 0 'sw$' smpquery -C mlx5_0 -D nodedesc 0,1
		same perfquery-from-mlx5_0 0 PortSelect perfquery -C mlx5_0 "$(lid two)" 1
		same perfquery-from-smi1 0 PortSelect perfquery -C smi1 "$(lid two)" 1
	else
		same nodedesc-by-mlx5_0 255 '' smpquery -C mlx5_0 -t 100 -D nodedesc 0,1
		same perfquery-from-mlx5_0 255 'mgmt 1 failed' perfquery -C mlx5_0 "$(lid two)" 1
		same perfquery-from-smi1 255 'failed' perfquery -C smi1 -t 100 "$(lid two)" 1
	fi
	fails_on_port_that_is_down plane-without-a-cable smpquery -C smi1 -P 2 -t 100 -D nodedesc 0,2
	same discover-by-smi1 0 '^Ca.*"two"' ibnetdiscover -C smi1
	prints "fabric-sweep by smi1" '^Ca.*"two"' fabric-sweep -C smi1 -o -
	same perfquery-to-mlx5_0 0 PortSelect perfquery -C two "$(lid mlx5_0)" 1
	same saquery 0 'two' saquery -C mlx5_0
	vhca del mlx5_0
	prints "without them" '^to open: two port 1 for SMPs' umad_get_smi_gsi_pairs
	stop "$sm_pid"
	report $? "opensm ends"
	succeeds rmmod rmmod vhca
	finish
}

# Additions of our libraries, on a fabric whose ports are locked.
additions() {
	local keys=/tmp/opensm-0x0002ff0000000101 file
	begin
	load_tree
	LD_LIBRARY_PATH=/ours /tests/follow interval >/tmp/events 2>&1 &
	local follow=$!
	printf 'm_key 0x00000000000000a1\nm_key_protection_level 2\n' >/tmp/opensm.conf
	start_sm theirs 0x0002ff0000000101
	wait_up host-01 host-24
	rm /tmp/opensm.conf
	chmod 600 $keys/guid2mkey
	prints "an SMP without the M_Key is not responded to" 'node info query failed' \
		sh -c "! smpquery -C host-01 -t 100 nodeinfo $(lid host-24)"
	prints "fabric-sweep with the M_Key" '"host-23"' fabric-sweep -C host-01 -y 0xa1 -o -
	prints "fabric-sweep with opensm's keys" '"host-23"' fabric-sweep -C host-01 --keys $keys -o -
	succeeds "fabric-sweep with counters" fabric-sweep -C host-01 -y 0xa1 --counters /tmp/counters
	prints "a key ring finds the M_Key" 'NodeInfo: ok' \
		keyed $keys/guid2mkey $keys/guid2lid 0 0xffff "$(lid host-24)"
	stop "$sm_pid"
	wait_until "the monitor reports Active" grep -q 'host-24 1 state 4' /tmp/events
	vhca del host-24
	wait_until "the monitor reports the removal" grep -q 'removed.*host-24' /tmp/events
	stop $follow
	report 0 "a monitor reports ports and devices"
	succeeds rmmod rmmod vhca

	load_tree
	start_sm theirs 0x0002ff0000000101
	wait_up host-01 host-24
	prints "routes" '[0-9]+ requests' resolve-routes $(seq 1 36)
	file=/tmp/query.pcap
	succeeds "a capture" env LIBIBUMAD_CAPTURE=$file smpquery -C host-01 nodeinfo "$(lid host-24)"
	[ "$(stat -c %s $file)" -gt 600 ]
	report $? "the capture has request and response"
	reports_changes
	end_tree
	finish
}

# Asynchronous requests: to nobody, with more of them than newer kernels send at a time, and through
# removals of their device.
asynchronous() {
	local load number=0
	begin
	load_vhca "add sw switch 4" "add one ca 1" "add two ca 1" "link sw 1 one 1" "link sw 2 two 1"
	start_sm ours 0x0002ff0000000201
	wait_up one two
	for way in cancelled timed-out waiting sent; do
		succeeds "calls after 128 requests without a response, $way" load one $way
	done
	LD_LIBRARY_PATH=/ours /tests/load two 8 >/tmp/load 2>/tmp/load.err &
	load=$!
	while [ $((number += 1)) -le 3 ]; do
		wait_until "two becomes Active" is_active two 1
		sleep 1
		vhca del two
		usleep 100000
		vhca add two ca 1
		vhca link sw 2 two 1
	done
	wait $load
	report $? "through removals: $(cat /tmp/load)"
	grep -v "can't open UMAD port" /tmp/load.err | sed 's/^/# /'
	[ "$(sed -n 's/.*opened \([0-9]*\) times/\1/p' /tmp/load)" -ge 4 ]
	report $? "the port was opened again after each"
	stop "$sm_pid"
	report $? "opensm ends"
	succeeds rmmod rmmod vhca
	finish
}

# Kernel RMPP and both pairs on a fabric that loses, repeats and reorders packets.
faults() {
	begin
	load_tree
	start_sm ours 0x0002ff0000000101
	wait_up host-01 host-24
	vhca_all "only gmp" "lose 50" "repeat 7" "hold 9"
	prints saquery-with-faults 'EndPortLid' saquery -C host-24 -t 60000 PIR
	vhca_all "lose 0" "repeat 0" "hold 0" "only smp" "lose 100" "delay 5"
	same discover-with-faults 0 '"host-23"' sh -c 'ibnetdiscover -C host-24 -t 200 | sort'
	prints "fabric-sweep with faults" '"host-23"' fabric-sweep -C host-24 -t 200 --retries 5 -o -
	vhca_all "only all" "lose 0" "delay 0" "forge 5"
	same forged-tids 0 '"host-23"' sh -c 'ibnetdiscover -C host-24 | sort'
	cat /sys/module/vhca/parameters/report >/tmp/report
	grep -Eq 'lose [1-9].*repeat [1-9].*hold [1-9].*forge [1-9]' /tmp/report
	report $? "$(cat /tmp/report)"
	end_tree
	finish
}

# Default timeouts, at the same losses: what succeeds with the distribution's pair does with ours. saquery sends once,
# and smpquery finds the LID of the GUID by sa_rpc_call(). What a transfer that failed leaves is over before the next.
losses() {
	local every table
	begin
	load_tree
	start_sm ours 0x0002ff0000000101
	wait_up host-01 host-24
	for every in 0 200 66; do
		for table in SWIR NR PIR; do
			compare_losses $every saquery -C host-24 $table
		done
		compare_losses $every smpquery -C host-24 -G nodeinfo 0x0200000000200020
	done
	compare_losses 4 smpquery -C host-24 -G nodeinfo 0x0200000000200020
	end_tree
	finish
}

# compare_losses EVERY COMMAND...: with the losses of some seeds
compare_losses() {
	local every=$1 seed ours=0 theirs=0 worse=0 ours_arrived
	shift
	for seed in 1 2 3 4 5 6; do
		arrives ours "$@"
		ours_arrived=$?
		[ $ours_arrived -ne 0 ] || ours=$((ours + 1))
		if arrives theirs "$@"; then
			theirs=$((theirs + 1))
			[ $ours_arrived -eq 0 ] || worse=$((worse + 1))
		fi
	done
	report $worse "$*, one frame of $every lost on each of two cables: $ours of 6 arrive, $theirs with the distribution's pair"
}

# arrives PAIR COMMAND...: whether it succeeds
arrives() {
	local status=0 pair=$1
	shift
	vhca_all "only gmp" "lose $every $seed"
	LD_LIBRARY_PATH=/$pair "$@" >/tmp/out 2>&1 || status=$?
	vhca_all "lose 0"
	[ "$every" -eq 0 ] || sleep 60
	return $status
}

# PathRecords in one table, with the default timeouts: 125,000 without losses, and as many as arrive in the 40 s that
# the kernel waits for a message where a packet of 100 is lost. A frame passes two cables, each of which loses one
# of 200.
large_losses() {
	begin
	load_vhca "add host-001 ca 2" "add host-300 ca 2"
	add_topology /tests/fat-tree-300.net host-001=host-001 host-300=host-300
	printf 'sweep_interval 0\nsweep_on_trap FALSE\n' >/tmp/opensm.conf
	start_sm ours 0x0002ff0000000101
	wait_up host-001 host-300
	rm /tmp/opensm.conf
	prints "more than 100,000 records" '^1[0-9]{5} records' load host-300 paths
	sed 's/^/# /' /tmp/out
	end_tree
	load_tree
	start_sm ours 0x0002ff0000000101
	wait_up host-01 host-24
	for seed in 1 2 3 4 5; do
		vhca_all "only gmp" "lose 200 $seed"
		prints "at a loss of 1%" '^1296 records' load host-24 paths
		sed 's/^/# /' /tmp/out
	done
	end_tree
	finish
}

# 600 hosts and 54 switches: a table of 150,000 lines. One sweep is enough; what the tool warns of has its
# process ID in every line.
large() {
	begin
	load_vhca "add host-600 ca 2"
	add_topology /tests/fat-tree-600.net host-600=host-600
	same discover 0 '"host-001"' ibnetdiscover
	prints fabric-sweep '"host-001"' fabric-sweep -o -
	report "$(($(grep -c '^Ca' /tmp/out) - 600))" "fabric-sweep finds 600 hosts"
	printf 'sweep_interval 0\nsweep_on_trap FALSE\n' >/tmp/opensm.conf
	start_sm ours 0x0002ff0000000101
	wait_up host-600
	rm /tmp/opensm.conf
	same saquery-ports 0 'EndPortLid' sh -c 'saquery -t 60000 PIR 2>/dev/null'
	succeeds "fabric-sweep by directed routes" fabric-sweep --statistics -o /tmp/directed
	sed 's/^/# /' /tmp/out
	succeeds "fabric-sweep from the SA" fabric-sweep --from-sa --statistics -o /tmp/from-sa
	sed 's/^/# /' /tmp/out
	grep -v '^# Generated' /tmp/directed >/tmp/wanted
	grep -v '^# Generated' /tmp/from-sa | cmp - /tmp/wanted
	report $? "the SA knows the same fabric"
	end_tree
	finish
}

for section in $(echo "$SECTIONS" | tr , ' '); do
	run "$section" "$(echo "$section" | tr - _)"
done
run log kernel_log
