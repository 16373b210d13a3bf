# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The cases of compare-tool, a function for each tool: "same REGEX COMMAND..." for outputs,
# "fails REGEX COMMAND..." for error paths. The regular expression is what a correct output
# contains. The names of hosts are those of fabric-test.sh. No request of a vendor class or of
# congestion control may go to SM_HOST: umad2sim ends its program when a MAD arrives of a class
# that nobody there registered. The cases of scripts and of what is in no other group are in
# more-cases.sh.

cases_ibstat() {
	same 'State: Active' ibstat
	same 'Base lid: [1-9]' ibstat ibsim0
	same 'State: Active' ibstat ibsim0 1
	same 'Port GUID|CA type: simulator' ibstat -s ibsim0
	same '^ibsim0$' ibstat -l
	same "^$HOST_GUID\$" ibstat -p
	fails "'nosuch' IB device can't be found" ibstat nosuch
	compare 'has no port number 7' ibstat ibsim0 7 # newer ones end with status 0 then
	# A switch and the subnet manager's port look different.
	host=leaf-01 same 'Number of ports: 0' ibstat
	host=$HELPER_HOST same 'State: Active' ibstat
}

cases_ibnetdiscover() {
	same '"spine-04"' ibnetdiscover
	same '4xEDR' ibnetdiscover -s
	same 'Switch' ibnetdiscover -l
	same 'Ca' ibnetdiscover -H
	same 'Switch' ibnetdiscover -S
	compare '--- exit status 0' ibnetdiscover -R
	same "'host-24'" ibnetdiscover -p
	same '"spine-04"' ibnetdiscover -f
	same '"spine-04"' ibnetdiscover -g
	same 'hops|Hops|HOPS' ibnetdiscover -m
	same '"leaf-08"' ibnetdiscover -o 1
	fails '.' ibnetdiscover -C nosuch
}

cases_iblinkinfo() {
	same 'Active/ +LinkUp' iblinkinfo
	same '"leaf-01"' iblinkinfo -l
	same 'Down/' iblinkinfo -d
	same 'HOQ|Hoq|LinkUp' iblinkinfo -p
	same 'spine-01' iblinkinfo --switches-only
	same 'host-01' iblinkinfo --cas-only
	same 'leaf-08' iblinkinfo -D 0,1
	same 'leaf-08' iblinkinfo -D 0,1 -n 1
}

cases_ibhosts() {
	PROGRAM=ibnetdiscover same 'Ca.*"host-24"' ibhosts
}

cases_ibswitches() {
	PROGRAM=ibnetdiscover same 'Switch.*"spine-01"' ibswitches
	PROGRAM=ibnetdiscover same 'Switch.*"spine-01"' ibnodes
	PROGRAM=ibnetdiscover compare '--- exit status 0' ibrouters
}

# The operations and their short names, from lines like "  NodeInfo (NI) <addr>".
smpquery_operations() {
	smpquery --help 2>&1 | sed -nE 's/^  ([A-Za-z0-9]+) \(([A-Za-z0-9]+)\) <addr>.*/\1 \2/p'
}

cases_smpquery() {
	local sm leaf operation
	sm=$(lid "$SM_HOST")
	leaf=$(lid leaf-01)

	same '^NodeType:\.+Channel Adapter' smpquery nodeinfo "$sm"
	same '^NodeType:\.+Switch' smpquery NI "$leaf"
	same '^Node Description:\.+host-01' smpquery nodedesc "$sm"
	same '^Node Description:\.+leaf-01' smpquery ND "$leaf"
	same '^LinkState:\.+Active' smpquery portinfo "$sm"
	same '^LinkState:\.+Down' smpquery PI "$leaf" 4
	same '^LinkState:\.+Active' smpquery -x portinfo "$leaf" 5
	fails 'not supported' smpquery portinfoextended "$sm"
	fails 'not supported' smpquery PIE "$leaf" 5
	same '^LinearFdbCap:\.+(30720|49152)' smpquery switchinfo "$leaf"
	fails 'switch info query failed' smpquery SI "$sm"
	same '^ +0: 0xffff ' smpquery pkeytable "$sm"
	same 'pkeys capacity' smpquery PKeys "$leaf" 1
	same '^# SL2VL table' smpquery sl2vltable "$sm"
	same '^ports: in +1, out +2:' smpquery SL2VL "$leaf" 2
	same '^# VLArbitration tables' smpquery vlarbitration "$sm"
	same '^# VLArbitration tables' smpquery VLArb "$leaf" 1
	same "^ +0: $SM_GUID" smpquery guidinfo "$sm"
	compare 'exit status' smpquery GI "$leaf"
	same '^# MLNX ext Port info' smpquery mlnxextportinfo "$sm"
	compare 'exit status' smpquery MEPI "$leaf" 1

	# Every way to address every operation that the tool itself lists.
	for operation in $(smpquery_operations); do
		compare '^(#|ports: |Node Description| +0: )|failed' smpquery -D "$operation" 0,1
		compare '^(#|ports: |Node Description| +0: )|failed' smpquery -D "$operation" 0
		compare '^(#|ports: |Node Description| +0: )|failed' \
			smpquery -G "$operation" "$LEAF_GUID"
	done
	same 'host-01|leaf-01|spine|leaf' smpquery -D nodedesc 0,1,5
	compare 'exit status' smpquery -t 50 -c nodedesc "$leaf" 0,1
	same 'GidPrefix' smpquery -K portinfo "$sm"

	# Error paths: a LID that no port has, a path that leads nowhere, bad addresses.
	fails 'node info query failed|failed' smpquery nodeinfo "$NO_LID"
	fails '_do_madrpc failed' smpquery -e nodeinfo "$NO_LID"
	fails 'failed' smpquery -t 50 -D nodeinfo 0,1,4
	fails 'failed' smpquery -t 50 -D nodeinfo 0,1,77
	fails 'failed|resolve' smpquery nodeinfo 0
	differs '^NodeType' "can't resolve" smpquery -D nodeinfo 0,x
	fails "can't resolve" smpquery -G nodeinfo 0x123456789
	fails "can't resolve" smpquery nodeinfo nonsense
}

# Counters of ports in use start from 0 before each run.
reset_counters() {
	local port
	for port in "$leaf_lid 255" "$host_lid 1"; do
		# shellcheck disable=SC2086 # a LID and a port
		fabric_run reset "$theirs" "$HELPER_HOST" perfquery -R $port
		# shellcheck disable=SC2086
		fabric_run reset "$theirs" "$HELPER_HOST" perfquery -x -R $port
	done
}

cases_perfquery() {
	local leaf_lid host_lid
	leaf_lid=$(lid leaf-01)
	host_lid=$(lid "$TOOL_HOST")

	# The free port, whose counters we know.
	same '^SymbolErrorCounter:\.+17$' perfquery "$leaf_lid" 4
	same '^PortRcvPkts:\.+4294967295$' perfquery -G "$LEAF_GUID" 4
	same '^PortXmitData:\.+12345678901234$' perfquery -x "$leaf_lid" 4
	same '^PortUnicastRcvPkts:\.+18446744073709551615$' perfquery -x -G "$LEAF_GUID" 4
	same '^PortLoopingErrors:\.+7$' perfquery -E "$leaf_lid" 4
	same '^PortInactiveDiscards:\.+9$' perfquery -D "$leaf_lid" 4
	same '^PortOpRcvPkts:\.+11$' perfquery --oprcvcounters "$leaf_lid" 4
	same '^PortXmitFlowPkts:\.+12$' perfquery --flowctlcounters "$leaf_lid" 4
	same '^PortVLOpPackets1:\.+13$' perfquery --vloppackets "$leaf_lid" 4
	same '^PortVLOpData2:\.+14$' perfquery --vlopdata "$leaf_lid" 4
	same '^PortVLXmitFlowCtlUpdateErrors3:\.+3$' perfquery --vlxmitflowctlerrors "$leaf_lid" 4
	same '^PortVLXmitWait4:\.+15$' perfquery --vlxmitcounters "$leaf_lid" 4
	same '^SymbolErrorCounter:\.+17$' perfquery -l "$leaf_lid" 4
	same '^SymbolErrorCounter:\.+17$' perfquery -a "$leaf_lid" 4

	# Attributes that the simulator's ports do not have.
	for option in -X -S -T -c --swportvlcong --rcvcc --slrcvfecn --slrcvbecn --xmitcc \
		--vlxmittimecc; do
		fails 'iberror: failed' perfquery "$option" "$leaf_lid" 4
	done

	# Resets: all of the port, some of it, the extended ones; what is left shows.
	same 'exit status 0' perfquery -R "$leaf_lid" 4 0xf000
	same '^SymbolErrorCounter:\.+17$' perfquery "$leaf_lid" 4
	same '^PortXmitData:\.+0$' perfquery "$leaf_lid" 4
	same 'exit status 0' perfquery -R "$leaf_lid" 4
	same '^SymbolErrorCounter:\.+0$' perfquery "$leaf_lid" 4
	same '^PortXmitData:\.+12345678901234$' perfquery -x "$leaf_lid" 4
	same 'exit status 0' perfquery -x -R "$leaf_lid" 4
	same '^PortUnicastRcvPkts:\.+0$' perfquery -x "$leaf_lid" 4
	same 'exit status 0' perfquery -x -r "$leaf_lid" 4

	# Ports in use: our own, and all ports of a switch.
	BEFORE=reset_counters
	same '^PortXmitPkts:\.+[1-9]' perfquery
	RUNNING=PortRcvPkts same '^PortXmitPkts:\.+[1-9]' perfquery -x
	same '^PortXmitPkts:\.+[1-9]' perfquery -r
	same 'PortXmitPkts:\.+[1-9]' perfquery -a "$leaf_lid"
	same 'PortXmitPkts:\.+[1-9]' perfquery -a "$leaf_lid" 1-8
	same 'PortXmitPkts:\.+[1-9]' perfquery -l "$leaf_lid" 1,5,6
	same '^PortSelect:\.+0' perfquery -x -l "$leaf_lid"
	RUNNING=PortRcvPkts same '^PortXmitPkts:\.+[1-9]' perfquery -x -a "$leaf_lid"
	same 'PortXmitPkts:\.+[1-9]' perfquery "$leaf_lid" 255
	same 'exit status 0' perfquery -R -a "$leaf_lid"
	same 'exit status 0' perfquery -R
	same 'PortXmitPkts:\.+[1-9]' perfquery -a -r "$leaf_lid"
	unset BEFORE

	fails 'iberror: failed' perfquery "$NO_LID" 1
	fails 'iberror: failed' perfquery "$leaf_lid" 77
	fails "can't resolve" perfquery nonsense
}

cases_sminfo() {
	local sm leaf
	sm=$(lid "$SM_HOST")
	leaf=$(lid leaf-01)
	same 'SMINFO_MASTER' sminfo
	same "sm lid $sm .*SMINFO_MASTER" sminfo "$sm"
	same 'SMINFO_MASTER' sminfo -G "$SM_GUID"
	same 'SMINFO_MASTER' sminfo -D "0,1,5,1,1"
	fails 'failed: query' sminfo "$leaf"
	fails 'failed: query' sminfo "$NO_LID"
	fails 'failed: query' sminfo -D 0
	fails "can't resolve" sminfo nonsense
}

cases_saquery() {
	local sm me leaf
	sm=$(lid "$SM_HOST")
	me=$(lid "$TOOL_HOST")
	leaf=$(lid leaf-01)

	# Each query has one record, which is compared whole.
	same 'Class version\.+2' saquery CPI
	same 'Class version\.+2' saquery -c
	same 'NodeDescription\.+host-01' saquery NR "$sm"
	same 'NodeDescription\.+leaf-01' saquery NR "$leaf"
	same 'LinkState:\.+Active' saquery PIR "$sm"
	same 'LinkState:\.+Down' saquery PIR "$leaf/4"
	same 'LinkState:\.+Active' saquery PIR "$leaf/5"
	same "ToLID\.+" saquery LR "$leaf/5"
	same "FromLID\.+$leaf" saquery LR "$leaf/1" "$sm/1"
	same 'SMState\.+3' saquery SMIR
	same 'SMState\.+3' saquery SMIR "$sm"
	same "slid\.+$me\$" saquery --src-to-dst "$me:$sm"
	same "dlid\.+$sm\$" saquery PR --slid "$me" --dlid "$sm"
	same "dlid\.+$sm\$" saquery -p --sgid fe80::200:0:10:181 --dgid fe80::200:0:10:11
	same "dlid\.+$sm\$" saquery --sgid-to-dgid fe80::200:0:10:181-fe80::200:0:10:11
	same 'pkey\.+0xFFFF' saquery PR --slid "$me" --dlid "$sm" -n 1 -r 1 --pkey 0xffff
	same 'mlid\.+0xc000' saquery MCMR --mlid 0xc000
	same 'Mlid\.+0xC000|mlid' saquery -g
	same 'GUID|Guid|guid' saquery GIR "$sm/0"
	same 'LFTable|LFT|Lid|LID' saquery LFTR "$leaf/0"
	same 'SwitchInfo|LinearFdb' saquery SWIR "$leaf"
	same 'VL' saquery SL2VL "$sm/0/0"
	same 'VL|Weight' saquery VLAR "$sm/1/1"
	compare 'exit status' saquery SR
	compare 'exit status' saquery IIR
	compare 'exit status' saquery -S
	compare 'exit status' saquery -I
	compare 'exit status' saquery MFTR "0xc000/0/0"

	# Tables: umad2sim cuts them off, see compare-tool. NodeRecords have 112 bytes,
	# LinkRecords 8, path and port records 64, switch records 24 or more.
	RECORDS=1 same 'NodeRecord dump' saquery NR
	RECORDS=1 same 'NodeRecord dump' saquery
	RECORDS=2 same 'PortInfoRecord dump' saquery PIR
	RECORDS=21 same 'LinkRecord dump' saquery LR
	RECORDS=21 same 'LinkRecord dump' saquery -x
	RECORDS=2 same 'PathRecord dump' saquery PR
	RECORDS=2 same 'PathRecord dump' saquery -p
	RECORDS=2 same 'dump:' saquery GIR
	RECORDS=2 same 'dump:' saquery LFTR
	RECORDS=2 same 'dump:' saquery SWIR
	RECORDS=2 same 'dump:' saquery VLAR
	RECORDS=2 same 'PortInfoRecord|isSM|dump:' saquery -s

	# Names are looked for in the part of the table that came.
	compare 'exit status 0' saquery -O "$sm"
	compare 'exit status 0' saquery -U "$SM_GUID"

	fails 'SA_ERR_REQ_INVALID' saquery PKTR "$sm/1/0"
	fails 'SA_ERR_REQ_INVALID' saquery PKTR
	compare 'exit status 0' saquery NR "$NO_LID"
	compare 'exit status 0' saquery --src-to-dst "$me:$NO_LID"
	fails '.' saquery --src-to-dst "$me"
}

cases_ibroute() {
	local sm leaf
	sm=$(lid "$SM_HOST")
	leaf=$(lid leaf-01)
	same '36 valid lids dumped' ibroute "$leaf"
	same '36 valid lids dumped' ibroute -n "$leaf"
	same 'illegal port|lids dumped' ibroute -a -n "$leaf" 0 100
	same 'valid lids dumped' ibroute "$leaf" 2 8
	same "'host-24'" ibroute -G "$LEAF_GUID"
	same '36 valid lids dumped' ibroute -D 0,1
	same 'mlids dumped' ibroute -M "$leaf"
	same 'mlids dumped' ibroute -M -n "$leaf"
	fails 'not a switch' ibroute "$sm"
	fails 'failed' ibroute "$NO_LID"
}

cases_ibtracert() {
	local sm me
	sm=$(lid "$SM_HOST")
	me=$(lid "$TOOL_HOST")
	same '^To ca .*"host-01"' ibtracert "$me" "$sm"
	same '^To ca .*"host-24"' ibtracert "$sm" "$me"
	same "^To \{0x0200000000100010\}" ibtracert -n "$me" "$sm"
	same '^To ca .*"host-01"' ibtracert -G "$HOST_GUID" "$SM_GUID"
	same '^To ca .*"host-01"' ibtracert -f "$me" "$sm"
	same 'To ca|From ca' ibtracert "$sm" "$sm"
	# The tool of infiniband-diags 56 crashes, on either pair.
	fails 'multicast route|exit status 139' ibtracert -m 0xc000 "$me" "$sm"
	fails "can't find a route" ibtracert "$me" "$NO_LID"
	fails 'resolve' ibtracert nonsense "$sm"
}

cases_ibaddr() {
	local leaf
	leaf=$(lid leaf-01)
	same 'GID fe80::200:0:10:181 LID start' ibaddr
	same 'GID fe80::200:0:20:10 LID start' ibaddr "$leaf"
	same 'GID fe80::' ibaddr -g "$leaf"
	same 'LID start 0x' ibaddr -l "$leaf"
	same "LID start $leaf end $leaf" ibaddr -L "$leaf"
	same 'GID fe80::200:0:10:11 ' ibaddr -G "$SM_GUID"
	same 'GID fe80::200:0:20:80 ' ibaddr -D 0,1
	fails 'failed' ibaddr "$NO_LID"
	fails "can't resolve" ibaddr nonsense
}

enable_free_port() {
	fabric_run before "$theirs" "$TOOL_HOST" ibportstate "$leaf_lid" 4 enable || true
}

disable_free_port() {
	fabric_run before "$theirs" "$TOOL_HOST" ibportstate "$leaf_lid" 4 disable || true
}

cases_ibportstate() {
	local sm leaf_lid
	sm=$(lid "$SM_HOST")
	leaf_lid=$(lid leaf-01)
	same 'LinkState:\.+Active' ibportstate "$sm" 1
	same 'LinkState:\.+Active' ibportstate "$sm" 1 query
	same 'LinkState:\.+Down' ibportstate "$leaf_lid" 4 query
	same 'LinkState:\.+Down' ibportstate -G "$LEAF_GUID" 4
	same 'LinkState:\.+Active' ibportstate -D 0 1
	same 'Peer PortInfo' ibportstate -D 0,1 5
	# The peer of a switch's port takes a combined route, which ibsim does not carry.
	fails 'LinkState:\.+Active' ibportstate -t 50 "$leaf_lid" 5 query
	fails 'failed' ibportstate "$leaf_lid" 77
	fails 'failed' ibportstate "$NO_LID" 1
	fails 'port.*op|usage|Usage|invalid|illegal' ibportstate "$leaf_lid" 4 nonsense

	# Sets, on the free port.
	BEFORE=enable_free_port
	same 'PhysLinkState:\.+Disabled' ibportstate "$leaf_lid" 4 disable
	BEFORE=disable_free_port
	same 'PhysLinkState:\.+Disabled' ibportstate "$leaf_lid" 4 query
	same 'PhysLinkState:\.+Polling' ibportstate "$leaf_lid" 4 enable
	BEFORE=enable_free_port
	compare 'PhysLinkState:\.+Polling' ibportstate "$leaf_lid" 4 speed 1
	compare 'PhysLinkState:\.+Polling' ibportstate "$leaf_lid" 4 width 1
	unset BEFORE
}

# start_server LIBS HOST COMMAND...: a server on another host. The simulator hands requests
# only to a program that it takes for a subnet manager, hence SIM_SET_ISSM; the real one
# is gone by then, lest it query the new one, of a class that the server did not register.
start_server() {
	local libs=$1 server_host=$2
	shift 2
	fabric_spawn_tool "server-$server_host" "$libs" "$server_host" \
		env SIM_SET_ISSM=1 stdbuf -oL -eL "$@"
	fabric_wait_for 20 "server on $server_host" "$FABRIC_PID" \
		grep -q 'starting to serve' "$FABRIC_DIR/server-$server_host.out"
	fabric_tool_loaded "server-$server_host" "$libs" "$1"
}

cases_ibping() {
	local on_theirs on_ours server
	on_theirs=$(lid host-20)
	on_ours=$(lid host-21)
	fabric_stop_sm
	start_server "$theirs" host-20 ibping -S -d
	start_server "$ours" host-21 ibping -S -d
	for server in "$on_theirs" "$on_ours"; do
		same '2 packets transmitted, 2 received, 0% packet loss' ibping -c 2 "$server"
		same '500 packets transmitted, 500 received, 0%' ibping -f -c 500 "$server"
		same 'Pong from .* \(Lid [0-9]+\)' ibping -c 1 -o 0x001405 "$server"
	done
	compare '0 received, 100% packet loss' ibping -c 1 "$(lid host-22)"
	compare '0 received, 100% packet loss' ibping -c 1 "$NO_LID"
}

cases_vendstat() {
	local other leaf
	other=$(lid host-02)
	leaf=$(lid leaf-01)
	fails 'classportinfo query' vendstat -N "$leaf"
	fails 'classportinfo query' vendstat -w "$leaf"
	fails 'classportinfo query' vendstat -N "$other"
	fails 'classportinfo query' vendstat -N "$NO_LID"
	fails 'at least one of' vendstat "$leaf"
	compare 'counter group info query failure' vendstat -i "$leaf" 1
	compare 'cannot get config space records' vendstat -R 0x10,0xff "$leaf"
	compare 'exit status' vendstat -W 0x10,1,0xff "$leaf"
	compare 'exit status' vendstat -c 0,1 "$leaf" 1
}
