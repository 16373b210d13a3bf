# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Shell functions about programs of installed packages: what they print, and what they load. Sourced
# by tests/static/package/replace.
#
#	program_output "PACKAGE..."		help and version of every program, as text to compare
#	programs_load "PACKAGE..." LIBS VERSION	every program finds the pair in LIBS, of that version;
#						prints which symbols are missing
#	debug_information PACKAGE...		of the packages' libraries is installed

# The programs of packages, scripts too.
programs_of() {
	local package
	for package in $1; do
		dpkg -L "$package" | grep -E '^(/usr)?/s?bin/' | while read -r file; do
			[ ! -f "$file" ] || [ ! -x "$file" ] || echo "$file"
		done
	done | sort -u
}

# The programs, shared libraries and plug-ins of packages that use libibumad or libibmad, themselves or through another
# library.
users_of_pair() {
	local package file libraries
	for package in $1; do
		dpkg -L "$package" | grep -E '^(/usr)?/(s?bin|lib|libexec)/'
	done | sort -u | while read -r file; do
		[ -f "$file" ] || continue
		[ "$(head -c 4 "$file" | tr -d '\0')" = $'\177ELF' ] || continue
		libraries=$(ldd "$file" 2>/dev/null) || continue
		! grep -qE 'libibu?mad\.so' <<<"$libraries" || echo "$file"
	done
}

# Process ids and the like do not count, and neither does how a library words that there is no
# device here.
program_output() {
	local file option status
	rm -rf /var/cache/infiniband-diags	# the scripts' cache of the fabric
	for file in $(programs_of "$1"); do
		for option in --version --help; do
			status=0
			echo "== $file $option"
			# The shell's own word about a program that aborted is not wanted.
			(timeout -k 1 20 "$file" "$option" </dev/null 2>&1; exit $?) 2>/dev/null |
				sed -E -e '/^ibwarn: /d; s/^[A-Z][a-z]{2} [0-9 ]{2} [0-9:.]+//' \
					-e 's/\[[0-9]+\]/[PID]/; s/0x7[0-9a-f]{11}/ADDRESS/g' || true
			status=${PIPESTATUS[0]}
			echo "-- status $status"
		done
	done
}

# programs_load "PACKAGE..." LIBS VERSION: a plug-in may need symbols of the program that loads it; no
# symbol of the pair may be missing.
programs_load() {
	local file libs=$2 version=$3 name loaded missing count=0
	for name in libibumad.so.3 libibmad.so.5; do
		loaded=$(dpkg-query -W -f '${Version}' "$(dpkg -S "$libs/$name" | cut -d : -f 1)")
		[ "$loaded" = "$version" ] || fail "$libs/$name is of version $loaded"
	done
	while read -r file; do
		missing=$(ldd -r "$file" 2>&1 | grep -E 'not found|undefined symbol|symbol lookup') || true
		[ -z "$missing" ] || sort <<<"$missing"
		! grep -E 'not found|IBU?MAD' <<<"$missing" >&2 || fail "$file has missing symbols"
		loaded=$(ldd "$file" | sed -nE 's#.*libibu?mad\.so.* => (/[^ ]*)/[^/]* .*#\1#p' | sort -u)
		[ "$(readlink -f "$loaded")" = "$(readlink -f "$libs")" ] ||
			fail "$file loads the pair in $loaded"
		count=$((count + 1))
	done < <(users_of_pair "$1")
	[ "$count" -gt 20 ] || fail "only $count programs use the pair"
	echo "$count programs and libraries load the pair"
}

# The file that a debugger looks for, by the library's build id, is there.
debug_information() {
	local package library id
	for package; do
		library=$(dpkg -L "$package" | grep -E '\.so\.[0-9.]+\.[0-9.]+$')
		id=$(readelf -n "$library" | sed -n 's/.*Build ID: //p')
		readelf -S "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" | grep debug_info >/dev/null ||
			fail "no debug information for $library"
		echo "debug information: $library"
	done
}
