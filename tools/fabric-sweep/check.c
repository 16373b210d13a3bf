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

static bool set_rate(double *rate, const char *value)
{
	char *end;

	*rate = strtod(value, &end);
	return *value >= '0' && *value <= '9' && !*end;
}

static bool set_threshold(struct thresholds *thresholds, const char *name, const char *value)
{
	char *end;

	if (!strcmp(name, "SymbolBER"))
		return set_rate(&thresholds->symbol_rate, value);
	if (!strcmp(name, "EffectiveBER"))
		return set_rate(&thresholds->effective_rate, value);
	for (unsigned i = 0; i < counter_count(); i++) {
		if (strcmp(mad_fabric_counter_get_kind(i)->name, name) != 0)
			continue;
		errno = 0;
		thresholds->most[i] = strtoull(value, &end, 10);
		return !errno && *value >= '0' && *value <= '9' && !*end;
	}
	return false;
}

/* "Counter=number", as ibqueryerrors reads it; "#" begins a comment. */
static bool take_line(struct thresholds *thresholds, char *line)
{
	char *equals;

	line[strcspn(line, "#\n")] = '\0';
	line[strcspn(line, " \t\r")] = '\0';
	if (!*line)
		return true;
	equals = strchr(line, '=');
	if (!equals)
		return false;
	*equals = '\0';
	return set_threshold(thresholds, line, equals + 1);
}

bool thresholds_read(struct thresholds *thresholds, const char *name)
{
	unsigned number = 0;
	bool good = true;
	char line[256];
	FILE *file;

	set_defaults(thresholds);
	if (!name)
		return true;
	file = fopen(name, "re");
	while (file && good && fgets(line, sizeof(line), file)) {
		number++;
		good = take_line(thresholds, line);
	}
	if (!file || ferror(file))
		complain("--thresholds: %s: %s", name, strerror(errno));
	else if (!good)
		complain("--thresholds: %s: line %u is not COUNTER=NUMBER of a counter of "
			 "fabric-sweep(8)",
			 name, number);
	good = good && file && !ferror(file);
	if (file)
		fclose(file);
	return good;
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

/* Returns whether links went down since the earlier sweep, or carried too many wrong bits. */
static bool check_rises(const struct mad_fabric_counter_row *rises,
			const struct thresholds *thresholds, double seconds, FILE *file)
{
	const struct mad_fabric_port *port = mad_fabric_row_port(rises);
	uint64_t downed = rise_of(rises, MAD_FABRIC_COUNTER_LINK_DOWNED);
	double symbol = error_rate(port, rise_of(rises, MAD_FABRIC_COUNTER_SYMBOL_ERRORS), seconds);
	double effective = error_rate(
		port, rise_of(rises, MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS), seconds);
	bool has_symbol = symbol > thresholds->symbol_rate;
	bool has_effective = effective > thresholds->effective_rate;

	if (!downed && !has_symbol && !has_effective)
		return false;
	fputs("! ", file);
	print_end(port, file);
	fprintf(file, ": in %.0f s:", seconds);
	if (downed)
		fprintf(file, " LinkDownedCounter +%" PRIu64, downed);
	if (has_symbol)
		fprintf(file, " SymbolBER %.1e", symbol);
	if (has_effective)
		fprintf(file, " EffectiveBER %.1e", effective);
	putc('\n', file);
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

	if (sweep->counters && before->counters && before->counters_time && seconds > 0)
		rises = mad_fabric_counters_subtract(before->counters, sweep->counters);
	if (rises)
		rise = mad_fabric_counters_next(rises, NULL);
	while (sweep->counters && (row = mad_fabric_counters_next(sweep->counters, row))) {
		count += check_port(row, thresholds, file);
		if (!rise || mad_fabric_row_port(rise) != mad_fabric_row_port(row))
			continue;
		count += check_rises(rise, thresholds, seconds, file);
		rise = mad_fabric_counters_next(rises, rise);
	}
	mad_fabric_counters_free(rises);
	return count;
}
