# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Sourced by init: tools on ports of virtual HCAs, with both pairs of libraries. From the kernel's command
# line comes SECTIONS, the functions below that are run, with - for _.
# shellcheck source=infiniband-lib.sh
. /tests/infiniband-lib.sh

load_modules ib_umad

# Two hosts with a cable between them and no subnet manager: no port is Active.
without_sm() {
	begin
	load_vhca "add one ca 2" "add two ca 1" "link one 1 two 1"
	same ibstat 0 'State: Initializing' ibstat
	same ibstat-port 0 'State: Down' ibstat one 2
	same ibaddr 0 'LID start 0x0' ibaddr
	same nodeinfo 0 'NodeType:.*Channel Adapter' smpquery -D nodeinfo 0
	same nodedesc-peer 0 'two$' smpquery -C one -D nodedesc 0,1
	same portinfo-peer 0 'LinkState:.*Initialize' smpquery -D portinfo 0,1 1
	same switchinfo-of-host 255 'query failed' smpquery -D switchinfo 0,1
	same beyond-the-peer 255 'query failed' smpquery -t 100 -D nodeinfo 0,1,1
	same port-that-is-down 255 'query failed' smpquery -C one -P 2 -t 100 -D nodeinfo 0,2
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

# all_active DEVICE...
all_active() {
	local device
	for device; do
		is_active "$device" 1 || return 1
	done
}

# The fat tree of 24 hosts, of which two are devices, behind /dev/vhca; opensm with either pair in turn.
fabric() {
	local pair lid
	begin
	for pair in theirs ours; do
		load_vhca "add host-01 ca 2" "tap host-01 1" "add host-24 ca 2" "tap host-24 1"
		start_fabric /tests/fat-tree-24.net host-01 host-24
		[ $pair = ours ] || same discover-initializing 0 '"host-23".*lid 0' ibnetdiscover -C host-01
		start_sm $pair 0x0002ff0000000101
		wait_until "the ports become Active" all_active host-01 host-24
		wait_until "the subnet is up" grep -q 'SUBNET UP' /tmp/opensm-0x0002ff0000000101.log
		lid=$(($(cat /sys/class/infiniband/host-24/ports/1/lid)))
		fabric_cases
		stop "$sm_pid"
		report $? "opensm with $pair ends"
		stop "$fabric_pid"
		succeeds "rmmod after opensm with $pair" rmmod vhca
	done
	finish
}

# On a fabric with an SM; lid is that of host-24.
fabric_cases() {
	same ibstat 0 'State: Active' ibstat
	same ibaddr 0 'LID start' ibaddr
	same sminfo 0 'SMINFO_MASTER' sminfo -C host-24
	same ibnetdiscover 0 '"leaf-08"' ibnetdiscover -C host-24
	same iblinkinfo 0 'host-23' iblinkinfo -C host-24
	same smpquery-lid 0 'Linkstate|LinkState:.*Active' smpquery -C host-01 portinfo "$lid" 1
	same perfquery 0 'PortSelect:.*1' perfquery -C host-01 "$lid" 1
	same saquery 0 'host-23' saquery -C host-24
}

for section in $(echo "$SECTIONS" | tr , ' '); do
	run "$section" "$(echo "$section" | tr - _)"
done
run log kernel_log
