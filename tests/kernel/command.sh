# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Sourced by init: the device vhca0 as a host of a fabric, and the user's command on it. /tests/settings, which
# run-command writes, has HOST, the number of its PORTS, PAIR, SM ("yes" or nothing), and the function user_command.
# shellcheck source=infiniband-lib.sh disable=SC2153
. /tests/infiniband-lib.sh
# shellcheck source=/dev/null
. /tests/settings

load_modules ib_umad
load_vhca "add vhca0 ca $PORTS"
hostname "$HOST"
printf %s "$HOST" >/sys/class/infiniband/vhca0/node_desc
add_topology /tests/fabric.net "vhca0=$HOST"
if [ -n "$SM" ]; then
	start_sm "$PAIR" 0x0002ff0000000101 >/tmp/opensm.out 2>&1
	wait_until "the subnet is up" grep -qs 'SUBNET UP' "$sm_log"
fi
export LD_LIBRARY_PATH="/$PAIR"
run command user_command
