/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * All options, in the order of --help: HEADING(text), and OPTION(symbol, letter, name, argument,
 * text), where letter and argument are 0 where there is none. Completion and the manual page's list
 * follow it.
 */
HEADING("Outputs; FILE - is standard output, which is for the text if nothing else is wanted:")
OPTION(TEXT, 'o', "text", "FILE", "topology as ibnetdiscover writes it")
OPTION(SUMMARY, 0, "summary", "FILE", "nodes by type, links by speed and width, what is wrong")
OPTION(JSON, 0, "json", "FILE", "topology as JSON, for programs and for --diff")
OPTION(CSV, 0, "counters", "FILE", "counters of all ports as CSV")
OPTION(PROMETHEUS, 0, "prometheus", "FILE", "counters and links as metrics of Prometheus")
OPTION(DOT, 0, "dot", "FILE", "picture for Graphviz")
OPTION(SVG, 0, "svg", "FILE", "picture to look at or print")
OPTION(PICTURE, 0, "picture", "MODE",
       "hosts: each host is drawn; switches: hosts are counted at\n"
       "their switch; groups: switches of a pod and level are one\n"
       "box; auto (default): up to 48 hosts, up to 64 switches")
OPTION(AROUND, 0, "around", "NODE",
       "in pictures, only the node of that name, part of a name,\n"
       "node or port GUID and those that are linked to it")
OPTION(BRIEF, 0, "brief", 0, "metrics without ports that are down and errors that are 0")
OPTION(NODE_NAME_MAP, 0, "node-name-map", "FILE",
       "names of nodes in all outputs, as opensm and ibnetdiscover\n"
       "have them; default: ib-node-name-map in /etc/opensm,\n"
       "/etc/rdma")
OPTION(NO_TRAFFIC, 0, "no-traffic", 0, "metrics without counters of packets and data")
HEADING("On standard output, with an exit status of their own:")
OPTION(DIFF, 0, "diff", "FILE", "print what has changed since a sweep that --json wrote")
OPTION(CHANGES_JSON, 0, "changes-json", "FILE",
       "the changes as JSON, too: a line is added for each")
OPTION(CHECK, 0, "check", 0, "print what is wrong, with links and error counters, too")
OPTION(RISES, 0, "rises", "FILE",
       "print only what has become worse since a sweep with\n"
       "counters that --json wrote")
OPTION(THRESHOLDS, 0, "thresholds", "FILE",
       "COUNTER=NUMBER lines: errors that --check lets pass;\n"
       "list: print the defaults")
OPTION(WATCH, 0, "watch", "SECONDS", "sweep again and again, and print what changes")
OPTION(TOPOLOGY_EVERY, 0, "topology-every", "N",
       "with --watch: only read counters, but discover at each Nth\n"
       "round, and where counters show that the fabric has changed")
OPTION(TRAPS, 0, "traps", 0, "with --watch: sweep at once when the SA reports a change")
HEADING("What to discover:")
OPTION(FROM_SA, 0, "from-sa", 0, "what the Subnet Administration knows, in few requests")
OPTION(SWITCHES_ONLY, 0, "switches-only", 0, "no hosts but the local one")
OPTION(TOPOLOGY_ONLY, 0, "topology-only", 0,
       "no names, nothing but ports and links: fewer requests")
OPTION(MAX_HOPS, 0, "max-hops", "N", "how far to go, 1 to 63")
OPTION(MAX_NODES, 0, "max-nodes", "N", "found through one node, 1 to 49151; more are a problem")
OPTION(DEVICE, 'C', "Ca", "NAME", "device to use; default: the first with an active port")
OPTION(PORT, 'P', "Port", "N", "port of it to use")
OPTION(WINDOW, 'w', "window", "N", "requests in flight, 1 to 4096; default 16 to 64")
OPTION(TIMEOUT, 't', "timeout", "MS", "wait for each attempt of a request; default 1000")
OPTION(RETRIES, 0, "retries", "N", "attempts of a request; default 3")
HEADING("Keys of a locked fabric:")
OPTION(KEYS, 0, "keys", "FOLDER", "guid2mkey, guid2lid, neighbors as opensm keeps them")
OPTION(KEYS_PRIVATE, 0, "keys-private", 0, "refuse a guid2mkey that others can read")
OPTION(M_KEY, 'y', "m_key", "KEY", "M_Key of ports that have no other")
OPTION(PERF_KEY, 0, "perf-key", "KEY", "key of performance management")
HEADING("Other:")
OPTION(PROGRESS, 0, "progress", 0, "show progress even where stderr is no terminal")
OPTION(STATISTICS, 0, "statistics", 0, "print on stderr what was sent, and how long it took")
OPTION(VERSION, 0, "version", 0, "print the version")
OPTION(HELP, 'h', "help", 0, "print this")
