# shellcheck shell=dash disable=SC2034 # variables for the script that sources this
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Sourced by scripts of the guest: the module vhca, a fabric behind it, and cases that run a command with
# both pairs of libraries, /ours and /theirs.

# vhca COMMAND: see hca/main.c and hca/faults.c.
vhca() {
	echo "$*" >/sys/module/vhca/parameters/cmd
}

# vhca_all COMMAND...
vhca_all() {
	local command
	for command; do
		vhca "$command" || give_up "vhca $command"
	done
}

# load_vhca COMMAND...: the module, with these commands to start with.
load_vhca() {
	insmod /modules/vhca.ko || give_up "insmod vhca"
	vhca_all "$@"
}

# add_topology FILE DEVICE=HOST...: the nodes and cables of a file that ibnetdiscover or make-fat-tree has written.
# Devices, which exist, are in the places of these hosts.
add_topology() {
	local file=$1 command
	shift
	devices=$(printf '%s\n' "$@") awk -F '"' '
		BEGIN {
			count = split(ENVIRON["devices"], part, "\n")
			for (i = 1; i <= count; i++)
				device[substr(part[i], index(part[i], "=") + 1)] = substr(part[i], 1, index(part[i], "=") - 1)
		}
		/^(ca|switch)guid=/ { guid = substr($0, index($0, "=") + 1); sub(/[^0-9a-fA-Fx].*/, "", guid) }
		/^(Ca|Hca|Switch)/ {
			split($1, word, /[ \t]+/)
			node = $2
			description = $4 == "" ? node : $4
			name[node] = description in device ? device[description] : node
			if (!(description in device))
				print "add", node, word[1] == "Switch" ? "switch" : "host", word[2], guid, description
		}
		/^\[/ {
			split($0, port, /[][]/)
			split($3, peer_port, /[][]/)
			if (!((node, port[2]) in cabled))
				links[++number] = node SUBSEP port[2] SUBSEP $2 SUBSEP peer_port[2]
			cabled[$2, peer_port[2]] = 1
		}
		END {
			for (i = 1; i <= number; i++) {
				split(links[i], end, SUBSEP)
				print "link", name[end[1]], end[2], name[end[3]], end[4]
			}
		}' "$file" >/tmp/topology
	while read -r command; do
		vhca_all "$command"
	done </tmp/topology
}

# start_sm PAIR GUID [OPTION...]: opensm with a pair, at the port with the GUID; sets sm_pid, and sm_log, which
# has every line at once. It looks often whether another one is there.
start_sm() {
	local pair=$1 guid=$2 folder=/tmp/opensm-$2
	shift 2
	rm -rf "$folder"
	mkdir -p "$folder"
	sm_log=$folder/log
	[ -e /tmp/opensm.conf ] ||
		printf 'sminfo_polling_timeout 500\npolling_retry_number 2\n' >/tmp/opensm.conf
	OSM_TMP_DIR=$folder OSM_CACHE_DIR=$folder LD_LIBRARY_PATH=/$pair \
		opensm -d 2 -g "$guid" -f "$sm_log" -F /tmp/opensm.conf "$@" >/dev/null 2>&1 &
	sm_pid=$!
}

# wait_up DEVICE...: the subnet is up, and port 1 of the devices is Active.
wait_up() {
	local device
	wait_until "the subnet is up" grep -qs 'SUBNET UP' "$sm_log"
	for device; do
		wait_until "$device becomes Active" is_active "$device" 1
	done
}

# lid DEVICE: that of its port 1
lid() {
	echo $(($(cat "/sys/class/infiniband/$1/ports/1/lid")))
}

# stop PID: ends a process of ours, and waits for it; its status.
stop() {
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# is_active DEVICE PORT
is_active() {
	grep -q ACTIVE "/sys/class/infiniband/$1/ports/$2/state"
}

# ---- cases: a function that is run() calls begin, then cases, then finish ----

begin() {
	count=0
}

finish() {
	echo "1..$count"
}

# report STATUS NAME: one line of TAP
report() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
	fi
}

# succeeds NAME COMMAND...: with our pair
succeeds() {
	local name=$1
	shift
	if LD_LIBRARY_PATH=/ours "$@" >/tmp/out 2>&1; then
		report 0 "$name"
	else
		tail -n 20 /tmp/out | sed 's/^/# /'
		report 1 "$name"
	fi
}

# prints NAME PATTERN COMMAND...: with our pair; it succeeds, and some line matches the pattern
prints() {
	local name=$1 pattern=$2
	shift 2
	LD_LIBRARY_PATH=/ours "$@" >/tmp/out 2>&1 && grep -Eq -e "$pattern" /tmp/out
	local result=$?
	[ $result -eq 0 ] || tail -n 20 /tmp/out | sed 's/^/# /'
	report $result "$name"
}

# Linux 7.2 returns a request exactly at its timeout, 6.12 up to an eighth later. So whether the kernel or the library
# ends one first is chance there, and with it this line.
case $(uname -r) in
[1-6].*) by_chance='' ;;
*) by_chance='/_do_madrpc: recv failed: Connection timed out$/d' ;;
esac

# Why a port does not open, which only our libibmad says in these lines.
reasons='s/(mad_rpc_open_port: (client_register for mgmt [0-9]+ failed|can.t open UMAD port [^ ]*\))):.*/\1/'

# A text without what two runs of the same command need not have in common: process IDs, the time, and
# counters that move by being read; and without these reasons.
same_text() {
	sed -E -e 's/^(ib[a-z]+: )?\[[0-9]+\] //; s/ibwarn: \[[0-9]+\]/ibwarn:/' -e "$by_chance" -e "$reasons" \
		-e '/^# Topology file: generated on/d; s/ time [0-9.]+ ms//; s/^rtt .*//; s/activity count [0-9]+/activity count/' \
		-e 's/^((Port)?(Uni|Multi)?(cast)?(Xmit|Rcv)(Data|Pkts)):.*/\1/' "$1"
}

# Whether both pairs have printed the same. Most texts are equal as they are, and sed takes its time.
are_same() {
	cmp -s /tmp/ours.out /tmp/theirs.out || {
		same_text /tmp/theirs.out >/tmp/theirs.same
		same_text /tmp/ours.out | diff /tmp/theirs.same - >/tmp/difference
	}
}

# same NAME STATUS PATTERN COMMAND...: both pairs print the same, with this status, and some line of it
# matches the pattern, if there is one.
same() {
	local name=$1 status=$2 pattern=$3 pair result why=''
	shift 3
	for pair in ours theirs; do
		result=0
		LD_LIBRARY_PATH=/$pair timeout 120 "$@" >"/tmp/$pair.out" 2>&1 || result=$?
		[ "$result" -eq "$status" ] || why="$why; status $result with $pair"
	done
	: >/tmp/difference
	are_same || why="$why; different"
	[ -z "$pattern" ] || grep -Eq -e "$pattern" /tmp/ours.out || why="$why; no line with $pattern"
	if [ -z "$why" ]; then
		report 0 "$name ($(wc -l </tmp/ours.out) lines)"
	else
		head -n 20 /tmp/difference | sed 's/^/# /'
		head -n 10 /tmp/ours.out | sed 's/^/# ours: /'
		report 1 "$name: $*$why"
	fi
}
