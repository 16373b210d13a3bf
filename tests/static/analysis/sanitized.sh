#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Builds tests with a sanitizer, in a folder of their own, and runs them; a report is a failure:
#	sanitized.sh SANITIZERS SOURCE BUILD COMPILER GENERATOR TARGET=TEST...
# SANITIZERS as -fsanitize= takes them; TEST is the name of the test whose program TARGET makes, or a
# pattern of several.
# Exits with 77 where the compiler or the machine has no such sanitizer.
set -eu

sanitizers=$1 source=$2 build=$3 compiler=$4 generator=$5
shift 5

mkdir -p "$build"
probe=$build/probe
echo 'int main(void) { return 0; }' >"$probe.c"
if ! "$compiler" "-fsanitize=$sanitizers" -o "$probe" "$probe.c" >"$probe.log" 2>&1 ||
	! "$probe" >>"$probe.log" 2>&1; then
	echo "skipped: $compiler can't build, or this machine can't run, -fsanitize=$sanitizers:"
	cat "$probe.log"
	exit 77
fi

log=$build/build.log wanted=$# targets='' tests=''
for pair; do
	targets="$targets ${pair%=*}"
	tests="$tests|${pair#*=}"
done
# shellcheck disable=SC2086 # a list of words
if ! cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
	-DCMAKE_BUILD_TYPE=RelWithDebInfo -DIBMAD_SANITIZE="$sanitizers" -DBUILD_TESTING=ON \
	"-DIBMAD_TEST_LABELS=unit;faults" >"$log" 2>&1 ||
   ! cmake --build "$build" --parallel 2 --target $targets >>"$log" 2>&1; then
	tail -n 40 "$log" >&2
	exit 1
fi

tests="^($(echo "${tests#|}" | sed 's/\./\\./g'))\$"
# A test that this build does not know must not pass for one that ran.
found=$(ctest --test-dir "$build" -N -R "$tests" | sed -n 's/^Total Tests: //p')
[ "$found" -ge "$wanted" ] || { echo "$found tests of $wanted found" >&2; exit 1; }

# Reports go to files, too, since some tests discard output.
rm -f "$build/report".*
if ! TSAN_OPTIONS="halt_on_error=0 exitcode=66 ${TSAN_OPTIONS:-}" \
	ASAN_OPTIONS="detect_leaks=1 quarantine_size_mb=8 log_path=$build/report ${ASAN_OPTIONS:-}" \
	UBSAN_OPTIONS="log_path=$build/report ${UBSAN_OPTIONS:-}" \
	ctest --test-dir "$build" --output-on-failure -R "$tests"; then
	cat "$build/report".* 2>/dev/null || true
	exit 1
fi
