#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Builds these tests with AddressSanitizer, LeakSanitizer and UBSan, in a folder of their own, and
# runs them:
#	sanitized.sh SOURCE BUILD COMPILER GENERATOR
# Exits with 77 where the compiler or the machine has no such sanitizers.
set -eu

source=$1 build=$2 compiler=$3 generator=$4

mkdir -p "$build"
probe=$build/probe
echo 'int main(void) { return 0; }' >"$probe.c"
if ! "$compiler" -fsanitize=address,undefined -o "$probe" "$probe.c" >"$probe.log" 2>&1 ||
	! "$probe" >>"$probe.log" 2>&1; then
	echo "$compiler can't build, or this machine can't run, -fsanitize=address,undefined:"
	cat "$probe.log"
	exit 77
fi

cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
	-DCMAKE_BUILD_TYPE=RelWithDebInfo -DIBMAD_SANITIZE=address,undefined -DBUILD_TESTING=ON \
	>/dev/null
cmake --build "$build" --target faults-host --target faults-fabric --parallel 2

# What the libraries print is thrown away meanwhile, so reports go to files.
for program in faults-host faults-fabric; do
	rm -f "$build/report".*
	if ! ASAN_OPTIONS="detect_leaks=1 quarantine_size_mb=8 log_path=$build/report ${ASAN_OPTIONS:-}" \
		UBSAN_OPTIONS="log_path=$build/report ${UBSAN_OPTIONS:-}" \
		"$build/tests/faults/$program"; then
		cat "$build/report".* 2>/dev/null
		exit 1
	fi
done
