/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The command line of fabric-sweep. */
#ifndef FABRIC_SWEEP_OPTIONS_H
#define FABRIC_SWEEP_OPTIONS_H

#include <stdbool.h>

struct options {
	char *device; /* NULL: any */
	int port;     /* 0: any */
	unsigned window;
	int timeout_ms;
	int retries;
	const char *text; /* file names; "-": standard output; NULL: not requested */
	const char *json;
	const char *dot;
	const char *svg;
	const char *counters;
	bool progress;
	bool statistics;
};

enum options_outcome {
	OPTIONS_GOOD,
	OPTIONS_HELP, /* --help was given, and the help is printed */
	OPTIONS_BAD,  /* the error is on stderr */
};

enum options_outcome options_read(struct options *options, int argc, char **argv);

#endif
