/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * simulate [--first N] [--count N] [--seconds S] [--step N] [--rules NAME,...] [--stop]
 *	runs seed after seed and prints what each rule found: FOUND, the rule, how many seeds, the
 *	one with the fewest steps, its steps, what happened there. --rules: only these count.
 *	--stop: at the first seed that fails.
 * simulate --log SEED		replays a seed, and prints who did what when
 * simulate --list FILE		runs the seeds that the lines of a file begin with
 * simulate --traces FILE	prints a hash of all that happened in each of these
 * simulate --cases [PATTERN]	runs rows of umad.tbl on the simulated kernel, or, as requests/ROW,
 *				of requests.tbl
 */
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

/* ENOUGH_SEEDS: so many have at least as many responses. */
enum { RULES = 64, ENOUGH_SEEDS = 100 };

/* Findings of a rule so far. */
struct rule {
	const char *name;
	unsigned seeds;
	uint64_t shortest; /* the seed with the fewest steps */
	uint64_t steps;
	char text[sizeof(sim_findings[0].text)];
};

static struct {
	uint64_t first;
	uint64_t count;
	uint64_t step;
	uint64_t seconds;
	const char *rules; /* "a,b", or NULL for all */
	bool stop;
} options = { .first = 1, .count = UINT64_MAX, .step = 1 };

static struct rule rules[RULES];
static unsigned rule_count;
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

static struct rule *rule_of(const struct sim_finding *finding)
{
	for (unsigned i = 0; i < rule_count; i++)
		if (!strcmp(rules[i].name, finding->rule))
			return &rules[i];
	if (rule_count == RULES)
		exit(EXIT_FAILURE);
	rules[rule_count].name = strdup(finding->rule);
	return &rules[rule_count++];
}

static void note(uint64_t seed, const struct sim_finding *finding)
{
	struct rule *rule = rule_of(finding);

	if (rule->seeds++ && sim.steps >= rule->steps)
		return;
	rule->shortest = seed;
	rule->steps = sim.steps;
	memcpy(rule->text, finding->text, sizeof(rule->text));
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
		note(seed, &sim_findings[i]);
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
	double used = now(CLOCK_PROCESS_CPUTIME_ID);

	printf("RAN %" PRIu64 " seeds, %" PRIu64 " failed, %" PRIu64
	       " steps each, %.0f seeds a second of processor time, "
	       "%.1f s\n",
	       seeds, failed, seeds ? steps / seeds : 0, (double)seeds / used, took);
	for (unsigned i = 0; i < rule_count; i++)
		printf("FOUND %-22s %7u seeds, %" PRIu64 " with %" PRIu64 " steps: %s\n",
		       rules[i].name, rules[i].seeds, rules[i].shortest, rules[i].steps,
		       rules[i].text);
	if (seeds >= ENOUGH_SEEDS && responses < seeds) {
		printf("FOUND few-responses: %" PRIu64 " requests got one\n", responses);
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
	for (unsigned i = 0; i < sim_finding_count; i++)
		printf("FOUND %s: %s\n", sim_findings[i].rule, sim_findings[i].text);
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
	sim_run_cases(pattern);
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

/* Options that set a number. The options of do_instead() do not run seed after seed. */
static const struct {
	const char *name;
	uint64_t *number;
} numbers[] = { { "--first", &options.first },
		{ "--count", &options.count },
		{ "--seconds", &options.seconds },
		{ "--step", &options.step } };

static bool set_number(const char *name, const char *value)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(name, numbers[i].name) != 0)
			continue;
		*numbers[i].number = number(value);
		return true;
	}
	return false;
}

static int do_instead(const char *what, const char *value)
{
	if (!strcmp(what, "--log"))
		return replay(number(value));
	if (!strcmp(what, "--list") || !strcmp(what, "--traces"))
		return run_list(value, !strcmp(what, "--traces"));
	fprintf(stderr, "simulate: --count, --seconds, --log, --list, --traces or --cases\n");
	return 2;
}

int main(int argc, char **argv)
{
	sim_prepare();
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (!strcmp(argv[i], "--cases"))
			return run_cases(*value ? value : "*");
		if (!strcmp(argv[i], "--stop")) {
			options.stop = true;
			continue;
		}
		if (!strcmp(argv[i], "--rules"))
			options.rules = value;
		else if (!set_number(argv[i], value))
			return do_instead(argv[i], value);
		i++;
	}
	if (options.count == UINT64_MAX && !options.seconds && !options.stop)
		return do_instead("", "");
	return run_many();
}
