#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# check-threads.sh SOURCE WORK: where threads are not in libc (glibc before 2.34, so RHEL 8), cmake
# links both libraries with -lpthread, and so do programs that are linked statically. Also, a build
# without IBMAD_WERROR does not make warnings errors. Configures in WORK, as on such a system, and
# builds nothing.
set -eu
source=$1 work=$2

fail() {
	echo "check-threads: $*" >&2
	exit 1
}

rm -rf "$work"
cmake -S "$source" -B "$work" -G 'Unix Makefiles' -DBUILD_TESTING=OFF \
	-DCMAKE_HAVE_LIBC_PTHREAD=OFF >"$work.log" 2>&1 || { cat "$work.log"; fail "no build"; }
for library in ibumad ibmad; do
	link=$work/lib$library/CMakeFiles/$library.dir/link.txt
	grep -q -e ' -shared ' "$link" || fail "$link links nothing"
	grep -q -E -e '-l?pthread' "$link" || fail "lib$library is linked without threads"
	grep -q -E '^Libs.private:.* -lpthread' "$work/lib$library.pc" ||
		fail "lib$library.pc names no threads"
done
grep -q 'find_dependency(Threads)' "$work/ibmad-config.cmake" ||
	fail "the CMake package does not look for threads"
grep -q '^IBMAD_WERROR:BOOL=OFF$' "$work/CMakeCache.txt" || fail "warnings are errors by default"
grep -q -e '-Werror' "$work/compile_commands.json" && fail "a command has -Werror"
grep -q -e '-DIBMAD_WERROR=ON' "$source/scripts/test" || fail "scripts/test allows warnings"
echo "linked with threads, and without -Werror"
