/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Reads the command line. Every message names the option that it is about. */
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mad_async.h>
#include <infiniband/mad_fabric.h>

#include "sweep.h"

#define LONGEST_WATCH (7 * 24 * 60 * 60)
#define HELP_COLUMN   25

/* Headings are rows without a name. */
struct row {
	char letter;
	const char *name;
	const char *argument;
	const char *text;
};

#define HEADING(text)
#define OPTION(symbol, letter, name, argument, text) OPTION_##symbol,
enum {
#include "option_rows.h"
	OPTIONS,
};
#undef HEADING
#undef OPTION

_Static_assert(OPTION_SVG == (int)OUTPUT_SVG, "outputs are the first options");

#define HEADING(text)				     { 0, NULL, NULL, text },
#define OPTION(symbol, letter, name, argument, text) { letter, name, argument, text },
static const struct row rows[] = {
#include "option_rows.h"
};
#undef HEADING
#undef OPTION

#define ROWS	   (sizeof(rows) / sizeof(rows[0]))
#define LONG_FIRST 256 /* val of the first long option for getopt_long(); letters are below */

static void print_row(const struct row *row)
{
	char letter[8] = "    ";
	int width;

	if (!row->name) {
		printf("\n%s\n", row->text);
		return;
	}
	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	width = printf("  %s--%s%s%s", letter, row->name, row->argument ? " " : "",
		       row->argument ? row->argument : "");
	printf("%*s", width < HELP_COLUMN ? HELP_COLUMN - width : 1, "");
	for (const char *c = row->text; *c; c++)
		*c == '\n' ? printf("\n%*s", HELP_COLUMN, "") : putchar(*c);
	putchar('\n');
}

static void print_help(void)
{
	puts("Usage: fabric-sweep [options]\n"
	     "       fabric-sweep diff [options] OLD NEW\n"
	     "\n"
	     "Discovers an InfiniBand fabric by directed routes, with many requests in flight,\n"
	     "and reads the counters of its ports. Changes nothing on the fabric.");
	for (size_t i = 0; i < ROWS; i++)
		print_row(&rows[i]);
	puts("\n"
	     "Nodes that do not respond are no failure: they are named on stderr and in the\n"
	     "outputs, and make the sweep partial. Counters need LIDs, which a subnet manager\n"
	     "assigns. Exit status: 0 complete, and nothing found; 1 failed; 2 wrong usage;\n"
	     "3 --diff has found changes, or --check something wrong; 4 partial; 128 and the\n"
	     "number of the signal: stopped, with what had been found until then written and\n"
	     "marked as partial; SIGTERM ends --watch with 0.");
}

/* The row of an option. */
static const struct row *row_of(int option)
{
	const struct row *row = rows;

	for (;; row++)
		if (row->name && !option--)
			return row;
}

/* "--json", or "-w" where there is a letter. */
static const char *name_of(int option)
{
	static char texts[OPTIONS][24];
	const struct row *row = row_of(option);

	if (row->letter && option != OPTION_TEXT)
		snprintf(texts[option], sizeof(texts[option]), "-%c", row->letter);
	else
		snprintf(texts[option], sizeof(texts[option]), "--%s", row->name);
	return texts[option];
}

const char *options_output_name(enum output output)
{
	return name_of((int)output);
}

bool options_want_counters(const struct options *options)
{
	return options->files[OUTPUT_CSV] || options->files[OUTPUT_PROMETHEUS] ||
	       options->watch_seconds || options->check;
}

bool options_only_check(const struct options *options)
{
	bool only = options->check && !options->diff && !options->rises && !options->watch_seconds;

	for (int i = 0; i < OUTPUTS; i++)
		only = only && (!options->files[i] || i == OUTPUT_TEXT);
	return only;
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

/* The message does not have the key. */
static bool read_key(int option, uint64_t *key)
{
	char *end;

	errno = 0;
	*key = strtoull(optarg, &end, 0);
	if (!errno && *optarg >= '0' && *optarg <= '9' && !*end && *key)
		return true;
	fprintf(stderr, "fabric-sweep: %s: that is no key, a number other than 0\n",
		name_of(option));
	return false;
}

static bool read_numeric(struct options *options, int option)
{
	const struct {
		int option;
		long smallest;
		long largest;
		void *number; /* an int, of either sign */
	} numbers[] = {
		{ OPTION_WINDOW, 1, MAD_ASYNC_MAX_WINDOW, &options->window },
		{ OPTION_PORT, 0, UINT8_MAX, &options->port },
		{ OPTION_TIMEOUT, 1, INT_MAX / 1000, &options->timeout_ms },
		{ OPTION_RETRIES, 1, 1000, &options->retries },
		{ OPTION_MAX_HOPS, 1, MAD_FABRIC_MAX_HOPS, &options->max_hops },
		{ OPTION_MAX_NODES, 1, IB_MAX_UCAST_LID, &options->max_nodes },
		{ OPTION_WATCH, 1, LONGEST_WATCH, &options->watch_seconds },
		{ OPTION_TOPOLOGY_EVERY, 1, INT_MAX, &options->topology_every },
	};
	long number;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].option == option) {
			if (!read_number(option, numbers[i].smallest, numbers[i].largest, &number))
				return false;
			*(int *)numbers[i].number = (int)number;
			return true;
		}
	return false;
}

static bool read_picture(struct options *options)
{
	static const char *const modes[] = {
		[PICTURE_AUTO] = "auto",
		[PICTURE_HOSTS] = "hosts",
		[PICTURE_SWITCHES] = "switches",
		[PICTURE_GROUPS] = "groups",
	};

	for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(optarg, modes[i])) {
			options->picture = (enum picture_mode)i;
			options->picture_given = true;
			return true;
		}
	fprintf(stderr, "fabric-sweep: --picture: '%s' is not auto, groups, hosts or switches\n",
		optarg);
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

/* Options that are text or a flag, and need no check; false where the option is another one. */
static bool take_plain(struct options *options, int option)
{
	const char **const texts[OPTIONS] = {
		[OPTION_AROUND] = &options->around,
		[OPTION_DIFF] = &options->diff,
		[OPTION_RISES] = &options->rises,
		[OPTION_CHANGES_JSON] = &options->changes_json,
		[OPTION_THRESHOLDS] = &options->thresholds,
		[OPTION_KEYS] = &options->keys,
		[OPTION_NODE_NAME_MAP] = &options->node_name_map,
	};
	bool *const flags[OPTIONS] = {
		[OPTION_CHECK] = &options->check,
		[OPTION_THRESHOLDS] = &options->check,
		[OPTION_KEYS_PRIVATE] = &options->keys_private,
		[OPTION_RISES] = &options->check,
		[OPTION_BRIEF] = &options->brief,
		[OPTION_NO_TRAFFIC] = &options->no_traffic,
		[OPTION_TOPOLOGY_ONLY] = &options->topology_only,
		[OPTION_TRAPS] = &options->traps,
		[OPTION_FROM_SA] = &options->from_sa,
		[OPTION_SWITCHES_ONLY] = &options->switches_only,
		[OPTION_PROGRESS] = &options->progress,
		[OPTION_STATISTICS] = &options->statistics,
	};

	if (texts[option])
		*texts[option] = optarg;
	if (flags[option])
		*flags[option] = true;
	return texts[option] || flags[option];
}

static bool read_option(struct options *options, int option)
{
	if (option == OPTIONS) /* getopt_long() has said what is wrong */
		return false;
	if (option == OPTION_AROUND && !*optarg) {
		fprintf(stderr, "fabric-sweep: --around: no name\n");
		return false;
	}
	if (option < OUTPUTS)
		return read_output(options, (enum output)option);
	if (take_plain(options, option))
		return true;
	switch (option) {
	case OPTION_DEVICE:
		options->device = optarg;
		return true;
	case OPTION_PICTURE:
		return read_picture(options);
	case OPTION_M_KEY:
		return read_key(option, &options->m_key);
	case OPTION_PERF_KEY:
		return read_key(option, &options->perf_key);
	default:
		return read_numeric(options, option);
	}
}

/* Two outputs in one file would overwrite each other; standard output has one user as well. */
static bool check_outputs(struct options *options)
{
	bool prints = options->older || options->diff || options->watch_seconds || options->check,
	     any = prints;

	for (int i = 0; i < OUTPUTS; i++) {
		const char *name = options->files[i];

		if (!name)
			continue;
		if (prints && !strcmp(name, "-")) {
			fprintf(stderr, "fabric-sweep: %s -: standard output is for the changes\n",
				options_output_name((enum output)i));
			return false;
		}
		if (options->older) {
			fprintf(stderr, "fabric-sweep: diff has no %s: it makes no sweep\n",
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

/* Options that need or exclude another one. */
static bool check_together(const struct options *options)
{
	const char *wrong = NULL;

	if (options->keys_private && !options->keys)
		wrong = "--keys-private is about the files of --keys";
	else if ((options->picture_given || options->around) && !options->files[OUTPUT_DOT] &&
		 !options->files[OUTPUT_SVG])
		wrong = "--picture and --around are about pictures: --dot or --svg";
	else if ((options->brief || options->no_traffic) && !options->files[OUTPUT_PROMETHEUS])
		wrong = "--brief and --no-traffic are about the metrics of --prometheus";
	else if (options->topology_every && !options->watch_seconds)
		wrong = "--topology-every counts rounds of --watch";
	else if (options->rises && options->diff)
		wrong = "--rises and --diff name an earlier sweep each";
	else if (options->older && (options->diff || options->rises || options->watch_seconds))
		wrong = "diff compares its two files, and makes no sweep";
	else if (options->changes_json && !options->older && !options->diff &&
		 !options->watch_seconds)
		wrong = "--changes-json needs diff, --diff or --watch";
	else if (options->changes_json && !strcmp(options->changes_json, "-") &&
		 (options->watch_seconds || options->check))
		wrong = "--changes-json -: standard output is for what is printed besides";
	else if (options->traps && !options->watch_seconds)
		wrong = "--traps needs --watch";
	else if (options->from_sa && options->max_hops)
		wrong = "--from-sa has no hops that --max-hops could limit";
	if (wrong)
		fprintf(stderr, "fabric-sweep: %s\n", wrong);
	return !wrong;
}

/* For getopt_long(), from the rows. Returns the letters. */
static const char *make_tables(struct option long_options[OPTIONS + 1])
{
	static char letters[2 * OPTIONS + 1];
	size_t length = 0;

	for (int i = 0; i < OPTIONS; i++) {
		const struct row *row = row_of(i);

		long_options[i] =
			(struct option){ row->name, row->argument != NULL, NULL, LONG_FIRST + i };
		if (row->letter)
			letters[length++] = row->letter;
		if (row->letter && row->argument)
			letters[length++] = ':';
	}
	long_options[OPTIONS] = (struct option){ 0 };
	return letters;
}

static int option_of(int value)
{
	if (value >= LONG_FIRST)
		return value - LONG_FIRST;
	for (int i = 0; i < OPTIONS; i++)
		if (row_of(i)->letter == value)
			return i;
	return OPTIONS;
}

/* The libraries come with it, since only this project's have what the program uses. */
static void print_version(void)
{
	static const char *const functions[] = { "umad_init", "mad_rpc_open_port",
						 "mad_fabric_free" };
	Dl_info info;

	puts("fabric-sweep " FABRIC_SWEEP_VERSION);
	for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(RTLD_DEFAULT, functions[i]);
		char path[PATH_MAX];

		if (function && dladdr(function, &info) && realpath(info.dli_fname, path))
			puts(path);
	}
}

enum options_outcome options_read(struct options *options, int argc, char **argv)
{
	struct option long_options[OPTIONS + 1];
	const char *letters = make_tables(long_options);
	int value;

	memset(options, 0, sizeof(*options));
	options->progress = isatty(STDERR_FILENO);
	while ((value = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
		int option = option_of(value);

		if (option == OPTION_HELP) {
			print_help();
			return OPTIONS_DONE;
		}
		if (option == OPTION_VERSION) {
			print_version();
			return OPTIONS_DONE;
		}
		if (option == OPTION_THRESHOLDS && !strcmp(optarg, "list")) {
			thresholds_list();
			return OPTIONS_DONE;
		}
		if (!read_option(options, option))
			return OPTIONS_BAD;
	}
	if (argc - optind == 3 && !strcmp(argv[optind], "diff")) {
		options->older = argv[optind + 1];
		options->newer = argv[optind + 2];
	} else if (optind < argc && !strcmp(argv[optind], "diff")) {
		fprintf(stderr, "fabric-sweep: diff takes two files\n");
		return OPTIONS_BAD;
	} else if (optind < argc) {
		fprintf(stderr, "fabric-sweep: '%s' is no option; try --help\n", argv[optind]);
		return OPTIONS_BAD;
	}
	return check_outputs(options) && check_together(options) ? OPTIONS_GOOD : OPTIONS_BAD;
}
