# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Shell functions that start a simulated InfiniBand fabric (ibsim) with a subnet manager
# (opensm), run tools on it, prove which libraries each of them loaded, and stop all of it
# again. Sourced by scripts/demo and by tests/fabric/tools. Everything is written below one
# temporary folder, and the simulator listens under a name of its own, so any number of
# fabrics can run beside each other. LIBS below is a colon-separated list of folders that
# hold libibumad.so.3 and libibmad.so.5, as in LD_LIBRARY_PATH.
#
#	fabric_begin				folder and clean-up; call it once, first
#	fabric_start_sim LIBS TOPOLOGY		start ibsim
#	fabric_start_sm LIBS HOST		start opensm on a host of the fabric
#	fabric_wait_up SECONDS			wait until the subnet is up
#	fabric_run NAME LIBS HOST COMMAND...	run a tool on a host: NAME.out, .err and .ld.PID
#	fabric_tool_loaded NAME LIBS PROGRAM	did that run load the pair in LIBS, and no other?
#	fabric_process_loaded PID LIBS		the same for a running process
#	fabric_end				stop everything (called on exit, too)

FABRIC_DIR=			# everything we write
FABRIC_PRELOAD=			# umad2sim, which stands in for the kernel
FABRIC_SIM_PID=
FABRIC_SM_PID=
FABRIC_TOOL_PIDS=()		# tools that run in the background
FABRIC_TOOL_SECONDS=60		# a tool that takes longer has failed
FABRIC_MISSING=77		# fabric_begin's status when something is not installed

fabric_fail() {
	echo "fabric: $*" >&2
	return 1
}

fabric_say() {
	echo "fabric: $*"
}

# fabric_package_file PACKAGE NAME: from the package's own list of files.
fabric_package_file() {
	local file
	file=$(dpkg-query -L "$1" 2>/dev/null | grep "/$2\$") && [ -e "$file" ] && echo "$file"
}

# The folder of the distribution's own pair.
fabric_distribution_libs() {
	local file
	file=$(fabric_package_file libibumad3 'libibumad\.so\.3') && dirname "$file"
}

fabric_begin() {
	local command
	PATH=$PATH:/usr/sbin:/sbin
	for command in ibsim opensm sminfo setpriv timeout; do
		command -v "$command" >/dev/null ||
			{ fabric_fail "$command is not installed"; return "$FABRIC_MISSING"; }
	done
	FABRIC_PRELOAD=$(fabric_package_file libumad2sim0 'libumad2sim\.so') ||
		{ fabric_fail "libumad2sim0 is not installed"; return "$FABRIC_MISSING"; }

	# Variables for a user's own simulator must not reach this one.
	unset IBSIM_SERVER_NAME IBSIM_SERVER_PORT SIM_SET_ISSM LIBIBMAD_DEBUG_LEVEL LD_DEBUG
	trap fabric_end EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	FABRIC_DIR=$(mktemp -d "${TMPDIR:-/tmp}/ibmad-fabric.XXXXXXXX") || return 1
	mkdir "$FABRIC_DIR/cwd" "$FABRIC_DIR/opensm"
	# Both sides of the simulator build the names of their abstract sockets from this.
	export IBSIM_SOCKNAME=${FABRIC_DIR##*/}
}

# fabric_ask SECONDS PID: asks it to end, and insists after so long; fails if it did.
fabric_ask() {
	local i
	kill -TERM "$2" 2>/dev/null
	for ((i = 0; i < $1 * 10; i++)); do
		kill -0 "$2" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL "$2" 2>/dev/null
	return 1
}

# Stop a process we started.
fabric_stop_process() {
	[ -n "$1" ] || return 0
	fabric_ask 2 "$1" || true
	wait "$1" 2>/dev/null
	return 0
}

# Stop the subnet manager in good order; succeeds if it went by itself, with status 0.
fabric_stop_sm() {
	local pid=$FABRIC_SM_PID
	FABRIC_SM_PID=
	kill -0 "$pid" 2>/dev/null || { fabric_fail "opensm was not running any more"; return 1; }
	fabric_ask 10 "$pid" || fabric_fail "opensm did not stop within 10 s"
	wait "$pid" 2>/dev/null
}

# The processes, but this one, that a fabric's environment names: all that were started on it, by whatever process.
fabric_processes() {
	grep -lzxF "IBSIM_SOCKNAME=$IBSIM_SOCKNAME" /proc/[0-9]*/environ 2>/dev/null |
		grep -oE '[0-9]+' | grep -vx "$$"
}

# Stop processes that programs on the fabric have left running.
fabric_stop_processes() {
	local pids i
	for ((i = 0; i < 20; i++)); do
		pids=$(fabric_processes)
		[ -n "$pids" ] || return 0
		# shellcheck disable=SC2086 # numbers
		[ "$i" -gt 0 ] || kill -TERM $pids 2>/dev/null
		sleep 0.1
	done
	# shellcheck disable=SC2086
	kill -KILL $pids 2>/dev/null
}

# Each program has a folder sys-PID of umad2sim's where it was started, which it leaves behind when a
# signal ends it. Removes those below the folder $1 that the list $2 does not have.
fabric_remove_leftovers() {
	local folder
	for folder in "$1"/sys-[0-9]*/; do
		folder=${folder%/}
		case "$2" in *"|$folder|"*) continue ;; esac
		[ ! -d "$folder/sys/class" ] || kill -0 "${folder##*/sys-}" 2>/dev/null || rm -rf "$folder"
	done
}

# The folders of that name that are there already, for fabric_remove_leftovers.
fabric_list_leftovers() {
	printf '|%s' "$1"/sys-[0-9]*
	printf '|'
}

fabric_end() {
	local status=$? pid
	trap '' HUP INT TERM
	trap - EXIT
	set +e
	for pid in "${FABRIC_TOOL_PIDS[@]}"; do
		fabric_stop_process "$pid"
	done
	# opensm waits for a response that may never come, and has nothing worth keeping.
	if [ -n "$FABRIC_SM_PID" ]; then
		kill -KILL "$FABRIC_SM_PID" 2>/dev/null
		wait "$FABRIC_SM_PID" 2>/dev/null
	fi
	fabric_stop_process "$FABRIC_SIM_PID"
	[ -z "$FABRIC_DIR" ] || { fabric_stop_processes; rm -rf "$FABRIC_DIR"; }
	FABRIC_TOOL_PIDS=() FABRIC_SM_PID='' FABRIC_SIM_PID='' FABRIC_DIR=''
	trap - HUP INT TERM
	return "$status"
}

# Start a program that ends when this shell does, whatever ends it (opensm hangs on SIGTERM
# when the simulator has gone before it). Sets FABRIC_PID.
fabric_spawn() {
	local libs=$1 output=$2
	shift 2
	(cd "$FABRIC_DIR/cwd" && exec setpriv --pdeathsig KILL env LD_LIBRARY_PATH="$libs" "$@") \
		>"$output" 2>&1 </dev/null &
	FABRIC_PID=$!
}

# fabric_wait_for SECONDS WHAT PID COMMAND...: poll until COMMAND succeeds; fails when the
# time is over or the process PID has ended. Says so every second.
fabric_wait_for() {
	local seconds=$1 what=$2 pid=$3 i
	shift 3
	for ((i = 0; i < seconds * 20; i++)); do
		"$@" && return 0
		kill -0 "$pid" 2>/dev/null || { fabric_fail "the process ended: $what"; return 1; }
		((i % 20 || i == 0)) || fabric_say "waiting for $what, $((i / 20)) s of at most $seconds s"
		sleep 0.05
	done
	fabric_fail "no $what within $seconds s"
}

fabric_sim_listens() {
	grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix
}

fabric_sm_is_up() {
	grep -q 'SUBNET UP' "$FABRIC_DIR/opensm/opensm.log" 2>/dev/null
}

# fabric_start_sim LIBS TOPOLOGY [IBSIM OPTION...]
fabric_start_sim() {
	local libs=$1 topology=$2
	shift 2
	topology=$(readlink -f "$topology") || return 1
	fabric_spawn "$libs" "$FABRIC_DIR/ibsim.log" ibsim -s -n "$@" "$topology"
	FABRIC_SIM_PID=$FABRIC_PID
	fabric_wait_for 20 "simulator" "$FABRIC_SIM_PID" fabric_sim_listens ||
		{ tail -n 20 "$FABRIC_DIR/ibsim.log" >&2; return 1; }
	fabric_say "ibsim runs (pid $FABRIC_SIM_PID, socket name $IBSIM_SOCKNAME, ${topology##*/})"
}

# fabric_start_sm LIBS HOST [OPENSM OPTION...]; its files and settings are ours alone.
fabric_start_sm() {
	local libs=$1 host=$2 dir=$FABRIC_DIR/opensm
	shift 2
	rm -f "$dir/opensm.log"
	fabric_spawn "$libs" "$FABRIC_DIR/opensm.out" SIM_HOST="$host" \
		LD_PRELOAD="$FABRIC_PRELOAD" OSM_TMP_DIR="$dir" OSM_CACHE_DIR="$dir" \
		opensm -F /dev/null -P "$dir/partitions.conf" -f "$dir/opensm.log" -d 2 "$@"
	FABRIC_SM_PID=$FABRIC_PID
	fabric_say "opensm starts on $host (pid $FABRIC_SM_PID)"
}

# Wait until opensm says that the subnet is up.
fabric_wait_up() {
	local seconds=$1
	fabric_wait_for "$seconds" "subnet" "$FABRIC_SM_PID" fabric_sm_is_up ||
		{ tail -n 20 "$FABRIC_DIR/opensm.out" "$FABRIC_DIR/opensm/opensm.log" >&2; return 1; }
	fabric_say "opensm says: $(grep -o 'SUBNET UP' "$FABRIC_DIR/opensm/opensm.log" | tail -n 1)"
}

# fabric_spawn_tool NAME LIBS HOST COMMAND...: as fabric_run, but does not wait.
fabric_spawn_tool() {
	local name=$1 libs=$2 host=$3
	shift 3
	rm -f "$FABRIC_DIR/$name".*
	(cd "$FABRIC_DIR/cwd" && exec setpriv --pdeathsig TERM \
		timeout -k 5 "$FABRIC_TOOL_SECONDS" \
		env SIM_HOST="$host" LD_PRELOAD="$FABRIC_PRELOAD" LD_LIBRARY_PATH="$libs" \
		LD_DEBUG=libs LD_DEBUG_OUTPUT="$FABRIC_DIR/$name.ld" LC_ALL=C "$@") \
		>"$FABRIC_DIR/$name.out" 2>"$FABRIC_DIR/$name.err" </dev/null &
	FABRIC_PID=$!
	FABRIC_TOOL_PIDS+=("$FABRIC_PID")
}

# fabric_run NAME LIBS HOST COMMAND...: returns the tool's status, 124 when it took too long.
fabric_run() {
	local status=0
	fabric_spawn_tool "$@"
	wait "$FABRIC_PID" || status=$?
	unset 'FABRIC_TOOL_PIDS[-1]'
	return "$status"
}

# The real files of the pair in LIBS, one a line, sorted.
fabric_pair_files() {
	local name folder folders
	IFS=: read -ra folders <<<"$1"
	for name in libibmad.so.5 libibumad.so.3; do
		for folder in "${folders[@]}"; do
			[ ! -e "$folder/$name" ] || { readlink -f "$folder/$name"; break; }
		done
	done
}

# fabric_same_files LIBS WHO, paths on standard input: they are the pair, whole and alone.
fabric_same_files() {
	local wanted loaded
	wanted=$(fabric_pair_files "$1" | sort)
	loaded=$(xargs -r readlink -f | sort -u)
	[ "$loaded" = "$wanted" ] ||
		fabric_fail "$2 loaded the wrong libraries: ${loaded:-none};" "wanted: $wanted"
}

# The loader's own report about a run, made with LD_DEBUG=libs: every process must have
# loaded the pair in LIBS alone, and PROGRAM must be among them. Prints the loader's lines.
fabric_tool_loaded() {
	local name=$1 libs=$2 program=$3 report seen=
	for report in "$FABRIC_DIR/$name".ld.*; do
		grep -qE 'calling init: .*/libibu?mad\.so' "$report" 2>/dev/null || continue
		sed -nE 's#.*calling init: (/.*/libibu?mad\.so.*)#\1#p' "$report" |
			fabric_same_files "$libs" "$name (process ${report##*.})" || return 1
		grep -qE "initialize program: (.*/)?$program\$" "$report" || continue
		seen=yes
		awk '/calling init: .*\/libibu?mad\.so/ && !seen[$0]++' "$report"
	done
	[ -n "$seen" ] || fabric_fail "the loader reports nothing about $program ($name)"
}

# Checks a running process by the files that it has mapped.
fabric_process_loaded() {
	local pid=$1 libs=$2 maps
	maps=$(sed -nE 's#.* (/.*/libibu?mad\.so.*)#\1#p' "/proc/$pid/maps" | sort -u)
	fabric_same_files "$libs" "$(cat "/proc/$pid/comm")" <<<"$maps" || return 1
	echo "/proc/$pid/maps: ${maps//$'\n'/$'\n'/proc/$pid/maps: }"
}
