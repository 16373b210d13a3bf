# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Shell functions that make bare Debian systems in folders (debootstrap) and run commands in them,
# for scripts/package and scripts/distros. Sourced; root only. Installed systems are kept in
# $CHROOT_CACHE, and every use is a copy. Mounts and processes of a command end with it: each has its
# own mount and process namespaces.
#
#	chroot_workspace FOLDER			a place for copies: sets CHROOT_WORK
#	chroot_prepare NAME PACKAGES...		a cached system with these packages: sets CHROOT_MADE
#	chroot_copy CACHED FOLDER		a copy of one, to be changed
#	chroot_run FOLDER COMMAND...		run in it, as root
#	chroot_finish				end what runs and remove the copies, in a trap

CHROOT_CACHE=${CHROOT_CACHE:-}			# the folder that keeps systems; to be set
CHROOT_SUITE=${CHROOT_SUITE:-bookworm}		# Debian 12; set it to another before chroot_prepare
CHROOT_MADE=					# the system that chroot_prepare made
CHROOT_WORK=					# the folder of copies
CHROOT_PID=					# the command that runs in a system

chroot_say() {
	echo "chroot: $*"
}

# The mirror that this machine's own apt uses for Debian, of the same suite or of any (but not that
# of the security updates, which has no suite of its own); nothing, if there is none: then
# debootstrap chooses.
chroot_mirror() {
	local suite
	for suite in "Codename: $CHROOT_SUITE" 'Label: Debian'; do
		# shellcheck disable=SC2016 # apt's own variables
		apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
			"$suite" 'Component: main' 2>/dev/null
	done | head -n 1
}

# chroot_workspace FOLDER: a folder below it, where nothing else works until this shell ends, which removes
# it; and what a shell that was killed left there.
chroot_workspace() {
	local lock
	mkdir -p "$1"
	trap chroot_finish EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	exec {lock}>"$1/lock"
	flock --nonblock "$lock" || { chroot_say "another command works in $1" >&2; return 1; }
	rm -rf --one-file-system "$1"/work.*
	CHROOT_WORK=$(mktemp -d "$1/work.XXXXXXXX")
}

# chroot_isolate COMMAND...: runs it in mount and process namespaces of its own, so that no mount and
# no process outlives it, nor this shell. In the background, so that a signal to this shell does not
# wait for it.
chroot_isolate() {
	local status=0
	setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child -- "$@" </dev/null &
	CHROOT_PID=$!
	wait "$CHROOT_PID" || status=$?
	CHROOT_PID=
	return "$status"
}

# chroot_run FOLDER COMMAND...: the folder becomes the root of the mount namespace, and so is no
# chroot to the kernel, which would allow no user namespaces in one.
chroot_run() {
	local folder=$1 proxies=() name
	shift
	for name in http_proxy https_proxy no_proxy; do
		[ -z "${!name:-}" ] || proxies+=("$name=${!name}")
	done
	# shellcheck disable=SC2016 # for the inner shell
	chroot_isolate sh -c 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && cd "$0" &&
			pivot_root . . && umount -l . && exec "$@"' "$folder" \
		env -i "${proxies[@]}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root LC_ALL=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive "$@"
}

# Ends the command that runs in a system, with all its processes.
chroot_stop() {
	[ -z "$CHROOT_PID" ] || { kill -KILL "$CHROOT_PID"; wait "$CHROOT_PID"; } 2>/dev/null || true
}

chroot_finish() {
	chroot_stop
	[ -z "$CHROOT_WORK" ] || rm -rf --one-file-system "$CHROOT_WORK"
}

# chroot_copy CACHED FOLDER
chroot_copy() {
	cp -a --reflink=auto "$1" "$2"
	# Names are found as on this machine; and what must not run elsewhere can see where it is.
	cp -L /etc/resolv.conf /etc/hosts "$2/etc/"
	echo ibmad-libs >"$2/etc/debian_chroot"
}

# The bare system; no service is ever started in it or in its copies.
chroot_bootstrap() {
	local folder=$1 mirror
	mirror=$(chroot_mirror)
	chroot_say "debootstrap $CHROOT_SUITE ${mirror:-(its own mirror)}"
	chroot_isolate debootstrap --variant=minbase "$CHROOT_SUITE" "$folder" ${mirror:+"$mirror"} \
		>"$folder.log" 2>&1 || { tail -n 20 "$folder.log" "$folder/debootstrap/debootstrap.log" >&2
		return 1; }
	printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
	chmod 755 "$folder/usr/sbin/policy-rc.d"
	# The Release file of sid expires after a week; a mirror may be older than that.
	echo 'Acquire::Check-Valid-Until "false";' >"$folder/etc/apt/apt.conf.d/99valid-until"
}

# chroot_keep NAME COMMAND...: $CHROOT_CACHE/NAME, made by COMMAND FOLDER if it is not there. A
# command that fails leaves nothing under that name.
chroot_keep() {
	local folder=$CHROOT_CACHE/$1
	shift
	CHROOT_MADE=$folder
	[ ! -d "$folder" ] || return 0
	mkdir -p "$CHROOT_CACHE"
	rm -rf --one-file-system "$folder.part"
	"$@" "$folder.part" || return 1
	mv "$folder.part" "$folder"
}

chroot_install() {
	local bare=$1 packages=$2 folder=$3
	chroot_copy "$bare" "$folder"
	chroot_say "installing: $packages"
	# shellcheck disable=SC2086 # words
	{ chroot_run "$folder" apt-get -q update &&
		chroot_run "$folder" apt-get -q -y install --no-install-recommends $packages; } \
		>"$folder.log" 2>&1 || { tail -n 20 "$folder.log" >&2; return 1; }
}

# chroot_prepare NAME PACKAGES...
chroot_prepare() {
	local name=$1 list bare
	shift
	list=$(cksum <<<"$*" | cut -d ' ' -f 1)
	chroot_keep "$CHROOT_SUITE-bare" chroot_bootstrap || return 1
	bare=$CHROOT_MADE
	# Systems with an older list of packages are not needed any more.
	[ -d "$CHROOT_CACHE/$CHROOT_SUITE-$name-$list" ] ||
		rm -rf --one-file-system "$CHROOT_CACHE/$CHROOT_SUITE-$name-"[0-9]*
	chroot_keep "$CHROOT_SUITE-$name-$list" chroot_install "$bare" "$*"
}
