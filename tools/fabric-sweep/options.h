/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The command line of fabric-sweep. */
#ifndef FABRIC_SWEEP_OPTIONS_H
#define FABRIC_SWEEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats, in the order in which they are written. */
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

/* The command line: texts are NULL and numbers 0 where it has none. */
struct options {
	const char *files[OUTPUTS]; /* "-": standard output */
	enum picture_mode picture;
	bool picture_given;
	const char *around; /* name or GUID of a node */
	bool brief;
	const char *node_name_map;
	bool no_traffic;
	const char *diff;  /* older sweep to compare with */
	const char *older; /* files of "diff OLD NEW", which makes no sweep */
	const char *newer;
	const char *changes_json; /* file that the changes are added to */
	bool check;
	const char *rises; /* older sweep with counters, for --check */
	const char *thresholds;
	unsigned watch_seconds;
	unsigned topology_every; /* rounds of --watch */
	bool traps;
	bool from_sa;
	bool switches_only;
	bool topology_only;
	unsigned max_hops;
	unsigned max_nodes; /* through one node */
	const char *device;
	int port;
	unsigned window;
	int timeout_ms;
	int retries;
	const char *keys; /* folder with opensm's files */
	bool keys_private;
	uint64_t m_key;
	uint64_t perf_key;
	bool progress;
	bool statistics;
	const uint64_t *limits; /* of --check, where nothing else needs counters; NULL: all do */
	size_t limit_count;
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
/* Whether --check is the only such output: counters below its thresholds do not matter. */
bool options_only_check(const struct options *options);

#endif
