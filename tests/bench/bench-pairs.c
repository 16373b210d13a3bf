/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-pairs [-c CSV] [-r ROUNDS] BASE_LIBIBUMAD BASE_LIBIBMAD LIBIBUMAD LIBIBMAD
 *
 * Times the field codec and the formatters of two pairs of libraries in one process, and prints for
 * each function the median time a call of both, and the ratio second : first. A round is short, and
 * in each of them every function has its turn on one pair and, right after that, on the other. So
 * what else the machine does, and a clock that changes, hit both alike; the ratio is the median of
 * the rounds' ratios, shown with their quartiles. The columns are named for the use that
 * scripts/bench makes of them: the distribution's pair first, ours second. The time of a call
 * includes that of the loop around it, for both. Fails where the libraries can't be loaded, never
 * for being slow.
 */
#include "figures.h"
#include "works.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUND_NS	 100000
#define ROUNDS_DEFAULT	 2001
#define ROUNDS_MOST	 100001
#define CALIBRATION_RUNS 5
#define WORKS_MAX	 32

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Nanoseconds a call in one round. */
static double time_round(const struct work *work, const struct pair *pair, unsigned repeats)
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

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

static double median(double *values, unsigned count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

/* The median, and between what the middle half of the rounds lies. */
static struct ratio quartiles(double *ratios, unsigned count)
{
	double middle = median(ratios, count);

	return (struct ratio){ middle, ratios[count / 4], ratios[count * 3 / 4] };
}

/* A work, and what its rounds on each pair took. */
struct timing {
	const struct work *work;
	unsigned repeats;
	double *times[2];
	double *ratios;
};

static struct timing timings[WORKS_MAX];
static unsigned timing_count;

static double *new_values(unsigned count)
{
	double *values = calloc(count, sizeof(*values));

	if (!values) {
		perror("calloc");
		exit(EXIT_FAILURE);
	}
	return values;
}

static void add_works(const struct work *works, const struct pair *base, unsigned rounds)
{
	for (; works->name && timing_count < WORKS_MAX; works++)
		timings[timing_count++] = (struct timing){
			.work = works,
			.repeats = calibrate(works, base),
			.times = { new_values(rounds), new_values(rounds) },
			.ratios = new_values(rounds),
		};
}

static void run_round(const struct pair pairs[2], unsigned round)
{
	for (unsigned i = 0; i < timing_count; i++) {
		struct timing *timing = &timings[i];

		for (unsigned turn = 0; turn < 2; turn++) {
			unsigned which = (round + turn) % 2;

			timing->times[which][round] =
				time_round(timing->work, &pairs[which], timing->repeats);
		}
		timing->ratios[round] = timing->times[1][round] / timing->times[0][round];
	}
}

static void print(const struct timing *timing, unsigned rounds)
{
	struct ratio ratio = quartiles(timing->ratios, rounds);
	const struct work *work = timing->work;
	char figure[80];

	snprintf(figure, sizeof(figure), "%s, ns", work->name);
	figures_print(work->comparison, figure, median(timing->times[0], rounds),
		      median(timing->times[1], rounds), &ratio);
}

static void print_all(unsigned rounds)
{
	const char *comparison = "";

	for (unsigned i = 0; i < timing_count; i++) {
		if (strcmp(comparison, timings[i].work->comparison) != 0) {
			comparison = timings[i].work->comparison;
			figures_title(comparison, "distribution", "ours");
		}
		print(&timings[i], rounds);
		free(timings[i].times[0]);
		free(timings[i].times[1]);
		free(timings[i].ratios);
	}
}

static int usage(const char *program)
{
	fprintf(stderr,
		"usage: %s [-c CSV] [-r ROUNDS] LIBIBUMAD LIBIBMAD LIBIBUMAD LIBIBMAD\n"
		"ROUNDS: 1 to %d, default %d; the first pair is what the second is compared with\n",
		program, ROUNDS_MOST, ROUNDS_DEFAULT);
	return 2;
}

int main(int argc, char **argv)
{
	unsigned rounds = ROUNDS_DEFAULT;
	const char *csv = NULL;
	struct pair pairs[2];
	int option;

	while ((option = getopt(argc, argv, "c:r:")) != -1) {
		if (option == 'c')
			csv = optarg;
		else if (option == 'r')
			rounds = (unsigned)strtoul(optarg, NULL, 10);
		else
			return usage(argv[0]);
	}
	if (argc - optind != 4 || rounds < 1 || rounds > ROUNDS_MOST)
		return usage(argv[0]);
	for (int i = 0; i < 2; i++)
		pair_load(&pairs[i], argv[optind + 2 * i], argv[optind + 2 * i + 1], true);
	works_prepare(&pairs[0]);
	if (figures_open(csv))
		return EXIT_FAILURE;
	add_works(codec_works, &pairs[0], rounds);
	add_works(dump_works, &pairs[0], rounds);
	for (unsigned round = 0; round < rounds; round++)
		run_round(pairs, round);
	print_all(rounds);
	return figures_close() ? EXIT_FAILURE : EXIT_SUCCESS;
}
