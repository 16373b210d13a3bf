/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What is wrong with a fabric, a line each: what findings.c finds, and error counters above their
 * thresholds, or that have risen by more since an earlier sweep.
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
	memcpy(thresholds->rises, thresholds->most, sizeof(thresholds->rises));
	thresholds->rises[MAD_FABRIC_COUNTER_LINK_DOWNED] = 0;
	thresholds->subnet_managers = 1;
	thresholds->symbol_rate = MOST_OF_BITS;
	thresholds->effective_rate = MOST_OF_BITS;
}

/* The number of a threshold in thresholds.given; THRESHOLDS where none has that name. */
static unsigned find_threshold(const char *name)
{
	unsigned i = 0;

	if (!strcmp(name, "SymbolBER"))
		return THRESHOLD_SYMBOL_BER;
	if (!strcmp(name, "EffectiveBER"))
		return THRESHOLD_EFFECTIVE_BER;
	if (!strcmp(name, "SubnetManagers"))
		return THRESHOLD_SUBNET_MANAGERS;
	while (i < counter_count() && strcmp(mad_fabric_counter_get_kind(i)->name, name) != 0)
		i++;
	return i < counter_count() ? i : THRESHOLDS;
}

static bool set_rate(double *rate, const char *value)
{
	char *end;

	*rate = strtod(value, &end);
	return !*end;
}

static bool set_number(uint64_t *number, const char *value)
{
	char *end;

	errno = 0;
	*number = strtoull(value, &end, 10);
	return !errno && !*end;
}

static bool set_threshold(struct thresholds *thresholds, const char *name, const char *value)
{
	unsigned number = find_threshold(name);

	if (*value < '0' || *value > '9' || number == THRESHOLDS || thresholds->given[number])
		return false;
	thresholds->given[number] = true;
	if (number == THRESHOLD_SYMBOL_BER)
		return set_rate(&thresholds->symbol_rate, value);
	if (number == THRESHOLD_EFFECTIVE_BER)
		return set_rate(&thresholds->effective_rate, value);
	if (number == THRESHOLD_SUBNET_MANAGERS)
		return set_number(&thresholds->subnet_managers, value);
	if (!set_number(&thresholds->most[number], value))
		return false;
	thresholds->rises[number] = thresholds->most[number];
	return true;
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
	printf("SymbolBER=%g\nEffectiveBER=%g\nSubnetManagers=%" PRIu64 "\n",
	       thresholds.symbol_rate, thresholds.effective_rate, thresholds.subnet_managers);
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
static bool check_links_since(const struct mad_fabric_counter_row *rises,
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
static bool print_links_since(const struct mad_fabric_counter_row *rises,
			      const struct thresholds *thresholds, double seconds, FILE *file)
{
	char text[256] = "";
	FILE *memory = fmemopen(text, sizeof(text), "w");
	bool found = memory && check_links_since(rises, thresholds, seconds, memory);

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

/*
 * Prints the counters of a row that are above their limits, a sign in front of each value. Returns
 * whether there are any.
 */
static bool check_port(const struct mad_fabric_counter_row *row, const uint64_t *most,
		       const char *sign, FILE *file)
{
	bool found = false;
	uint64_t value;

	for (unsigned i = 0; i < counter_count(); i++) {
		int flags = mad_fabric_row_value(row, i, &value);

		if (flags < 0 || value <= most[i])
			continue;
		if (!found) {
			fputs("! ", file);
			print_end(mad_fabric_row_port(row), file);
			putc(':', file);
		}
		found = true;
		fprintf(file, " %s %s%s%" PRIu64, mad_fabric_counter_get_kind(i)->name,
			flags & MAD_FABRIC_VALUE_SATURATED ? "at least " : "", sign, value);
	}
	if (found)
		putc('\n', file);
	return found;
}

size_t check_rises(const struct mad_fabric_counters *older, const struct mad_fabric_counters *newer,
		   const struct thresholds *thresholds, FILE *file)
{
	struct mad_fabric_counters *rises = mad_fabric_counters_subtract(older, newer);
	const struct mad_fabric_counter_row *rise = NULL;
	size_t count = 0;

	while (rises && (rise = mad_fabric_counters_next(rises, rise)))
		count += check_port(rise, thresholds->rises, "+", file);
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
		count += check_port(row, thresholds->most, "", file);
		if (!rise || mad_fabric_row_port(rise) != mad_fabric_row_port(row))
			continue;
		count += print_links_since(rise, thresholds, seconds, file);
		rise = mad_fabric_counters_next(rises, rise);
	}
	mad_fabric_counters_free(rises);
	return count;
}
