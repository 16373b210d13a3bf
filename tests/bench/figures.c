/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See figures.h. */
#include "figures.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef double figure_fn(const struct sample *sample);

static int instruction_counter = -1;
static FILE *csv;
static char titles[2][40]; /* of the two columns */

static void open_instruction_counter(void)
{
	struct perf_event_attr attributes = {
		.size = sizeof(attributes),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = 1,
	};

	instruction_counter = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

static uint64_t count_instructions(void)
{
	uint64_t count = 0;

	if (instruction_counter < 0 ||
	    read(instruction_counter, &count, sizeof(count)) != sizeof(count))
		return 0;
	return count;
}

void meter_start(struct meter *meter)
{
	meter->instructions = count_instructions();
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
	end.instructions = count_instructions();
	return (struct sample){
		.seconds = since(&meter->wall, &end.wall),
		.cpu = since(&meter->cpu, &end.cpu),
		.instructions = (double)(end.instructions - meter->instructions),
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

static double instructions_of(const struct sample *sample)
{
	return sample->instructions / sample->requests;
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

static void print_figure(const char *what, const char *unit, double base, double other,
			 const struct ratio *ratio, const char *verdict)
{
	char spread[40] = "";

	if (ratio->low > 0)
		snprintf(spread, sizeof(spread), "%.3f to %.3f", ratio->low, ratio->high);
	printf("  %-42s %12.2f %12.2f %9.3f  %-16s %s\n", unit, base, other, ratio->middle, spread,
	       verdict);
	if (!csv)
		return;
	fprintf(csv, "\"%s\",\"%s\",%.6g,%.6g,%.6g,%s,", what, unit, base, other, ratio->middle,
		verdict);
	if (ratio->low > 0)
		fprintf(csv, "%.6g,%.6g,", ratio->low, ratio->high);
	else
		fprintf(csv, ",,");
	fprintf(csv, "\"%s\",\"%s\"\n", titles[0], titles[1]);
}

enum aim { NONE, AT_LEAST, AT_MOST };

static const char *const aims[] = { [NONE] = "", [AT_LEAST] = "at least", [AT_MOST] = "at most" };

static void report(const struct comparison *comparison, const char *unit, figure_fn *figure,
		   enum aim aim, double target)
{
	double base = best_of(comparison->base, comparison->rounds, figure);
	double other = best_of(comparison->other, comparison->rounds, figure);
	struct ratio ratio = spread_of(comparison, figure);
	bool met;
	char verdict[40] = "";

	ratio.middle = base > 0 ? other / base : 0;
	met = aim == AT_LEAST ? ratio.middle >= target : ratio.middle <= target;
	if (aim != NONE)
		snprintf(verdict, sizeof(verdict), "%s %.4g: %s", aims[aim], target,
			 met ? "met" : "missed");
	print_figure(comparison->what, unit, base, other, &ratio, verdict);
}

void figures_compare(const struct comparison *comparison, double rate_target, double cost_target)
{
	report(comparison, "requests a second", rate_of, rate_target ? AT_LEAST : NONE,
	       rate_target);
	report(comparison, "CPU a request, us", cpu_of, cost_target ? AT_MOST : NONE, cost_target);
	if (instruction_counter >= 0)
		report(comparison, "instructions in user mode a request", instructions_of, NONE, 0);
}

void figures_print_ratio(const char *what, const char *unit, double base, double other,
			 const struct ratio *ratio)
{
	print_figure(what, unit, base, other, ratio, "");
}

void figures_print(const char *what, const char *unit, double base, double other)
{
	struct ratio ratio = { .middle = other / base };

	figures_print_ratio(what, unit, base, other, &ratio);
}

void figures_title(const char *what, const char *base, const char *other)
{
	printf("\n%s\n  %-42s %12s %12s %9s  %s\n", what, "", base, other, "ratio", "spread");
	snprintf(titles[0], sizeof(titles[0]), "%s", base);
	snprintf(titles[1], sizeof(titles[1]), "%s", other);
}

int figures_open(const char *path)
{
	open_instruction_counter();
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
