# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# More cases of compare-tool, written as those of tool-cases.sh: the package's shell and Perl
# scripts, and the programs that are in no group of their own.

# Packages that the cases of a tool need beside the tool.
tool_programs() {
	case $1 in
	others) echo smpdump ibsysstat ibccquery ibccconfig ibcacheedit ;;
	dumps) echo dump_fts dump_lfts dump_mfts check_lft_balance ibnetdiscover iblinkinfo ;;
	perl-scripts) echo perl unshare ibfindnodesusing ibidsverify ibnetdiscover ibroute ;;
	*) echo "$1" ;;
	esac
}

# The cases move no counter and no link, so the files are the same for both runs of a case.
write_dumps() {
	fabric_run cache "$theirs" "$TOOL_HOST" ibnetdiscover --cache "$cache"
	fabric_run lfts "$theirs" "$TOOL_HOST" dump_lfts
	cp "$FABRIC_DIR/lfts.out" "$lfts"
}

# dump_lfts and dump_mfts are scripts that run dump_fts; check_lft_balance is one that reads
# what those wrote, and runs iblinkinfo.
cases_dumps() {
	local cache=$FABRIC_DIR/cwd/cache lfts=$FABRIC_DIR/cwd/lfts
	same "switch DR path .*\(leaf-07\)" dump_fts
	same '^0x0004 005 $' dump_fts -n
	same "'host-24'" dump_fts -a
	same '^0 valid mlids dumped|MLid' dump_fts -M
	same "'spine-01'" dump_fts 4 4
	PROGRAM=dump_fts same "'host-24'" dump_lfts
	PROGRAM=dump_fts same '^0 valid mlids dumped|MLid' dump_mfts

	write_dumps
	PROGRAM=iblinkinfo same 'leaf-01|exit status 0' check_lft_balance -v -l "$lfts" -i "$cache"
	PROGRAM=iblinkinfo same 'exit status 0' check_lft_balance -e -v -l "$lfts" -i "$cache"
	PROGRAM=perl fails 'Must specify' check_lft_balance -l "$lfts"
}

# The tool reads sysfs itself, where umad2sim shows a shell no devices, and uses neither library;
# with devices, it is the business of the kernel alone.
cases_ibstatus() {
	PROGRAM='sh' fails 'No devices' ibstatus
	PROGRAM='sh' fails "'nosuch'|nosuch" ibstatus nosuch
}

# The scripts keep ibnetdiscover's output below /var/cache/infiniband-diags, and no option
# moves that; each run gets a /var/cache of its own.
cases_perl-scripts() {
	local topology=/var/cache/infiniband-diags/ibnetdiscover--.topology
	# shellcheck disable=SC2016 # the inner shell expands it
	local alone=(unshare -rm sh -c 'mount -t tmpfs none /var/cache && exec "$@"' sh)
	# shellcheck disable=SC2016
	local twice=(unshare -rm sh -c 'mount -t tmpfs none /var/cache &&
		mkdir "${1%/*}" && ibnetdiscover | sed "$2" >"$1" && ibidsverify' sh)
	[ "${LISTING:-}" ] || "${alone[@]}" true 2>/dev/null ||
		skip "no mount namespace, which keeps the scripts out of /var/cache"

	PROGRAM=ibroute same 'host-04 host-08' "${alone[@]}" ibfindnodesusing -R "$LEAF_GUID" 5
	PROGRAM=ibroute same '<<== ' "${alone[@]}" ibfindnodesusing "$LEAF_GUID" 1
	PROGRAM=ibnetdiscover fails 'not found' "${alone[@]}" ibfindnodesusing -R leaf-99 5
	PROGRAM=ibnetdiscover same 'exit status 0' "${alone[@]}" ibidsverify -R
	PROGRAM=ibnetdiscover compare '[Dd]up|LID|lid' \
		"${twice[@]}" "$topology" "s/lid $(lid leaf-02) /lid $(lid leaf-01) /"
}

# On ibsim it crashes in its own code in about 1 of 100 runs, on either pair, and runs again then;
# with -D that of infiniband-diags 56 crashes almost always, and there is nothing to compare.
cases_ibqueryerrors() {
	local leaf
	leaf=$(lid leaf-01)
	AGAIN=5
	fails 'SymbolErrorCounter == 17' ibqueryerrors
	fails '36 nodes checked, 1 bad nodes found' ibqueryerrors -o 1
	fails 'SymbolErrorCounter == 17' ibqueryerrors --details -s LinkDownedCounter
	fails 'SymbolErrorCounter == 17' ibqueryerrors -r --switch
	same '0 bad nodes found' ibqueryerrors --ca
	compare 'exit status' ibqueryerrors -c
	same '1 nodes checked, 0 bad nodes found' ibqueryerrors -D 0,1
	unset AGAIN
}

# ibcacheedit writes a file; ibnetdiscover shows what it wrote.
cases_ibcacheedit() {
	local cache=$FABRIC_DIR/cwd/cache
	# shellcheck disable=SC2016
	local show=(sh -c 'ibcacheedit "$@" && for last; do :; done &&
		ibnetdiscover --load-cache "$last" && rm "$last"' sh)
	fabric_run cache "$theirs" "$TOOL_HOST" ibnetdiscover --cache "$cache"
	PROGRAM=ibcacheedit same 'switchguid=0x200000000200ff0' "${show[@]}" \
		--switchguid "$LEAF_GUID:0x0200000000200ff0" "$cache" "$cache.new"
	PROGRAM=ibcacheedit same 'caguid=0x200000000100ff0' "${show[@]}" \
		--caguid 0x0200000000100010:0x0200000000100ff0 "$cache" "$cache.new"
	fails '.' ibcacheedit "$FABRIC_DIR/cwd/nosuch" "$cache.new"
}

# Tools beside those that the project promises, for what else they touch.
cases_others() {
	local leaf other server
	leaf=$(lid leaf-01)
	other=$(lid host-02)
	same '^0101 ' smpdump "$leaf" 0x11
	same '^leaf-01' smpdump -s "$leaf" 16
	same '^SMP status' smpdump -D 0,1 16
	same '.' smpdump "$leaf" 0x15 4
	compare 'exit status' ibccquery congestioninfo "$leaf"
	compare 'exit status' ibccquery classportinfo "$leaf"
	compare 'exit status' ibccquery -c 0x1234 switchcongestionsetting "$leaf"
	compare 'exit status' ibccconfig CK "$leaf" 1 0 10 0
	fails 'failed' ibccconfig SS "$leaf" 0x1F 0x1FFFFFFFFF 0x0 0xF 8 0 0:0 1
	fails 'failed' ibccconfig SP "$leaf" 1 1 1 1 8 8 2
	fails 'invalid number' ibccconfig CT "$leaf" 63 0 0:0 0:1
	fails 'not supported' ibccconfig nonsense "$leaf"
	fails '_do_madrpc failed' ibccconfig -t 50 CK "$NO_LID" 1 0 10 0
	cases_ibcacheedit
	fails 'Connection timed out' ibsysstat -t 50 "$other" ping

	fabric_stop_sm
	on_theirs=$(lid host-20)
	on_ours=$(lid host-21)
	start_server "$theirs" host-20 ibsysstat -S -d
	start_server "$ours" host-21 ibsysstat -S -d
	for server in "$on_theirs" "$on_ours"; do
		same 'sysstat ping succeeded|ping' ibsysstat "$server" ping
		same '.' ibsysstat "$server" host
		same '.' ibsysstat "$server" cpu
	done
}
