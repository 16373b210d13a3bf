#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Lists all Debian packages that this project's commands need, in groups, and has functions that install missing
# ones, say what a command does, and build the libraries.
# Sourced by these commands; run by itself it installs the groups it is given:
# scripts/packages.sh build demo test
# Changes the machine only through apt-get install (as root, or through sudo).

declare -A PACKAGES=(
	[build]="cmake make gcc libc6-dev libjansson-dev libnl-3-dev pkgconf"
	[fuzz]="clang libclang-rt-dev libcmocka-dev"
	[coverage]="gcovr"
	[demo]="ibsim-utils libumad2sim0 opensm infiniband-diags"
	[kernel]="qemu-system-x86 busybox-static cpio xz-utils dpkg-dev libelf1 python3 opensm infiniband-diags
		libibumad3 libibmad5"
	[test]="autoconf binutils ninja-build g++ clang-format clang-tidy iproute2 graphviz
		gcc-i686-linux-gnu libc6-dev-i386-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross
		gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static abigail-tools
		python3-jsonschema python3-cffi shellcheck mandoc man-db groff-base tshark debootstrap"
	[languages]="bindgen golang-go libclang-dev meson rustc" # tests of docs/languages.md; skipped without
	[bench]="binutils python3 valgrind strace dpkg-dev libcmocka-dev libibumad3 libibmad5
		infiniband-diags"
	[analyse]="clang-tidy valgrind ninja-build git libcmocka-dev python3"
	[package]="debootstrap git util-linux"
)
PACKAGES[test]+=" ${PACKAGES[fuzz]} ${PACKAGES[demo]} ${PACKAGES[kernel]}"

packages_fail() {
	echo "packages: $*" >&2
	return 1
}

# Print those of the given packages that are not installed.
packages_missing() {
	local package
	for package; do
		dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null |
			grep -qx installed || echo "$package"
	done
}

# Is there a package among the given ones that apt knows no version of?
packages_unknown() {
	local package
	for package; do
		apt-cache policy "$package" 2>/dev/null |
			grep -q 'Candidate: [0-9]' || return 0
	done
	return 1
}

packages_apt_get() {
	local run=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y
		-o Dpkg::Use-Pty=0 -o Acquire::Retries=3)
	[ "$(id -u)" -eq 0 ] || run=(sudo "${run[@]}")
	echo "+ ${run[*]} $*"
	"${run[@]}" "$@"
}

# Debian's opensm package starts a subnet manager as soon as it finds real InfiniBand.
packages_check_opensm() {
	[[ " $* " == *" opensm "* ]] || return 0
	[ -e /sys/class/infiniband_mad/abi_version ] || return 0
	packages_fail "this machine has InfiniBand devices, and installing Debian's opensm package" \
		"would start a subnet manager on them. Please install opensm yourself, stop and" \
		"disable its service, and run this again (the simulator does not touch the devices)."
}

# packages_install GROUP...: install what is missing of the groups.
packages_install() {
	local group wanted=() missing
	for group; do
		[ -n "${PACKAGES[$group]:-}" ] || packages_fail "no group named $group" || return 1
		# shellcheck disable=SC2206 # a list of words
		wanted+=(${PACKAGES[$group]})
	done
	command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
		packages_fail "no apt-get here; this script knows Debian only. Needed: ${wanted[*]}" ||
		return 1
	mapfile -t missing < <(packages_missing "${wanted[@]}" | sort -u)
	if [ "${#missing[@]}" -eq 0 ]; then
		echo "packages: all there (groups: $*)"
		return 0
	fi
	echo "packages: to install: ${missing[*]}"
	[ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
		packages_fail "these packages are missing, and installing them takes root or sudo;" \
			"as root: apt-get install ${missing[*]}" || return 1
	packages_check_opensm "${missing[@]}" || return 1

	if packages_unknown "${missing[@]}"; then
		packages_apt_get update ||
			packages_fail "apt-get update failed; is there a network?" || return 1
	fi
	packages_apt_get install --no-install-recommends "${missing[@]}" ||
		{ packages_apt_get update &&
			packages_apt_get install --no-install-recommends "${missing[@]}"; } ||
		packages_fail "apt-get could not install: ${missing[*]}"
}

# step TEXT...: prints the step that begins now, and the time since the start.
step() {
	printf '\n=== %s (%s s)\n' "$*" "$SECONDS"
}

# usage: prints the head of a script.
usage() {
	sed -n '4,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
}

# quietly LOG COMMAND...: keeps the output in the log, whose end is shown if the command fails.
quietly() {
	local log=$1
	shift
	mkdir -p "${log%/*}"
	"$@" >>"$log" 2>&1 && return
	tail -n 40 "$log" >&2
	echo "this failed, and $log has all of it: $*" >&2
	return 1
}

# build SOURCE FOLDER OPTION... [-- TARGET...]: builds with these options of cmake, all or the targets; the
# log is FOLDER/build.log.
build() {
	local source=$1 folder=$2 options=()
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
	rm -f "$folder/build.log"
	quietly "$folder/build.log" cmake -S "$source" -B "$folder" "${options[@]}" &&
		quietly "$folder/build.log" cmake --build "$folder" --parallel "$(nproc)" ${2:+--target "${@:2}"}
}

# copy_sources FOLDER: the files of this tree that git knows or would add, with the times of today: make and
# ninja go by them.
copy_sources() {
	local top
	top=$(dirname "${BASH_SOURCE[0]}")/..
	mkdir -p "$1"
	git -c safe.directory='*' -C "$top" ls-files -z --cached --others --exclude-standard |
		tar -C "$top" --null --files-from - --ignore-failed-read -cf - | tar -C "$1" -xmf -
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	set -euo pipefail
	[ $# -gt 0 ] || { echo "usage: $0 GROUP...   groups: ${!PACKAGES[*]}" >&2; exit 2; }
	packages_install "$@"
fi
