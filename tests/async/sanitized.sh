#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Builds the library and these tests with a sanitizer, in a folder of their own, and runs them:
#	sanitized.sh SANITIZERS SOURCE BUILD COMPILER GENERATOR
# SANITIZERS as -fsanitize= takes them. Exits with 77 where the compiler or the machine has none.
set -eu

sanitizers=$1 source=$2 build=$3 compiler=$4 generator=$5

mkdir -p "$build"
probe=$build/probe
cat >"$probe.c" <<END
int main(void)
{
	return 0;
}
END
if ! "$compiler" "-fsanitize=$sanitizers" -o "$probe" "$probe.c" >"$probe.log" 2>&1 ||
	! "$probe" >>"$probe.log" 2>&1; then
	echo "$compiler can't build, or this machine can't run, -fsanitize=$sanitizers:"
	cat "$probe.log"
	exit 77
fi

cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_C_COMPILER="$compiler" \
	-DCMAKE_BUILD_TYPE=RelWithDebInfo -DIBMAD_SANITIZE="$sanitizers" -DBUILD_TESTING=ON >/dev/null
cmake --build "$build" --target async-tests --parallel 2

# The children that tests fork have threads before they end; what a test leaves behind is told.
TSAN_OPTIONS="halt_on_error=0 exitcode=66 ${TSAN_OPTIONS:-}" \
	ASAN_OPTIONS="detect_leaks=1 ${ASAN_OPTIONS:-}" \
	ctest --test-dir "$build/tests/async" --output-on-failure --no-tests=error -R '^async\.'
