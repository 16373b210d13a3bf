/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-pairs [-c CSV] [-r ROUNDS] BASE_LIBIBUMAD BASE_LIBIBMAD LIBIBUMAD LIBIBMAD
 *
 * Times the field codec and the formatters of two pairs of libraries in one process, and prints for
 * each function the median time a call of both and the ratio second : first. The pairs take turns
 * round by round, and a round is short: what else the machine does hits both, and spoils few
 * rounds. The time of a call includes that of the loop around it, about 1 ns, for both. Fails where
 * the libraries can't be loaded, never for being slow.
 */
#include "figures.h"
#include "works.h"

#include <stdlib.h>
#include <unistd.h>

#define ROUND_NS	 100000
#define ROUNDS_DEFAULT	 501
#define ROUNDS_MOST	 100001
#define CALIBRATION_RUNS 5

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
		calls += work->make(pair);
	return (now_ns() - start) / calls;
}

/* How often a work has to be repeated to fill a round. */
static unsigned calibrate(const struct work *work, const struct pair *pair)
{
	double shortest = ROUND_NS;

	for (unsigned i = 0; i < CALIBRATION_RUNS; i++) {
		double start = now_ns(), took;

		work->make(pair);
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

static void measure(const struct work *work, const struct pair pairs[2], unsigned rounds,
		    double *times[2])
{
	unsigned repeats = calibrate(work, &pairs[0]);
	char figure[80];

	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned turn = 0; turn < 2; turn++) {
			unsigned which = (round + turn) % 2;

			times[which][round] = time_round(work, &pairs[which], repeats);
		}
	}
	snprintf(figure, sizeof(figure), "%s, ns", work->name);
	figures_print(work->comparison, figure, median(times[0], rounds), median(times[1], rounds));
}

static void measure_all(const struct work *works, const struct pair pairs[2], unsigned rounds,
			double *times[2])
{
	figures_title(works->comparison, "first", "second");
	for (; works->name; works++)
		measure(works, pairs, rounds, times);
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
	double *times[2];
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
	for (int i = 0; i < 2; i++) {
		pair_load(&pairs[i], argv[optind + 2 * i], argv[optind + 2 * i + 1], true);
		times[i] = calloc(rounds, sizeof(double));
		if (!times[i]) {
			perror("calloc");
			return EXIT_FAILURE;
		}
	}
	works_prepare(&pairs[0]);
	if (figures_open(csv))
		return EXIT_FAILURE;
	measure_all(codec_works, pairs, rounds, times);
	measure_all(dump_works, pairs, rounds, times);
	free(times[0]);
	free(times[1]);
	return figures_close() ? EXIT_FAILURE : EXIT_SUCCESS;
}
