/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Faults of a fabric, a line each: those of findings.c, and error counters above their thresholds,
 * or that have risen by more since an earlier sweep.
 */
#include <inttypes.h>
#include <string.h>

#include "sweep.h"

/* A line that begins when the first item is found. */
struct line {
	FILE *file;
	const struct mad_fabric_counter_row *row;
	const char *since; /* behind the port */
	bool begun;
};

static FILE *item(struct line *line)
{
	if (!line->begun) {
		fputs("! ", line->file);
		print_end(mad_fabric_row_port(line->row), line->file);
		fprintf(line->file, ":%s", line->since);
	}
	line->begun = true;
	return line->file;
}

static bool end_line(const struct line *line)
{
	if (line->begun)
		putc('\n', line->file);
	return line->begun;
}

static uint64_t rise_of(const struct mad_fabric_counter_row *rises, unsigned counter)
{
	uint64_t value;

	return mad_fabric_row_value(rises, counter, &value) < 0 ? 0 : value;
}

double error_rate(const struct mad_fabric_port *port, uint64_t errors, double seconds)
{
	double bits = 8.0 * (double)signal_bytes_per_second(port) * seconds;

	return errors >= ERRORS_OF_A_RATE && bits > 0 ? (double)errors / bits : 0;
}

/*
 * Prints the rates of wrong bits, before and after their correction, that are above their
 * thresholds; NULL: all. Without a time between the sweeps, since the clock was set back or less
 * than a second has passed, how many errors came is printed, where they are enough for a rate.
 */
static void print_bit_errors(struct line *line, const struct thresholds *thresholds, double seconds)
{
	static const enum mad_fabric_counter counters[] = {
		[RATE_SYMBOL] = MAD_FABRIC_COUNTER_SYMBOL_ERRORS,
		[RATE_EFFECTIVE] = MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS,
	};

	for (unsigned i = 0; i < RATES; i++) {
		uint64_t errors = rise_of(line->row, counters[i]);
		double rate = error_rate(mad_fabric_row_port(line->row), errors, seconds);

		if (rate > (thresholds ? thresholds->rates[i] : 0))
			fprintf(item(line), " %s %.1e", rate_names[i], rate);
		else if (thresholds && seconds <= 0 && errors >= ERRORS_OF_A_RATE)
			fprintf(item(line), " %s +%" PRIu64,
				mad_fabric_counter_get_kind(counters[i])->name, errors);
	}
}

/* Prints the counters of a row above their limits, a sign in front of each value. */
static void print_counters(struct line *line, const uint64_t *most, const char *sign,
			   bool with_rates)
{
	uint64_t value;
	double rate;

	for (unsigned i = 0; i < counter_count(); i++) {
		int flags = mad_fabric_row_value(line->row, i, &value);

		if (flags < 0 || value <= most[i])
			continue;
		fprintf(item(line), " %s %s%s%" PRIu64, mad_fabric_counter_get_kind(i)->name,
			flags & MAD_FABRIC_VALUE_SATURATED ? "at least " : "", sign, value);
		if (with_rates && mad_fabric_row_rate(line->row, i, &rate) >= 0)
			fprintf(line->file, " (%.2f/s)", rate);
	}
}

/* Links that went down since the earlier sweep, few as they are, or carried too many wrong bits. */
static bool print_since(const struct mad_fabric_counter_row *rises,
			const struct thresholds *thresholds, double seconds, FILE *file)
{
	uint64_t downed = rise_of(rises, MAD_FABRIC_COUNTER_LINK_DOWNED);
	char since[32] = " since then:";
	struct line line = { .file = file, .row = rises, .since = since };

	if (seconds > 0)
		snprintf(since, sizeof(since), " in %.0f s:", seconds);
	if (downed)
		fprintf(item(&line), " LinkDownedCounter +%" PRIu64, downed);
	print_bit_errors(&line, thresholds, seconds);
	return end_line(&line);
}

size_t check_rises(const struct mad_fabric_counters *older, const struct mad_fabric_counters *newer,
		   const struct thresholds *thresholds, FILE *file)
{
	struct mad_fabric_counters *rises = mad_fabric_counters_subtract(older, newer);
	struct line line = { .file = file, .since = "" };
	uint64_t none[COUNTERS_MAX];
	size_t count = 0;

	for (unsigned i = 0; i < counter_count(); i++)
		none[i] = mad_fabric_counter_get_kind(i)->is_error ? 0 : UINT64_MAX;
	while (rises && (line.row = mad_fabric_counters_next(rises, line.row))) {
		double seconds = (double)mad_fabric_row_time_ns(line.row) / 1e9;

		line.begun = false;
		print_counters(&line, thresholds ? thresholds->rises : none, "+", !thresholds);
		if (!thresholds && line.begun)
			print_bit_errors(&line, NULL, seconds);
		count += end_line(&line);
	}
	mad_fabric_counters_free(rises);
	return count;
}

size_t check_worse(const struct state *before, const struct state *now,
		   const struct thresholds *thresholds, bool with_ended, FILE *file)
{
	size_t count = findings_compare(before->fabric, now->fabric, thresholds, with_ended, file);

	if (before->counters && now->counters)
		count += check_rises(before->counters, now->counters, thresholds, file);
	return count;
}

size_t check_print(const struct sweep *sweep, const struct thresholds *thresholds,
		   const struct state *before, FILE *file)
{
	const struct mad_fabric_counter_row *row = NULL, *rise = NULL;
	double seconds = (double)(sweep->counters_time - before->counters_time);
	struct mad_fabric_counters *rises = NULL;
	size_t count = findings_print(sweep->fabric, thresholds, file);

	if (sweep->counters && before->counters && before->counters_time)
		rises = mad_fabric_counters_subtract(before->counters, sweep->counters);
	if (rises)
		rise = mad_fabric_counters_next(rises, NULL);
	while (sweep->counters && (row = mad_fabric_counters_next(sweep->counters, row))) {
		struct line line = { .file = file, .row = row, .since = "" };

		print_counters(&line, thresholds->most, "", false);
		count += end_line(&line);
		if (!rise || mad_fabric_row_port(rise) != mad_fabric_row_port(row))
			continue;
		count += print_since(rise, thresholds, seconds, file);
		rise = mad_fabric_counters_next(rises, rise);
	}
	mad_fabric_counters_free(rises);
	return count;
}
