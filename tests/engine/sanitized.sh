#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# sanitized.sh SANITIZER FOLDER COMPILER: builds the libraries and the engine's tests on the
# scripted kernel in FOLDER with ThreadSanitizer (thread) or AddressSanitizer and
# UndefinedBehaviorSanitizer (address), and runs them; a report of theirs is a failure. Exits 77
# where the compiler or the machine has no such sanitizer.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage='usage: sanitized.sh thread|address FOLDER COMPILER'
folder=${2:?$usage}
compiler=${3:?$usage}
case ${1:?$usage} in
thread)
	sanitizer=thread
	engine='threads-scripted inbox receiver lock stopped'
	others=test-threads
	;;
address)
	sanitizer=address,undefined
	engine='table table-memory table-server threads-scripted inbox receiver message lock save stopped
		cancelled-threads fork'
	others=''
	;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
# shellcheck disable=SC2086 # lists of words
{
	targets=$(printf 'engine-%s ' $engine)$others
	tests="^($(printf 'engine\.%s|' $engine)unit\.(${others:-none}))\$"
}

mkdir -p "$folder"
echo 'int main(void) { return 0; }' >"$folder/probe.c"
if ! { "$compiler" "-fsanitize=$sanitizer" "$folder/probe.c" -o "$folder/probe" &&
	"$folder/probe"; } >"$folder/probe.log" 2>&1; then
	echo "skipped: no -fsanitize=$sanitizer here"
	cat "$folder/probe.log"
	exit 77
fi

log=$folder/build.log
# shellcheck disable=SC2086 # a list of words
if ! cmake -S "$top" -B "$folder/build" -DCMAKE_C_COMPILER="$compiler" -DBUILD_TESTING=ON \
	-DIBMAD_SANITIZE="$sanitizer" >"$log" 2>&1 ||
   ! cmake --build "$folder/build" --parallel "$(nproc)" --target $targets >>"$log" 2>&1; then
	tail -n 40 "$log" >&2
	exit 1
fi
echo "built with -fsanitize=$sanitizer in $SECONDS s"
# A test that this build does not know must not pass for one that ran.
wanted=$(wc -w <<<"$targets")
found=$(cd "$folder/build" && ctest -N -R "$tests" | sed -n 's/^Total Tests: //p')
[ "$found" -eq "$wanted" ] || { echo "$found tests of $wanted found" >&2; exit 1; }
cd "$folder/build"
ctest --output-on-failure -R "$tests"
