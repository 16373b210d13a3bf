# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Sourced by init: brings up two soft RoCE devices on the two ends of a veth pair, and runs every test
# program, and that of LEAKS, from the kernel's command line, under the leak checker as well. ibstat has to print the same with both pairs of libraries.
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
