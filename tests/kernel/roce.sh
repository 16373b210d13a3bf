# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Sourced by init: brings up two soft RoCE devices on the two ends of a veth pair. ibstat has to print the same with
# both pairs of libraries; events and discovery (monitor) are right for an ordinary user, without sysfs, and in other
# network namespaces; and every test program runs, that of LEAKS, from the kernel's command line, under the leak
# checker as well.
# shellcheck source=infiniband-lib.sh
. /tests/infiniband-lib.sh
export LD_LIBRARY_PATH=/ours

load_modules veth

# /bin/ip is iproute2's; plain ip would be the shell's own. Addresses are used as soon as they are
# there, which takes a second otherwise.
echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
/bin/ip link set lo up
/bin/ip link add v0 type veth peer name v1 || give_up "ip link add"
for end in 0 1; do
	/bin/ip link set "v$end" up
	rdma link add "rxe$end" type rxe netdev "v$end" || give_up "rdma link add"
done

all_active() {
	[ "$(cat /sys/class/infiniband/rxe[01]/ports/1/state | grep -c ACTIVE)" = 2 ]
}
wait_until "the ports become Active" all_active
echo "### kernel $(uname -r), up for $(cut -d ' ' -f 1 /proc/uptime) s"

discovery() {
	begin
	same ibstat 0 'Link layer: Ethernet' ibstat
	same names 0 '^rxe1$' ibstat -l
	same port-guids 0 '^0x[0-9a-f]{16}$' ibstat -p
	/bin/ip link set v1 down
	wait_until "rxe1 is down" grep -q DOWN /sys/class/infiniband/rxe1/ports/1/state
	same down 0 'State: Down' ibstat rxe1 1
	/bin/ip link set v1 up
	wait_until "the ports are Active again" all_active
	same no-such-device 255 '' ibstat rxe9
	finish
}
run discovery discovery

# follow_in COMMAND...: a monitor (follow.c), whose lines go to /tmp/events; sets monitor_pid
follow_in() {
	"$@" >/tmp/events 2>&1 &
	monitor_pid=$!
	wait_until "the monitor is ready" [ -s /tmp/events ]
	seen=1
}

has_event() {
	[ "$(wc -l </tmp/events)" -ge "$seen" ]
}

# next TEXT: the next line of the monitor begins with a text; sets line.
next() {
	seen=$((seen + 1))
	wait_until "event $seen: $1" has_event
	line=$(sed -n "${seen}p" /tmp/events)
	case $line in
	"$1"*) ;;
	*) echo "# wanted: $1; got: $line"; return 1 ;;
	esac
}

# Whether the last line about mon0's port says what sysfs does.
agrees() {
	set -- /sys/class/infiniband/mon0/ports/1 "$(echo "$port" | sed 's/.* state \([0-9]*\) physical \([0-9]*\) .*/\1 \2/')"
	[ "$(sed 's/:.*//' "$1/state" "$1/phys_state" | tr '\n' ' ')" = "$2 " ]
}

# The device is reported, with its node, and its port up to the present state.
comes() {
	local node=''
	port=''
	rdma link add mon0 type rxe netdev m0 && next 'device added mon0 0' || return 1
	wait_until "mon0 becomes Active" is_active mon0 1
	until [ -n "$node" ] && agrees; do
		next ''
		case $line in
		'port changed mon0 1 '*) port=$line ;;
		'umad device added mon0 1 umad'*) node=$node${line##* } ;;
		*) echo "# got: $line"; return 1 ;;
		esac
	done
	[ "$(cat "/sys/class/infiniband_mad/$node/ibdev")" = mon0 ]
}

# becomes STATE: changes of the port up to that state, of which one is a change of state
becomes() {
	local changes=0
	while :; do
		next 'port changed mon0 1' || return 1
		port=$line
		[ $((${line##*changed } & 1)) -eq 0 ] || changes=$((changes + 1))
		case $line in
		*" state $1 "*) break ;;
		esac
	done
	[ $changes -eq 1 ] && agrees
}

# renamed FROM TO: while the monitor sleeps. A scan of its own that falls between the change of sysfs and the kernel's
# message finds that one device has gone and another has come.
renamed() {
	kill -STOP "$monitor_pid"
	rdma dev set "$1" name "$2" || return 1
	kill -CONT "$monitor_pid"
	next "device renamed $2 0 $1"
}

goes() {
	rdma link delete mon0 && next 'umad device removed mon0 1 umad' && next 'device removed mon0 0'
}

# changes TIMES: the device comes, its port goes down and up, its name changes, it goes; nothing else is reported
changes() {
	local round=0
	while [ $((round += 1)) -le "$1" ]; do
		comes && /bin/ip link set m0 down && becomes 1 && /bin/ip link set m0 up && becomes 4 &&
			renamed mon0 mon1 && renamed mon1 mon0 && goes || return 1
	done
	sleep 1
	[ "$(wc -l </tmp/events)" -eq "$seen" ]
}

# Discovery of the host, by a command. RDMA netlink has neither the model nor GUIDs of ports; a port of soft RoCE has an
# issm device on older kernels.
look() {
	for device in rxe0 rxe1 rxe9; do
		"$@" umad_get_ca $device | sed '/^port/d; s/ model "[^"]*",//'
	done
	[ ! -e /dev/infiniband/issm0 ] || "$@" umad_get_issm_path
	"$@" ibstat | grep -Ev 'CA type|Hardware version|Rate:|Capability mask|Port GUID'
	"$@" ibstat rxe1 1 | grep State
	"$@" ibstat rxe1 2 || echo "status $?"
	"$@" ibstat rxe9 || echo "status $?"
}

# opens_umad DEVICE
opens_umad() {
	local node
	node=$(find "/proc/$server/fd" -exec readlink {} \; 2>/dev/null | sed -n 's:^/dev/infiniband/umad:umad:p' | sort -u)
	[ -n "$node" ] && grep -q "^$1" "/sys/class/infiniband_mad/$node/ibdev"
}

# opens DEVICE OPTION...: without sysfs, ibping opens a port, which is the device's.
opens() {
	local device=$1
	shift
	unshare -m without_sysfs ibping -S "$@" &
	server=$!
	wait_until "ibping $* opens a port of $device" opens_umad "$device"
	stop $server
	report 0 "opens without sysfs: ibping $*"
}

# set_namespaces KIND: RDMA devices belong to one network namespace each (exclusive), or to all (shared). This changes
# only while there is one; those of ended processes go a little later.
set_namespaces() {
	local tries=0
	until rdma system set netns "$1" 2>/tmp/out; do
		[ $((tries += 1)) -lt 50 ] || return 1
		usleep 100000
	done
}

monitor() {
	begin
	echo 'nobody:x:65534:65534::/:/bin/sh' >/etc/passwd
	printf '#!/bin/sh\nmount -t tmpfs none /sys/class && exec "$@"\n' >/bin/without_sysfs
	printf '#!/bin/sh\nmount -t sysfs sysfs /sys && exec "$@"\n' >/bin/with_sysfs
	chmod +x /bin/with*
	/bin/ip link add m0 type veth peer name m1
	/bin/ip link set m1 up
	/bin/ip link set m0 up
	follow_in start-stop-daemon -S -c nobody -x /tests/follow
	if grep '^skipped' /tmp/events; then
		echo "1..0 # SKIP no libnl-3 on this machine"
		return 0
	fi
	changes 50
	report $? "an ordinary user sees devices and ports come and go"
	stop $monitor_pid

	look >/tmp/wanted 2>/dev/null
	look unshare -m without_sysfs >/tmp/found 2>/dev/null
	grep -q 'State: Active' /tmp/wanted && diff /tmp/wanted /tmp/found
	report $? "discovery without sysfs finds the same"
	opens rxe
	opens rxe1 -C rxe1
	follow_in unshare -m without_sysfs start-stop-daemon -S -c nobody -x /tests/follow
	changes 10
	report $? "an ordinary user without sysfs sees devices and ports come and go"
	stop $monitor_pid
	namespaces
	finish
}

namespaces() {
	if ! set_namespaces exclusive; then
		report 0 "devices of another namespace # SKIP this kernel has no exclusive RDMA network namespaces"
		return 0
	fi
	follow_in unshare -m -n with_sysfs follow rescan
	wait_until "a scan" grep -q rescanned /tmp/events
	rdma link add mon0 type rxe netdev m0
	sleep 1
	rdma link delete mon0
	sleep 1
	# The name is that of another namespace's device.
	[ -e "/proc/$monitor_pid/root/sys/class/infiniband_mad/umad0" ] && ! grep -Ev 'ready|rescanned' /tmp/events
	report $? "a monitor does not see devices of another namespace"
	stop $monitor_pid
	[ -z "$(unshare -m -n with_sysfs ibstat -l)" ]
	report $? "discovery does not find them"
	! unshare -m -n with_sysfs timeout 5 ibping -S >/tmp/out 2>&1 && grep -Eq "can't open UMAD port|Failed to open" /tmp/out
	report $? "none opens"

	set_namespaces shared || give_up "rdma system set netns shared"
	[ "$(unshare -m -n with_sysfs ibstat -l | wc -l)" -eq 2 ]
	report $? "devices of all namespaces"
	follow_in unshare -m -n with_sysfs follow twice
	wait_until "the devices that exist" grep -q 'umad device added rxe1' /tmp/events
	wait_until "the devices that exist" grep -q 'umad device added rxe0' /tmp/events
	seen=$(wc -l </tmp/events)
	kill -STOP $monitor_pid
	rdma link add mon0 type rxe netdev m0
	wait_until "mon0 becomes Active" is_active mon0 1
	kill -CONT $monitor_pid
	next 'device added mon0 0' && next 'port changed mon0 1 state 4' && next 'umad device added mon0 1' && goes &&
		! grep second /tmp/events
	report $? "two monitors see them come and go"
	stop $monitor_pid
}
run monitor monitor

for program in /tests/test-*; do
	run "${program#/tests/test-}" "$program"
done
export LSAN_OPTIONS=exitcode=23:color=never
if [ -e /ours/liblsan.so ]; then
	run "leaks-$LEAKS" env LD_PRELOAD=/ours/liblsan.so "/tests/test-$LEAKS"
else
	run "leaks-$LEAKS" echo "1..0 # SKIP no leak checker (liblsan) on this machine"
fi
run log kernel_log
