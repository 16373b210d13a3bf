# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What the engine's tests on the simulated fabric share: a fabric whose simulator and subnet
# manager run on the distribution's pair, with RMPP by rmpp-shim. Sourced by the *.sh here. The
# environment names our pair (FABRIC_LIBS, folders as in LD_LIBRARY_PATH) and the shim
# (ENGINE_SHIM); everything is written below fabric-lib.sh's temporary folder.

# shellcheck source=tests/fabric/tools/fabric-test.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tools/fabric-test.sh"

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shim=${ENGINE_SHIM:?ENGINE_SHIM must name rmpp-shim.so}

# engine_begin COMMAND...: as fabric_test_begin, with the preloads.
# shellcheck disable=SC2120 # most need no more commands
engine_begin() {
	fabric_test_begin "$@"
	FABRIC_PRELOAD="$shim $FABRIC_PRELOAD"
}

# engine_start_fabric TOPOLOGY SM_HOST [IBSIM OPTION...]: no sweeps, which would move counters. It is up
# within ENGINE_SECONDS.
engine_start_fabric() {
	local topology=$1 host=$2
	shift 2
	fabric_start_sim "$theirs" "$topology" "$@"
	fabric_start_sm "$theirs" "$host" -s 0
	fabric_wait_up "${ENGINE_SECONDS:-60}"
	fabric_process_loaded "$FABRIC_SIM_PID" "$theirs"
	fabric_process_loaded "$FABRIC_SM_PID" "$theirs"
}

# engine_run NAME LIBS HOST COMMAND...: a run that has to succeed on the pair in LIBS alone.
engine_run() {
	local name=$1 libs=$2 program=$4 status=0
	fabric_run "$@" || status=$?
	if [ "$status" -ne 0 ]; then
		head -n 20 "$FABRIC_DIR/$name.err" >&2
		fail "${*:4} ended with status $status"
	fi
	fabric_tool_loaded "$name" "$libs" "${program##*/}" >/dev/null || exit 1
}
