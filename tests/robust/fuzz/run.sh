#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Builds fuzz targets, and runs one for a moment:
#	run.sh build SOURCE BUILD GENERATOR	all of them, in the folder BUILD
#	run.sh test FUZZ BUILD NAME		fuzz-NAME on what FUZZ (this folder) has, and on more
#	run.sh length NAME			the longest input that makes sense for it
# Exits with 77 where there is no clang with libFuzzer. FUZZ_RUNS: executions of a test, else 10000.
set -euo pipefail

# Long inputs make executions slow; these are enough for all that a target does with one.
length_of() {
	case $1 in
		request) echo 200 ;;
		fabric) echo 2000 ;;
		*) echo 128 ;;
	esac
}

build() {
	local source=$1 build=$2 generator=$3 probe=$2/probe
	mkdir -p "$build"
	cat >"$probe.c" <<-END
		int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size);
		int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size)
		{
			return data && size ? 0 : 0;
		}
	END
	if ! clang -fsanitize=fuzzer,address,undefined -o "$probe" "$probe.c" >"$probe.log" 2>&1 ||
		! "$probe" -runs=1 >>"$probe.log" 2>&1; then
		echo "no clang with libFuzzer here (Debian: clang, libclang-rt-14-dev):"
		cat "$probe.log"
		exit 77
	fi
	# Comparisons are not traced: that takes a quarter of the time, and inputs are made so
	# that little hangs on constants.
	cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_C_COMPILER=clang \
		-DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DCMAKE_C_FLAGS=-fno-sanitize-coverage=trace-cmp,stack-depth,indirect-calls \
		-DIBMAD_SANITIZE=fuzzer-no-link,address,undefined -DBUILD_TESTING=ON >/dev/null
	cmake --build "$build" --target fuzz-targets --parallel 2
}

# Replays what is kept, and then makes a run that is the same each time.
run_test() {
	local fuzz=$1 program=$2/tests/robust/fuzz/fuzz-$3 name=$3 work=$2/work-$3 kept=()
	[ -x "$program" ] || { echo "$program was not built"; exit 77; }
	rm -rf "$work"
	mkdir -p "$work"
	mapfile -t kept < <(find "$fuzz/seeds/$name" "$fuzz/regressions/$name" -type f 2>/dev/null |
		sort)
	[ "${#kept[@]}" -gt 0 ] || { echo "$name has no seeds"; exit 1; }
	"$program" -artifact_prefix="$work/" "${kept[@]}" >"$work.replay.log" 2>&1 ||
		{ cat "$work.replay.log"; exit 1; }
	echo "$name: ${#kept[@]} seeds and regressions replayed"
	"$program" -seed=1 -runs="${FUZZ_RUNS:-10000}" -max_len="$(length_of "$name")" \
		-artifact_prefix="$work/" -print_final_stats=1 "$work" "$fuzz/seeds/$name" \
		>"$work.log" 2>&1 || { cat "$work.log"; exit 1; }
	grep -E 'DONE|number_of_executed_units' "$work.log"
}

command=$1
shift
case $command in
	build) build "$@" ;;
	test) run_test "$@" ;;
	length) length_of "$@" ;;
	*) echo "run.sh: no command $command" >&2; exit 2 ;;
esac
