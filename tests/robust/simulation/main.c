/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * simulate [--first N] [--count N] [--seconds S] [--step N] [--rules NAME,...] [--stop]
 *	runs seed after seed and prints what they find: FOUND, the rule, the seed, its steps, what
 *	happened there. --rules: only these count. --stop: at the first seed that fails.
 * simulate --log SEED		replays a seed, and prints who did what when
 * simulate --list FILE		runs the seeds that the lines of a file begin with
 * simulate --traces FILE	prints a hash of all that happened in each of these
 * simulate --cases [PATTERN]	runs rows of umad.tbl on the simulated kernel, or, as requests/ROW,
 *				of requests.tbl
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "invariants.h"
#include "requests.h"
#include "run.h"
#include "scheduler.h"

enum { ENOUGH_SEEDS = 100 }; /* seeds that get at least as many responses */

static struct {
	uint64_t first;
	uint64_t count;
	uint64_t step;
	uint64_t seconds;
	const char *rules; /* "a,b", or NULL for all */
	bool stop;
} options = { .first = 1, .count = UINT64_MAX, .step = 1 };

static uint64_t steps, failed, seeds, responses;

/* Whether the rule is one of those that count. */
static bool counts(const struct sim_finding *finding)
{
	size_t length = strlen(finding->rule);

	for (const char *at = options.rules; at; at = strchr(at, ','), at += at != NULL)
		if (!strncmp(at, finding->rule, length) && (at[length] == ',' || !at[length]))
			return true;
	return !options.rules;
}

/* Returns whether all that counts held. */
static bool run(uint64_t seed)
{
	bool held = true;

	sim_run_seed(seed);
	steps += sim.steps;
	for (SIM_EACH_REQUEST(request))
		responses += request->got_response;
	seeds++;
	for (unsigned i = 0; i < sim_finding_count; i++) {
		if (!counts(&sim_findings[i]))
			continue;
		printf("FOUND %-22s seed %" PRIu64 ", %" PRIu64 " steps: %s\n",
		       sim_findings[i].rule, seed, sim.steps, sim_findings[i].text);
		held = false;
	}
	failed += !held;
	return held;
}

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Speed is that of the processor, which others may use as well. */
static int report(double took)
{
	printf("RAN %" PRIu64 " seeds, %" PRIu64 " failed, %" PRIu64
	       " steps each, %.0f seeds a second of processor time, %.1f s\n",
	       seeds, failed, seeds ? steps / seeds : 0,
	       (double)seeds / now(CLOCK_PROCESS_CPUTIME_ID), took);
	if (seeds >= ENOUGH_SEEDS && responses < seeds) {
		printf("%" PRIu64 " requests got a response: too few\n", responses);
		return EXIT_FAILURE;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run_many(void)
{
	double began = now(CLOCK_MONOTONIC);

	for (uint64_t i = 0; i < options.count; i++) {
		if (!run(options.first + i * options.step) && options.stop)
			break;
		if (options.seconds && i % 32 == 0 &&
		    now(CLOCK_MONOTONIC) - began > (double)options.seconds)
			break;
	}
	return report(now(CLOCK_MONOTONIC) - began);
}

static int replay(uint64_t seed)
{
	sim_logs = true;
	printf("simulated ms since the start, number and role of a thread, what it does or "
	       "meets\n");
	run(seed);
	printf("seed %" PRIu64 ": %" PRIu64 " steps, %.3f ms, trace %016" PRIx64 ": %s\n", seed,
	       sim.steps, (double)(sim.now - sim.started) / SIM_MS, sim.trace,
	       failed ? "FAILED" : "everything held");
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A line begins with a seed; the rest is for readers. # begins a comment. */
static int run_list(const char *path, bool traces)
{
	FILE *file = fopen(path, "r");
	double began = now(CLOCK_MONOTONIC);
	char line[512];
	uint64_t seed;

	if (!file) {
		perror(path);
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNu64, &seed) != 1)
			continue;
		if (!run(seed) && !traces)
			printf("seed %s", line);
		if (traces)
			printf("%016" PRIx64 "\n", sim.trace);
	}
	fclose(file);
	return traces ? EXIT_SUCCESS : report(now(CLOCK_MONOTONIC) - began);
}

static int run_cases(const char *pattern)
{
	sim_run_cases(pattern ? pattern : "*");
	for (unsigned i = 0; i < sim_finding_count; i++)
		printf("%s\n", sim_findings[i].text);
	return sim_finding_count ? EXIT_FAILURE : EXIT_SUCCESS;
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 0);

	if (!*text || *end) {
		fprintf(stderr, "simulate: %s is no number\n", text);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	static const struct option names[] = {
		{ "first", required_argument, NULL, 'f' },
		{ "count", required_argument, NULL, 'n' },
		{ "step", required_argument, NULL, 'i' },
		{ "seconds", required_argument, NULL, 's' },
		{ "rules", required_argument, NULL, 'r' },
		{ "stop", no_argument, NULL, 'e' },
		{ "log", required_argument, NULL, 'g' },
		{ "list", required_argument, NULL, 'l' },
		{ "traces", required_argument, NULL, 't' },
		{ "cases", no_argument, NULL, 'c' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	sim_prepare();
	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (option) {
		case 'f':
			options.first = number(optarg);
			break;
		case 'n':
			options.count = number(optarg);
			break;
		case 'i':
			options.step = number(optarg);
			break;
		case 's':
			options.seconds = number(optarg);
			break;
		case 'r':
			options.rules = optarg;
			break;
		case 'e':
			options.stop = true;
			break;
		case 'g':
			return replay(number(optarg));
		case 'l':
		case 't':
			return run_list(optarg, option == 't');
		case 'c':
			return run_cases(argv[optind]);
		default:
			return 2;
		}
	}
	if (options.count == UINT64_MAX && !options.seconds && !options.stop) {
		fprintf(stderr, "simulate: an option must say how long\n");
		return 2;
	}
	return run_many();
}
