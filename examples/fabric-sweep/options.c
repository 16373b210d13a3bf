/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Reads the command line; each number is checked for its syntax and its range. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mad_async.h>

#include "options.h"

enum {
	OPTION_JSON = 256,
	OPTION_DOT,
	OPTION_SVG,
	OPTION_COUNTERS,
	OPTION_RETRIES,
	OPTION_PROGRESS,
	OPTION_STATISTICS,
};

static const char short_options[] = "o:w:C:P:t:h";
static const struct option long_options[] = {
	{ "text", required_argument, NULL, 'o' },
	{ "json", required_argument, NULL, OPTION_JSON },
	{ "dot", required_argument, NULL, OPTION_DOT },
	{ "svg", required_argument, NULL, OPTION_SVG },
	{ "counters", required_argument, NULL, OPTION_COUNTERS },
	{ "window", required_argument, NULL, 'w' },
	{ "Ca", required_argument, NULL, 'C' },
	{ "Port", required_argument, NULL, 'P' },
	{ "timeout", required_argument, NULL, 't' },
	{ "retries", required_argument, NULL, OPTION_RETRIES },
	{ "progress", no_argument, NULL, OPTION_PROGRESS },
	{ "statistics", no_argument, NULL, OPTION_STATISTICS },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_help(void)
{
	printf("Usage: fabric-sweep [options]\n"
	       "\n"
	       "Discovers an InfiniBand fabric by directed routes, with many requests in flight.\n"
	       "\n"
	       "  -o, --text FILE      topology as ibnetdiscover writes it; default: standard "
	       "output\n"
	       "      --json FILE      topology as JSON\n"
	       "      --dot FILE       picture for Graphviz: hosts at the bottom, switches above\n"
	       "      --svg FILE       the same picture, drawn by Graphviz's dot\n"
	       "      --counters FILE  counters of all ports as CSV (needs LIDs, from a subnet "
	       "manager)\n"
	       "                       FILE - is standard output\n"
	       "  -w, --window N       requests in flight, 1 to %d; default %d\n"
	       "  -C, --Ca NAME        device to use; default: the first with an active port\n"
	       "  -P, --Port N         port of it to use\n"
	       "  -t, --timeout MS     timeout of each attempt of a request; default %d\n"
	       "      --retries N      attempts of a request; default %d\n"
	       "      --progress       show progress even where stderr is no terminal\n"
	       "      --statistics     say on stderr what was sent, and how long it took\n"
	       "  -h, --help           this\n"
	       "\n"
	       "Nodes that do not respond are no failure: they are listed on stderr and in the "
	       "files.\n"
	       "Exit status: 0, with or without such warnings; 1 failed, or cut short by a "
	       "failure;\n"
	       "2 wrong usage; 130 stopped by Ctrl-C, 143 by SIGTERM, both with what had been "
	       "found\n"
	       "until then written.\n",
	       MAD_ASYNC_MAX_WINDOW, MAD_ASYNC_DEFAULT_WINDOW, MAD_DEF_TIMEOUT_MS, MAD_DEF_RETRIES);
}

static bool read_number(const char *text, long smallest, long largest, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	if (!errno && end != text && !*end && *number >= smallest && *number <= largest)
		return true;
	fprintf(stderr, "fabric-sweep: '%s' is no number from %ld to %ld\n", text, smallest,
		largest);
	return false;
}

static bool read_numeric(struct options *options, int option)
{
	long number;

	switch (option) {
	case 'w':
		if (!read_number(optarg, 1, MAD_ASYNC_MAX_WINDOW, &number))
			return false;
		options->window = number;
		return true;
	case 'P':
		if (!read_number(optarg, 0, UINT8_MAX, &number))
			return false;
		options->port = number;
		return true;
	case 't':
		if (!read_number(optarg, 1, INT_MAX / 1000, &number))
			return false;
		options->timeout_ms = number;
		return true;
	case OPTION_RETRIES:
		if (!read_number(optarg, 1, 1000, &number))
			return false;
		options->retries = number;
		return true;
	default: /* getopt_long() has reported the error */
		return false;
	}
}

static bool read_option(struct options *options, int option)
{
	switch (option) {
	case 'o':
		options->text = optarg;
		return true;
	case OPTION_JSON:
		options->json = optarg;
		return true;
	case OPTION_DOT:
		options->dot = optarg;
		return true;
	case OPTION_SVG:
		options->svg = optarg;
		return true;
	case OPTION_COUNTERS:
		options->counters = optarg;
		return true;
	case 'C':
		options->device = optarg;
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

static bool is_stdout(const char *name)
{
	return name && !strcmp(name, "-");
}

/* Text goes to standard output, unless another file does. */
static bool choose_stdout(struct options *options)
{
	int users = is_stdout(options->text) + is_stdout(options->json) + is_stdout(options->dot) +
		    is_stdout(options->svg) + is_stdout(options->counters);

	if (users > 1) {
		fputs("fabric-sweep: only one of the files can be standard output\n", stderr);
		return false;
	}
	if (!users && !options->text)
		options->text = "-";
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
			return OPTIONS_HELP;
		}
		if (!read_option(options, option))
			return OPTIONS_BAD;
	}
	if (optind < argc) {
		fprintf(stderr, "fabric-sweep: '%s' is no option; --help says more\n",
			argv[optind]);
		return OPTIONS_BAD;
	}
	return choose_stdout(options) ? OPTIONS_GOOD : OPTIONS_BAD;
}
