/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The command line of fabric-sweep. */
#ifndef FABRIC_SWEEP_OPTIONS_H
#define FABRIC_SWEEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats, in the order in which they are written: the first options of option_rows.h. */
enum output {
	OUTPUT_TEXT,
	OUTPUT_SUMMARY,
	OUTPUT_JSON,
	OUTPUT_CSV,
	OUTPUT_PROMETHEUS,
	OUTPUT_DOT,
	OUTPUT_SVG,
	OUTPUTS,
};

enum picture_mode { PICTURE_AUTO, PICTURE_HOSTS, PICTURE_SWITCHES, PICTURE_GROUPS };

struct options {
	char *device; /* NULL: any */
	int port;     /* 0: any */
	unsigned window;
	unsigned max_hops;
	unsigned max_nodes; /* through one node */
	int timeout_ms;
	int retries;
	const char *files[OUTPUTS]; /* "-": standard output; NULL: not wanted */
	const char *diff;	    /* older sweep to compare with; NULL: none */
	const char *older;	    /* files of "diff OLD NEW"; NULL: sweep */
	const char *newer;
	const char *changes_json;  /* file that the changes are added to; NULL: none */
	const char *rises;	   /* older sweep with counters, for --check; NULL: none */
	const char *thresholds;	   /* file for --check; NULL: the defaults */
	const char *node_name_map; /* file; NULL: at the default places */
	const char *keys;	   /* folder with opensm's files; NULL: none */
	bool keys_private;	   /* refuse keys that others can read */
	uint64_t m_key;		   /* 0: none */
	uint64_t perf_key;	   /* 0: none */
	unsigned watch_seconds;	   /* 0: once */
	unsigned topology_every;   /* rounds of --watch; 0: each */
	enum picture_mode picture;
	const char *around; /* name or GUID of a node; NULL: pictures have all */
	bool picture_given;
	const uint64_t *limits; /* of --check, where nothing else needs counters; NULL: all do */
	size_t limit_count;
	bool brief;
	bool no_traffic;
	bool check;
	bool switches_only;
	bool from_sa;
	bool traps;
	bool topology_only;
	bool progress;
	bool statistics;
};

enum options_outcome {
	OPTIONS_GOOD,
	OPTIONS_DONE, /* help or version, which is printed */
	OPTIONS_BAD,  /* and stderr says what */
};

enum options_outcome options_read(struct options *options, int argc, char **argv);

/* "--json", as the user knows an output. */
const char *options_output_name(enum output output);

/* Whether an output has counters of ports. */
bool options_want_counters(const struct options *options);
/* Whether only --check has, which needs those that are above its thresholds. */
bool options_only_check(const struct options *options);

#endif
