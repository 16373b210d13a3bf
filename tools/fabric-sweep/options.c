/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Reads the command line. Every message names its option. */
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

#define HELP_COLUMN 25

struct row {
	enum { IS_HEADING, IS_FLAG, IS_TEXT, IS_NUMBER, IS_KEY, IS_OTHER } kind;
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* NULL: none */
	size_t member;	      /* offset in struct options */
	long smallest, largest;
	const char *text;
};

#define HEADING(text) { IS_HEADING, 0, NULL, NULL, 0, 0, 0, text },
#define OTHER(letter, name, argument, text) \
	{ IS_OTHER, letter, "--" name, argument, 0, 0, 0, text },
#define MEMBER(member) offsetof(struct options, member)
#define FLAG(letter, name, member, text) \
	{ IS_FLAG, letter, "--" name, NULL, MEMBER(member), 0, 0, text },
#define TEXT(letter, name, argument, member, text) \
	{ IS_TEXT, letter, "--" name, argument, MEMBER(member), 0, 0, text },
#define NUMBER(letter, name, argument, member, smallest, largest, text) \
	{ IS_NUMBER, letter, "--" name, argument, MEMBER(member), smallest, largest, text },
#define KEY(letter, name, member, text) \
	{ IS_KEY, letter, "--" name, "KEY", MEMBER(member), 0, 0, text },
static const struct row rows[] = {
#include "option_rows.h"
};

#define ROWS	   (sizeof(rows) / sizeof(rows[0]))
#define LONG_FIRST 256 /* val of the first row for getopt_long(); letters are below */

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
	width = printf("  %s%s%s%s", letter, row->name, row->argument ? " " : "",
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

/* "--json", or "-w" where there is a letter. */
static const char *name_of(const struct row *row)
{
	static char text[] = "-w";

	text[1] = row->letter;
	return row->letter && row->kind != IS_TEXT ? text : row->name;
}

const char *options_output_name(enum output output)
{
	const struct row *row = rows;

	while (row->kind != IS_TEXT || row->member != MEMBER(files[output]))
		row++;
	return row->name;
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

static bool read_text(const struct row *row, const char **text)
{
	bool is_output = row->member < MEMBER(files[OUTPUTS]);

	if (is_output && *text) {
		complain("%s is given twice", name_of(row));
		return false;
	}
	if (!*optarg) {
		complain("%s: no name is given", name_of(row));
		return false;
	}
	*text = optarg;
	return true;
}

static bool read_number(const struct row *row, int *number)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(optarg, &end, 10);
	if (errno || end == optarg || *end || value < row->smallest || value > row->largest) {
		complain("%s: '%s' is no number from %ld to %ld", name_of(row), optarg,
			 row->smallest, row->largest);
		return false;
	}
	*number = (int)value;
	return true;
}

/* The message does not have the key. */
static bool read_key(const struct row *row, uint64_t *key)
{
	char *end;

	errno = 0;
	*key = strtoull(optarg, &end, 0);
	if (!errno && *optarg >= '0' && *optarg <= '9' && !*end && *key)
		return true;
	complain("%s: that is no key, a number other than 0", name_of(row));
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

	options->picture_given = true;
	for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(optarg, modes[i])) {
			options->picture = (enum picture_mode)i;
			return true;
		}
	complain("--picture: '%s' is not auto, groups, hosts or switches", optarg);
	return false;
}

static bool read_option(struct options *options, const struct row *row)
{
	void *member = (char *)options + row->member;

	switch (row->kind) {
	case IS_FLAG:
		*(bool *)member = true;
		return true;
	case IS_TEXT:
		return read_text(row, member);
	case IS_NUMBER:
		return read_number(row, member);
	case IS_KEY:
		return read_key(row, member);
	default:
		return read_picture(options);
	}
}

/* Two outputs in one file would overwrite each other; standard output has one user as well. */
static bool check_outputs(struct options *options)
{
	bool prints = options->older || options->diff || options->watch_seconds || options->check,
	     any = prints;

	for (enum output i = 0; i < OUTPUTS; i++) {
		const char *name = options->files[i], *option = options_output_name(i);

		if (!name)
			continue;
		if (prints && !strcmp(name, "-")) {
			complain("%s -: standard output is for the changes", option);
			return false;
		}
		if (options->older) {
			complain("diff has no %s: it makes no sweep", option);
			return false;
		}
		any = true;
		for (enum output j = 0; j < i; j++)
			if (options->files[j] && !strcmp(options->files[j], name) &&
			    strcmp(name, "/dev/null") != 0) {
				complain("%s and %s are the same file: %s", options_output_name(j),
					 option, name);
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
	bool watch = options->watch_seconds, adds = options->changes_json;
	bool pictures = options->files[OUTPUT_DOT] || options->files[OUTPUT_SVG];
	const struct {
		bool is_wrong;
		const char *message;
	} rules[] = {
		{ options->keys_private && !options->keys,
		  "--keys-private is about the files of --keys" },
		{ (options->picture_given || options->around) && !pictures,
		  "--picture and --around are about pictures: --dot or --svg" },
		{ (options->brief || options->no_traffic) && !options->files[OUTPUT_PROMETHEUS],
		  "--brief and --no-traffic are about the metrics of --prometheus" },
		{ options->topology_every && !watch, "--topology-every counts rounds of --watch" },
		{ options->rises && options->diff,
		  "--rises and --diff name an earlier sweep each" },
		{ options->older && (options->diff || options->rises || watch),
		  "diff compares its two files, and makes no sweep" },
		{ adds && !options->older && !options->diff && !watch,
		  "--changes-json needs diff, --diff or --watch" },
		{ adds && !strcmp(options->changes_json, "-") && (watch || options->check),
		  "--changes-json -: standard output is for what is printed besides" },
		{ options->traps && !watch, "--traps needs --watch" },
		{ options->from_sa && options->max_hops,
		  "--from-sa has no hops that --max-hops could limit" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].is_wrong) {
			complain("%s", rules[i].message);
			return false;
		}
	return true;
}

/* For getopt_long(), from the rows: val is that of the row. Returns the letters. */
static const char *make_tables(struct option long_options[ROWS + 1])
{
	static char letters[2 * ROWS + 1];
	size_t length = 0, count = 0;

	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].kind == IS_HEADING)
			continue;
		long_options[count++] = (struct option){ rows[i].name + 2, rows[i].argument != NULL,
							 NULL, LONG_FIRST + (int)i };
		if (rows[i].letter)
			letters[length++] = rows[i].letter;
		if (rows[i].letter && rows[i].argument)
			letters[length++] = ':';
	}
	long_options[count] = (struct option){ 0 };
	return letters;
}

/* The row for a value of getopt_long(); NULL where getopt_long() has said what is wrong. */
static const struct row *row_of(int value)
{
	if (value >= LONG_FIRST)
		return &rows[value - LONG_FIRST];
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].letter && rows[i].letter == value)
			return &rows[i];
	return NULL;
}

/* The libraries come with the version, since only this project's have what the program uses. */
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
	struct option long_options[ROWS + 1];
	const char *letters = make_tables(long_options);
	int value;

	memset(options, 0, sizeof(*options));
	options->progress = isatty(STDERR_FILENO);
	while ((value = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
		const struct row *row = row_of(value);

		if (row && !strcmp(row->name, "--help")) {
			print_help();
			return OPTIONS_DONE;
		}
		if (row && !strcmp(row->name, "--version")) {
			print_version();
			return OPTIONS_DONE;
		}
		if (!row || !read_option(options, row))
			return OPTIONS_BAD;
	}
	if (options->thresholds && !strcmp(options->thresholds, "list")) {
		thresholds_list();
		return OPTIONS_DONE;
	}
	options->check |= options->thresholds || options->rises;
	if (argc - optind == 3 && !strcmp(argv[optind], "diff")) {
		options->older = argv[optind + 1];
		options->newer = argv[optind + 2];
	} else if (optind < argc) {
		complain(strcmp(argv[optind], "diff") != 0 ? "'%s' is no option; try --help"
							   : "%s takes two files",
			 argv[optind]);
		return OPTIONS_BAD;
	}
	return check_outputs(options) && check_together(options) ? OPTIONS_GOOD : OPTIONS_BAD;
}
