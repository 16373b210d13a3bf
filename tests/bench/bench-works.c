/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-works LIBIBUMAD LIBIBMAD: makes each of the works of one pair once between marks (marks.h),
 * to be counted, and reads the first and the last fields of the table, as "few" and "many".
 *
 * bench-works ROUNDS LIBIBUMAD LIBIBMAD LIBIBUMAD LIBIBMAD: times the works of two pairs in one
 * process, and prints for each work and round its comparison, its name and the nanoseconds a call
 * of both. A round is short, and in each of them every work has its turn on one pair and, right
 * after that, on the other. So what else the machine does, and a clock that changes, hit both
 * alike. The time of a call includes that of the loop around it, for both.
 */
#include "marks.h"
#include "works.h"

#include <stdlib.h>
#include <time.h>

#define SOME		 64 /* fields from either end of the table */
#define ROUND_NS	 100000
#define CALIBRATION_RUNS 5
#define WORKS_MAX	 16

static void mark_works(const struct work *works, const struct pair *pair)
{
	for (; works->name; works++) {
		unsigned calls = works->make(pair, works->order);

		if (works->order == RANDOM_ORDER)
			continue;
		mark_begin(works->name, calls);
		works->make(pair, works->order);
		mark_end();
	}
}

static void mark_growth(const struct pair *pair, const char *name, const struct work_field *fields)
{
	static uint8_t attribute[LARGEST];
	uint64_t sum = 0;

	mark_begin(name, SOME);
	for (unsigned i = 0; i < SOME; i++)
		sum += pair->mad_get_field(attribute, 0, fields[i].id);
	mark_end();
	work_sink = sum;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Nanoseconds a call. */
static double time_work(const struct work *work, const struct pair *pair, unsigned repeats)
{
	double start = now_ns();
	unsigned calls = 0;

	for (unsigned i = 0; i < repeats; i++)
		calls += work->make(pair, work->order);
	return (now_ns() - start) / calls;
}

/* How often a work has to be repeated to fill a round. */
static unsigned calibrate(const struct work *work, const struct pair *pair)
{
	double shortest = ROUND_NS;

	for (unsigned i = 0; i < CALIBRATION_RUNS; i++) {
		double start = now_ns(), took;

		work->make(pair, work->order);
		took = now_ns() - start;
		if (took < shortest)
			shortest = took;
	}
	return 1 + (unsigned)(ROUND_NS / (shortest + 1));
}

static void time_works(const struct work *works, const struct pair pairs[2], unsigned round)
{
	static unsigned repeats[2][WORKS_MAX];
	unsigned *repeated = repeats[works == dump_works];
	double took[2];

	for (; works->name; works++, repeated++) {
		if (!*repeated)
			*repeated = calibrate(works, &pairs[0]);
		for (unsigned turn = 0; turn < 2; turn++) {
			unsigned which = (round + turn) % 2;

			took[which] = time_work(works, &pairs[which], *repeated);
		}
		printf("%s\t%s\t%g\t%g\n", works->comparison, works->name, took[0], took[1]);
	}
}

static int time_pairs(unsigned rounds, char **libraries)
{
	struct pair pairs[2];

	for (int i = 0; i < 2; i++)
		pair_load(&pairs[i], libraries[2 * i], libraries[2 * i + 1], true);
	works_prepare(&pairs[0]);
	for (unsigned round = 0; round < rounds; round++) {
		time_works(codec_works, pairs, round);
		time_works(dump_works, pairs, round);
	}
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct pair pair;

	if (argc == 6)
		return time_pairs((unsigned)strtoul(argv[1], NULL, 10), argv + 2);
	if (argc != 3) {
		fprintf(stderr, "usage: %s [ROUNDS LIBIBUMAD LIBIBMAD] LIBIBUMAD LIBIBMAD\n",
			argv[0]);
		return 2;
	}
	pair_load(&pair, argv[1], argv[2], false);
	works_prepare(&pair);
	mark_works(codec_works, &pair);
	mark_works(dump_works, &pair);
	if (work_narrow.count < 2 * SOME) {
		fprintf(stderr, "%u fields of up to 32 bits\n", work_narrow.count);
		return EXIT_FAILURE;
	}
	mark_growth(&pair, "few", work_narrow.fields);
	mark_growth(&pair, "many", work_narrow.fields + work_narrow.count - SOME);
	return EXIT_SUCCESS;
}
