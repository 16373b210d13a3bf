/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * All options, in the order of --help: HEADING(text), and by what they set in struct options
 *	FLAG(letter, name, member, text)
 *	TEXT(letter, name, argument, member, text)
 *	NUMBER(letter, name, argument, member, smallest, largest, text)
 *	KEY(letter, name, member, text)
 *	OTHER(letter, name, argument, text): options.c knows these by their name
 * A letter is 0 where there is none. Completion and the manual page's list follow.
 */
HEADING("Outputs; FILE - is standard output, which is for the text if nothing else is wanted:")
TEXT('o', "text", "FILE", files[OUTPUT_TEXT], "topology as ibnetdiscover writes it")
TEXT(0, "summary", "FILE", files[OUTPUT_SUMMARY],
     "nodes by type, links by speed and width, what is wrong")
TEXT(0, "json", "FILE", files[OUTPUT_JSON], "topology as JSON, for programs and for --diff")
TEXT(0, "counters", "FILE", files[OUTPUT_CSV], "counters of all ports as CSV")
TEXT(0, "prometheus", "FILE", files[OUTPUT_PROMETHEUS],
     "counters and links as metrics of Prometheus")
TEXT(0, "dot", "FILE", files[OUTPUT_DOT], "picture for Graphviz")
TEXT(0, "svg", "FILE", files[OUTPUT_SVG], "picture to look at or print")
OTHER(0, "picture", "MODE",
      "hosts: each host is drawn; switches: hosts are counted at\n"
      "their switch; groups: switches of a pod and level are one\n"
      "box; auto (default): up to 48 hosts, up to 64 switches")
TEXT(0, "around", "NODE", around,
     "in pictures, only the node of that name, part of a name,\n"
     "node or port GUID and those that are linked to it")
FLAG(0, "brief", brief, "metrics without ports that are down and errors that are 0")
TEXT(0, "node-name-map", "FILE", node_name_map,
     "names of nodes in all outputs, as opensm and ibnetdiscover\n"
     "have them; default: ib-node-name-map in /etc/opensm,\n"
     "/etc/rdma")
FLAG(0, "no-traffic", no_traffic, "metrics without counters of packets and data")
HEADING("On standard output, with an exit status of their own:")
TEXT(0, "diff", "FILE", diff, "print what has changed since a sweep that --json wrote")
TEXT(0, "changes-json", "FILE", changes_json, "the changes as JSON, too: a line is added for each")
FLAG(0, "check", check, "print what is wrong, with links and error counters, too")
TEXT(0, "rises", "FILE", rises,
     "print only what has become worse since a sweep with\n"
     "counters that --json wrote")
TEXT(0, "thresholds", "FILE", thresholds,
     "COUNTER=NUMBER lines: errors that --check lets pass;\n"
     "list: print the defaults")
NUMBER(0, "watch", "SECONDS", watch_seconds, 1, 7 * 24 * 60 * 60,
       "sweep again and again, and print what changes")
NUMBER(0, "topology-every", "N", topology_every, 1, INT_MAX,
       "with --watch: only read counters, but discover at each Nth\n"
       "round, and where counters show that the fabric has changed")
FLAG(0, "traps", traps, "with --watch: sweep at once when the SA reports a change")
HEADING("What to discover:")
FLAG(0, "from-sa", from_sa, "what the Subnet Administration knows, in few requests")
FLAG(0, "switches-only", switches_only, "no hosts but the local one")
FLAG(0, "topology-only", topology_only, "no names, nothing but ports and links: fewer requests")
NUMBER(0, "max-hops", "N", max_hops, 1, MAD_FABRIC_MAX_HOPS, "how far to go, 1 to 63")
NUMBER(0, "max-nodes", "N", max_nodes, 1, IB_MAX_UCAST_LID,
       "found through one node, 1 to 49151; more are a problem")
TEXT('C', "Ca", "NAME", device, "device to use; default: the first with an active port")
NUMBER('P', "Port", "N", port, 0, UINT8_MAX, "port of it to use")
NUMBER('w', "window", "N", window, 1, MAD_ASYNC_MAX_WINDOW,
       "requests in flight, 1 to 4096; default 16 to 64")
NUMBER('t', "timeout", "MS", timeout_ms, 1, INT_MAX / 1000,
       "wait for each attempt of a request; default 1000")
NUMBER(0, "retries", "N", retries, 1, 1000, "attempts of a request; default 3")
HEADING("Keys of a locked fabric:")
TEXT(0, "keys", "FOLDER", keys, "guid2mkey, guid2lid, neighbors as opensm keeps them")
FLAG(0, "keys-private", keys_private, "refuse a guid2mkey that others can read")
KEY('y', "m_key", m_key, "M_Key of ports that have no other")
KEY(0, "perf-key", perf_key, "key of performance management")
HEADING("Other:")
FLAG(0, "progress", progress, "show progress even where stderr is no terminal")
FLAG(0, "statistics", statistics, "print on stderr what was sent, and how long it took")
OTHER(0, "version", NULL, "print the version")
OTHER('h', "help", NULL, "print this")
