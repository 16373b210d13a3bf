/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See figures.h. */
#include "figures.h"

#include <errno.h>
#include <string.h>

typedef double figure_fn(const struct sample *sample);

static FILE *csv;
static char titles[2][40]; /* of the two columns */

void meter_start(struct meter *meter)
{
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &meter->cpu);
	clock_gettime(CLOCK_MONOTONIC, &meter->wall);
}

static double since(const struct timespec *start, const struct timespec *end)
{
	return (double)(end->tv_sec - start->tv_sec) +
	       (double)(end->tv_nsec - start->tv_nsec) / 1e9;
}

struct sample meter_stop(const struct meter *meter, unsigned requests)
{
	struct meter end;

	clock_gettime(CLOCK_MONOTONIC, &end.wall);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end.cpu);
	return (struct sample){
		.seconds = since(&meter->wall, &end.wall),
		.cpu = since(&meter->cpu, &end.cpu),
		.requests = requests,
	};
}

static double rate_of(const struct sample *sample)
{
	return sample->requests / sample->seconds;
}

static double cpu_of(const struct sample *sample)
{
	return sample->cpu / sample->requests * 1e6;
}

/* The best of a figure: the largest rate, or the smallest cost. */
static double best_of(const struct sample *samples, unsigned rounds, figure_fn *figure)
{
	double best = figure(&samples[0]);

	for (unsigned i = 1; i < rounds; i++) {
		double another = figure(&samples[i]);

		if (figure == rate_of ? another > best : another < best)
			best = another;
	}
	return best;
}

/* The least and the most of the rounds' own ratios. */
static struct ratio spread_of(const struct comparison *comparison, figure_fn *figure)
{
	struct ratio spread = { 0 };

	for (unsigned i = 0; i < comparison->rounds; i++) {
		double base = figure(&comparison->base[i]);
		double ratio = base > 0 ? figure(&comparison->other[i]) / base : 0;

		if (i == 0 || ratio < spread.low)
			spread.low = ratio;
		if (i == 0 || ratio > spread.high)
			spread.high = ratio;
	}
	return spread;
}

/* The limits, and whether they are met, are figures.py's. */
void figures_print(const char *what, const char *unit, double base, double other,
		   const struct ratio *ratio)
{
	char spread[40] = "";

	if (ratio->low > 0)
		snprintf(spread, sizeof(spread), "%.3f to %.3f", ratio->low, ratio->high);
	printf("  %-42s %12.2f %12.2f %9.3f  %s\n", unit, base, other, ratio->middle, spread);
	if (!csv)
		return;
	fprintf(csv, "\"%s\",\"%s\",%.6g,%.6g,%.6g,,", what, unit, base, other, ratio->middle);
	if (ratio->low > 0)
		fprintf(csv, "%.6g,%.6g,", ratio->low, ratio->high);
	else
		fprintf(csv, ",,");
	fprintf(csv, "\"%s\",\"%s\"\n", titles[0], titles[1]);
}

static void report(const struct comparison *comparison, const char *unit, figure_fn *figure)
{
	double base = best_of(comparison->base, comparison->rounds, figure);
	double other = best_of(comparison->other, comparison->rounds, figure);
	struct ratio ratio = spread_of(comparison, figure);

	ratio.middle = base > 0 ? other / base : 0;
	figures_print(comparison->what, unit, base, other, &ratio);
}

void figures_compare(const struct comparison *comparison, const char *base, const char *other)
{
	figures_title(comparison->what, base, other);
	report(comparison, "requests a second", rate_of);
	report(comparison, "CPU a request, us", cpu_of);
}

void figures_title(const char *what, const char *base, const char *other)
{
	printf("\n%s\n  %-42s %12s %12s %9s  %s\n", what, "", base, other, "ratio", "spread");
	snprintf(titles[0], sizeof(titles[0]), "%s", base);
	snprintf(titles[1], sizeof(titles[1]), "%s", other);
}

int figures_open(const char *path)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!path)
		return 0;
	csv = fopen(path, "w");
	if (!csv) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	fprintf(csv, "comparison,figure,base,other,ratio,target,low,high,first,second\n");
	return 0;
}

int figures_close(void)
{
	if (csv && fclose(csv)) {
		perror("CSV");
		return -1;
	}
	return 0;
}
