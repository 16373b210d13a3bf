#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# hardened-build.sh SOURCE WORK VARIANT: build as a distribution does, check symbols and imports.
#
# Configures and builds both libraries in WORK, which is emptied before and after, with the flags of
# dpkg-buildflags. VARIANT is
#   plain      as they come
#   hardening  with every hardening feature
#   lto        with every hardening feature, link time optimisation and _FORTIFY_SOURCE=2
#   lfs        with 64-bit file offsets and _FORTIFY_SOURCE=3
# Exits with 77 if a tool is missing.
set -eu
here=$(dirname "$(readlink -f "$0")")
source=$1 work=$2 variant=$3

for tool in dpkg-buildflags cmake gcc python3 readelf; do
	if ! command -v "$tool" >/dev/null; then
		echo "skipped: no $tool"
		exit 77
	fi
done

case $variant in
plain) maintainer='' extra='' ;;
hardening) maintainer=hardening=+all extra= ;;
lto)
	maintainer="hardening=+all optimize=+lto"
	extra="-O2 -flto=2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
	;;
lfs) maintainer='' extra="-D_FILE_OFFSET_BITS=64 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3" ;;
*)
	echo "no variant $variant"
	exit 2
	;;
esac
flags() {
	DEB_BUILD_MAINT_OPTIONS=$maintainer dpkg-buildflags --get "$1"
}
cflags="$(flags CPPFLAGS) $(flags CFLAGS) $extra"
ldflags="$(flags LDFLAGS) $extra"
echo "compiled with: $cflags"

rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
unset CC CFLAGS CPPFLAGS LDFLAGS
cmake -S "$source" -B "$work" -DCMAKE_BUILD_TYPE=None -DBUILD_TESTING=OFF \
	-DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS="$cflags" \
	-DCMAKE_SHARED_LINKER_FLAGS="$ldflags" >"$work/log" 2>&1 || {
	cat "$work/log"
	exit 1
}
cmake --build "$work" --target ibumad ibmad -j 2 >"$work/log" 2>&1 || {
	cat "$work/log"
	exit 1
}
umad=$(find "$work" -name libibumad.so.3)
mad=$(find "$work" -name libibmad.so.5)
cd "$here"
python3 -B check-imports.py "$umad" "$mad"
python3 -B check-symbols.py "$umad" libibumad.so.3 symbols.csv extensions.csv
python3 -B check-symbols.py "$mad" libibmad.so.5 symbols.csv extensions.csv
