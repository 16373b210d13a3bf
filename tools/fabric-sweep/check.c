/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What is wrong with a fabric, a line each: problems of the discovery, links below what both ends
 * are enabled for, and error counters above their thresholds.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

#define MOST_OF_LINK	10    /* what a good link has none of */
#define MOST_OF_TRAFFIC 100   /* what also comes from routing, reboots and congestion */
#define MOST_OF_BITS	1e-12 /* wrong ones: what the specification allows a link */

static void set_defaults(struct thresholds *thresholds)
{
	memset(thresholds, 0, sizeof(*thresholds));
	for (unsigned i = 0; i < counter_count(); i++)
		thresholds->most[i] =
			mad_fabric_counter_get_kind(i)->is_error ? MOST_OF_LINK : UINT64_MAX;
	thresholds->most[MAD_FABRIC_COUNTER_RCV_REMOTE_PHYSICAL_ERRORS] = MOST_OF_TRAFFIC;
	thresholds->most[MAD_FABRIC_COUNTER_RCV_SWITCH_RELAY_ERRORS] = MOST_OF_TRAFFIC;
	thresholds->most[MAD_FABRIC_COUNTER_XMIT_DISCARDS] = MOST_OF_TRAFFIC;
	thresholds->most[MAD_FABRIC_COUNTER_XMIT_CONSTRAINT_ERRORS] = MOST_OF_TRAFFIC;
	thresholds->most[MAD_FABRIC_COUNTER_RCV_CONSTRAINT_ERRORS] = MOST_OF_TRAFFIC;
	thresholds->most[MAD_FABRIC_COUNTER_VL15_DROPPED] = MOST_OF_TRAFFIC;
	thresholds->most[MAD_FABRIC_COUNTER_QP1_DROPPED] = MOST_OF_TRAFFIC;
	thresholds->symbol_rate = MOST_OF_BITS;
	thresholds->effective_rate = MOST_OF_BITS;
}

static double *rate_of(struct thresholds *thresholds, const char *name)
{
	if (!strcmp(name, "SymbolBER"))
		return &thresholds->symbol_rate;
	return strcmp(name, "EffectiveBER") != 0 ? NULL : &thresholds->effective_rate;
}

/* The number of a counter; counter_count() where none has that name. */
static unsigned find_counter(const char *name)
{
	unsigned i = 0;

	while (i < counter_count() && strcmp(mad_fabric_counter_get_kind(i)->name, name) != 0)
		i++;
	return i;
}

static bool set_threshold(struct thresholds *thresholds, const char *name, const char *value)
{
	double *rate = rate_of(thresholds, name);
	unsigned counter = find_counter(name);
	bool *given = rate ? &thresholds->rate_given[rate == &thresholds->effective_rate]
			   : &thresholds->given[counter];
	char *end = NULL;

	errno = 0;
	if (*value < '0' || *value > '9' || (!rate && counter == counter_count()) || *given)
		return false;
	*given = true;
	if (rate)
		*rate = strtod(value, &end);
	else
		thresholds->most[counter] = strtoull(value, &end, 10);
	return !*end && (rate || !errno);
}

#define BLANKS " \t\r\n"

/* "Counter=number", as ibqueryerrors reads it, with blanks around it; "#" begins a comment. */
static bool take_line(struct thresholds *thresholds, char *line)
{
	char *name, *value, *rest;

	line[strcspn(line, "#")] = '\0';
	name = strtok_r(line, BLANKS, &rest);
	if (!name)
		return true;
	value = strchr(name, '=');
	if (!value || strtok_r(NULL, BLANKS, &rest))
		return false;
	*value = '\0';
	return set_threshold(thresholds, name, value + 1);
}

/* Takes all lines; returns the number of the first that is wrong, 0: none is. */
static unsigned take_lines(struct thresholds *thresholds, FILE *file)
{
	unsigned number = 0, wrong = 0;
	size_t size = 0;
	char *line = NULL;
	ssize_t length;

	while (!wrong && (length = getline(&line, &size, file)) >= 0) {
		number++;
		/* A byte of 0 would hide the rest of the line. */
		if (strlen(line) != (size_t)length || !take_line(thresholds, line))
			wrong = number;
	}
	free(line);
	return wrong;
}

bool thresholds_read(struct thresholds *thresholds, const char *name)
{
	FILE *file;
	unsigned wrong;
	bool good;

	set_defaults(thresholds);
	if (!name)
		return true;
	file = fopen(name, "re");
	wrong = file ? take_lines(thresholds, file) : 0;
	good = file && !ferror(file) && !wrong;
	if (wrong)
		complain("--thresholds: %s: line %u is not COUNTER=NUMBER, of a counter that no "
			 "other line has; '--thresholds list' names all counters",
			 name, wrong);
	else if (!good)
		complain("--thresholds: %s: %s", name, strerror(errno));
	if (file)
		fclose(file);
	return good;
}

void thresholds_list(void)
{
	struct thresholds thresholds;

	set_defaults(&thresholds);
	for (unsigned i = 0; i < counter_count(); i++) {
		const char *name = mad_fabric_counter_get_kind(i)->name;

		if (thresholds.most[i] == UINT64_MAX)
			printf("# %s: not checked\n", name);
		else
			printf("%s=%" PRIu64 "\n", name, thresholds.most[i]);
	}
	printf("SymbolBER=%g\nEffectiveBER=%g\n", thresholds.symbol_rate,
	       thresholds.effective_rate);
}

static size_t check_links(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_port *link = NULL;
	char rate[16];
	size_t count = 0;

	while ((link = mad_fabric_next_link(fabric, link))) {
		if (!is_degraded(link))
			continue;
		count++;
		format_rate(link, rate);
		fputs("! ", file);
		print_end(link, file);
		fputs(" - ", file);
		print_end(link->peer, file);
		fprintf(file, ": %s, slower or narrower than both ends allow\n", rate);
	}
	return count;
}

/* Both ends of a link have one mode of FEC; from HDR on there is no link without. */
static size_t check_fec(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_port *link = NULL;
	size_t count = 0;

	while ((link = mad_fabric_next_link(fabric, link))) {
		const struct mad_fabric_port *peer = link->peer;

		if (!link->has_fec || !peer->has_fec ||
		    (link->fec_mode == peer->fec_mode &&
		     (link->fec_mode || link->speed < MAD_FABRIC_SPEED_HDR)))
			continue;
		count++;
		fputs("! ", file);
		print_end(link, file);
		fputs(" - ", file);
		print_end(peer, file);
		fprintf(file, ": FEC modes %u (%s) and %u (%s)\n", link->fec_mode,
			mad_fec_name(link->fec_mode), peer->fec_mode, mad_fec_name(peer->fec_mode));
	}
	return count;
}

static uint64_t rise_of(const struct mad_fabric_counter_row *rises, unsigned counter)
{
	uint64_t value;

	return mad_fabric_row_value(rises, counter, &value) < 0 ? 0 : value;
}

/*
 * Prints the rate of wrong bits if it is above its threshold; or, where the clock has no time
 * between the sweeps since it was set back or less than a second has passed, how many errors came,
 * if they are enough for a rate. Returns whether it has printed anything.
 */
static bool check_rate(const struct mad_fabric_counter_row *rises, unsigned counter,
		       const char *name, double most, double seconds, FILE *file)
{
	uint64_t errors = rise_of(rises, counter);
	double rate = error_rate(mad_fabric_row_port(rises), errors, seconds);
	bool counts = seconds <= 0 && errors >= ERRORS_OF_A_RATE;

	if (rate > most)
		fprintf(file, " %s %.1e", name, rate);
	else if (counts)
		fprintf(file, " %s +%" PRIu64, mad_fabric_counter_get_kind(counter)->name, errors);
	return rate > most || counts;
}

/* Prints all rises of a port that are too many, each after a blank; returns whether any is. */
static bool check_rises(const struct mad_fabric_counter_row *rises,
			const struct thresholds *thresholds, double seconds, FILE *file)
{
	uint64_t downed = rise_of(rises, MAD_FABRIC_COUNTER_LINK_DOWNED);
	bool found = downed;

	if (downed)
		fprintf(file, " LinkDownedCounter +%" PRIu64, downed);
	found |= check_rate(rises, MAD_FABRIC_COUNTER_SYMBOL_ERRORS, "SymbolBER",
			    thresholds->symbol_rate, seconds, file);
	found |= check_rate(rises, MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS, "EffectiveBER",
			    thresholds->effective_rate, seconds, file);
	return found;
}

/* Returns whether links went down since the earlier sweep, or carried too many wrong bits. */
static bool print_rises(const struct mad_fabric_counter_row *rises,
			const struct thresholds *thresholds, double seconds, FILE *file)
{
	char text[256] = "";
	FILE *memory = fmemopen(text, sizeof(text), "w");
	bool found = memory && check_rises(rises, thresholds, seconds, memory);

	if (memory)
		fclose(memory);
	if (!found)
		return false;
	fputs("! ", file);
	print_end(mad_fabric_row_port(rises), file);
	if (seconds > 0)
		fprintf(file, ": in %.0f s:%s\n", seconds, text);
	else
		fprintf(file, ": since then:%s\n", text);
	return true;
}

/* Returns whether any counter of the port is above its threshold. */
static bool check_port(const struct mad_fabric_counter_row *row,
		       const struct thresholds *thresholds, FILE *file)
{
	bool found = false;
	uint64_t value;

	for (unsigned i = 0; i < counter_count(); i++) {
		int flags = mad_fabric_row_value(row, i, &value);

		if (flags < 0 || value <= thresholds->most[i])
			continue;
		if (!found) {
			fputs("! ", file);
			print_end(mad_fabric_row_port(row), file);
			putc(':', file);
		}
		found = true;
		fprintf(file, " %s %s%" PRIu64, mad_fabric_counter_get_kind(i)->name,
			flags & MAD_FABRIC_VALUE_SATURATED ? "at least " : "", value);
	}
	if (found)
		putc('\n', file);
	return found;
}

size_t check_print(const struct sweep *sweep, const struct thresholds *thresholds,
		   const struct state *before, FILE *file)
{
	const struct mad_fabric_counter_row *row = NULL, *rise = NULL;
	double seconds = (double)(sweep->counters_time - before->counters_time);
	struct mad_fabric_counters *rises = NULL;
	size_t count = problems_print(sweep->fabric, "! ", file) +
		       check_links(sweep->fabric, file) + check_fec(sweep->fabric, file);

	if (sweep->counters && before->counters && before->counters_time)
		rises = mad_fabric_counters_subtract(before->counters, sweep->counters);
	if (rises)
		rise = mad_fabric_counters_next(rises, NULL);
	while (sweep->counters && (row = mad_fabric_counters_next(sweep->counters, row))) {
		count += check_port(row, thresholds, file);
		if (!rise || mad_fabric_row_port(rise) != mad_fabric_row_port(row))
			continue;
		count += print_rises(rise, thresholds, seconds, file);
		rise = mad_fabric_counters_next(rises, rise);
	}
	mad_fabric_counters_free(rises);
	return count;
}
