/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Reads the command line. Every message names the option that it is about. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mad_async.h>
#include <infiniband/mad_fabric.h>

#include "options.h"

#define LONGEST_WATCH (7 * 24 * 60 * 60)

enum {
	OPTION_OUTPUT = 256, /* + enum output */
	OPTION_RETRIES = OPTION_OUTPUT + OUTPUTS,
	OPTION_PROGRESS,
	OPTION_STATISTICS,
	OPTION_DIFF,
	OPTION_WATCH,
	OPTION_PICTURE,
	OPTION_SWITCHES_ONLY,
	OPTION_MAX_HOPS,
	OPTION_VERSION,
};

static const char short_options[] = "o:w:C:P:t:h";
static const struct option long_options[] = {
	{ "text", required_argument, NULL, OPTION_OUTPUT + OUTPUT_TEXT },
	{ "summary", required_argument, NULL, OPTION_OUTPUT + OUTPUT_SUMMARY },
	{ "json", required_argument, NULL, OPTION_OUTPUT + OUTPUT_JSON },
	{ "counters", required_argument, NULL, OPTION_OUTPUT + OUTPUT_CSV },
	{ "csv", required_argument, NULL, OPTION_OUTPUT + OUTPUT_CSV },
	{ "prometheus", required_argument, NULL, OPTION_OUTPUT + OUTPUT_PROMETHEUS },
	{ "dot", required_argument, NULL, OPTION_OUTPUT + OUTPUT_DOT },
	{ "svg", required_argument, NULL, OPTION_OUTPUT + OUTPUT_SVG },
	{ "picture", required_argument, NULL, OPTION_PICTURE },
	{ "diff", required_argument, NULL, OPTION_DIFF },
	{ "watch", required_argument, NULL, OPTION_WATCH },
	{ "switches-only", no_argument, NULL, OPTION_SWITCHES_ONLY },
	{ "max-hops", required_argument, NULL, OPTION_MAX_HOPS },
	{ "window", required_argument, NULL, 'w' },
	{ "Ca", required_argument, NULL, 'C' },
	{ "Port", required_argument, NULL, 'P' },
	{ "timeout", required_argument, NULL, 't' },
	{ "retries", required_argument, NULL, OPTION_RETRIES },
	{ "progress", no_argument, NULL, OPTION_PROGRESS },
	{ "statistics", no_argument, NULL, OPTION_STATISTICS },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_help(void)
{
	printf("Usage: fabric-sweep [options]\n"
	       "\n"
	       "Discovers an InfiniBand fabric by directed routes, with many requests in flight,\n"
	       "and reads the counters of its ports. Changes nothing on the fabric.\n"
	       "\n"
	       "Outputs; FILE - is standard output, which is for the text if nothing else is "
	       "wanted:\n"
	       "  -o, --text FILE        topology as ibnetdiscover writes it\n"
	       "      --summary FILE     nodes by type, links by speed and width, what is wrong\n"
	       "      --json FILE        topology as JSON, for programs and for --diff\n"
	       "      --counters FILE    counters of all ports as CSV; also --csv\n"
	       "      --prometheus FILE  counters and links as metrics of Prometheus\n"
	       "      --dot FILE         picture for Graphviz\n"
	       "      --svg FILE         picture to look at or print\n"
	       "      --picture MODE     hosts: each host is drawn; switches: hosts are counted "
	       "at\n"
	       "                         their switch; auto (default): hosts up to 48 of them\n"
	       "      --diff FILE        print what has changed since a sweep that --json wrote\n"
	       "      --watch SECONDS    sweep again and again, and print what changes\n"
	       "\n"
	       "What to discover:\n"
	       "      --switches-only    no hosts but the local one\n"
	       "      --max-hops N       how far to go, 1 to %d\n"
	       "  -C, --Ca NAME          device to use; default: the first with an active port\n"
	       "  -P, --Port N           port of it to use\n"
	       "  -w, --window N         requests in flight, 1 to %d; default %d\n"
	       "  -t, --timeout MS       wait for each attempt of a request; default %d\n"
	       "      --retries N        attempts of a request; default %d\n"
	       "\n"
	       "      --progress         show progress even where stderr is no terminal\n"
	       "      --statistics       print on stderr what was sent, and how long it took\n"
	       "      --version          print the version\n"
	       "  -h, --help             print this\n"
	       "\n"
	       "Nodes that do not respond are no failure: they are named on stderr and in the\n"
	       "outputs. Counters need LIDs, which a subnet manager assigns. Exit status: 0 done;\n"
	       "1 failed, or cut short by a failure; 2 wrong usage; 130 stopped by Ctrl-C, 143 by\n"
	       "SIGTERM, both with what had been found until then written and marked as partial.\n",
	       MAD_FABRIC_MAX_HOPS, MAD_ASYNC_MAX_WINDOW, MAD_ASYNC_DEFAULT_WINDOW,
	       MAD_DEF_TIMEOUT_MS, MAD_DEF_RETRIES);
}

const char *options_output_name(enum output output)
{
	static const char *const names[OUTPUTS] = { "--text",	  "--summary",	  "--json",
						    "--counters", "--prometheus", "--dot",
						    "--svg" };

	return names[output];
}

bool options_want_counters(const struct options *options)
{
	return options->files[OUTPUT_CSV] || options->files[OUTPUT_PROMETHEUS] ||
	       options->watch_seconds;
}

/* An option as the user writes it. */
static const char *name_of(int option)
{
	static char text[32];

	if (option < OPTION_OUTPUT) {
		snprintf(text, sizeof(text), "-%c", option);
		return text;
	}
	for (const struct option *known = long_options; known->name; known++)
		if (known->val == option) {
			snprintf(text, sizeof(text), "--%s", known->name);
			return text;
		}
	return "?";
}

static bool read_number(int option, long smallest, long largest, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(optarg, &end, 10);
	if (!errno && end != optarg && !*end && *number >= smallest && *number <= largest)
		return true;
	fprintf(stderr, "fabric-sweep: %s: '%s' is no number from %ld to %ld\n", name_of(option),
		optarg, smallest, largest);
	return false;
}

static bool read_numeric(struct options *options, int option)
{
	long number;

	switch (option) {
	case 'w':
		if (!read_number(option, 1, MAD_ASYNC_MAX_WINDOW, &number))
			return false;
		options->window = (unsigned)number;
		return true;
	case 'P':
		if (!read_number(option, 0, UINT8_MAX, &number))
			return false;
		options->port = (int)number;
		return true;
	case 't':
		if (!read_number(option, 1, INT_MAX / 1000, &number))
			return false;
		options->timeout_ms = (int)number;
		return true;
	case OPTION_RETRIES:
		if (!read_number(option, 1, 1000, &number))
			return false;
		options->retries = (int)number;
		return true;
	case OPTION_MAX_HOPS:
		if (!read_number(option, 1, MAD_FABRIC_MAX_HOPS, &number))
			return false;
		options->max_hops = (unsigned)number;
		return true;
	case OPTION_WATCH:
		if (!read_number(option, 1, LONGEST_WATCH, &number))
			return false;
		options->watch_seconds = (unsigned)number;
		return true;
	default: /* getopt_long() has said what is wrong */
		return false;
	}
}

static bool read_picture(struct options *options)
{
	static const char *const modes[] = {
		[PICTURE_AUTO] = "auto", [PICTURE_HOSTS] = "hosts", [PICTURE_SWITCHES] = "switches"
	};

	for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(optarg, modes[i])) {
			options->picture = (enum picture_mode)i;
			return true;
		}
	fprintf(stderr, "fabric-sweep: --picture: '%s' is not hosts, switches or auto\n", optarg);
	return false;
}

static bool read_output(struct options *options, enum output output)
{
	if (options->files[output]) {
		fprintf(stderr, "fabric-sweep: %s is given twice\n", options_output_name(output));
		return false;
	}
	if (!*optarg) {
		fprintf(stderr, "fabric-sweep: %s: no name of a file\n",
			options_output_name(output));
		return false;
	}
	options->files[output] = optarg;
	return true;
}

static bool read_option(struct options *options, int option)
{
	if (option >= OPTION_OUTPUT && option < OPTION_OUTPUT + OUTPUTS)
		return read_output(options, (enum output)(option - OPTION_OUTPUT));
	switch (option) {
	case 'o':
		return read_output(options, OUTPUT_TEXT);
	case 'C':
		options->device = optarg;
		return true;
	case OPTION_PICTURE:
		return read_picture(options);
	case OPTION_DIFF:
		options->diff = optarg;
		return true;
	case OPTION_SWITCHES_ONLY:
		options->switches_only = true;
		return true;
	case OPTION_PROGRESS:
		options->progress = true;
		return true;
	case OPTION_STATISTICS:
		options->statistics = true;
		return true;
	default:
		return read_numeric(options, option);
	}
}

/* Two outputs in one file would overwrite each other; standard output has one user as well. */
static bool check_outputs(struct options *options)
{
	bool changes = options->diff || options->watch_seconds, any = changes;

	for (int i = 0; i < OUTPUTS; i++) {
		const char *name = options->files[i];

		if (!name)
			continue;
		if (changes && !strcmp(name, "-")) {
			fprintf(stderr, "fabric-sweep: %s -: standard output is for the changes\n",
				options_output_name((enum output)i));
			return false;
		}
		any = true;
		for (int j = 0; j < i; j++)
			if (options->files[j] && !strcmp(options->files[j], name) &&
			    strcmp(name, "/dev/null")) {
				fprintf(stderr, "fabric-sweep: %s and %s are the same file: %s\n",
					options_output_name((enum output)j),
					options_output_name((enum output)i), name);
				return false;
			}
	}
	if (!any)
		options->files[OUTPUT_TEXT] = "-";
	return true;
}

enum options_outcome options_read(struct options *options, int argc, char **argv)
{
	int option;

	memset(options, 0, sizeof(*options));
	options->progress = isatty(STDERR_FILENO);
	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		if (option == 'h') {
			print_help();
			return OPTIONS_DONE;
		}
		if (option == OPTION_VERSION) {
			puts("fabric-sweep " FABRIC_SWEEP_VERSION);
			return OPTIONS_DONE;
		}
		if (!read_option(options, option))
			return OPTIONS_BAD;
	}
	if (optind < argc) {
		fprintf(stderr, "fabric-sweep: '%s' is no option; try --help\n", argv[optind]);
		return OPTIONS_BAD;
	}
	return check_outputs(options) ? OPTIONS_GOOD : OPTIONS_BAD;
}
