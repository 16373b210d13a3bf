/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play-counters.c - plays fabrics.tbl: counters of ports, and what they rose by. */
#include "play.h"

#include <stdio.h>

struct mad_fabric_counters *counters, *older_counters;

void free_counters(void)
{
	mad_fabric_counters_free(counters);
	counters = NULL;
}

/* Counters go before the fabric that they are of. */
void keep_counters(void)
{
	mad_fabric_counters_free(older_counters);
	older_counters = counters;
	counters = NULL;
}

/* For the merged fabric, which replaces the one that was found last. */
void merge_counters(const struct mad_fabric *merged)
{
	struct mad_fabric_counters *known;

	if (!older_counters && !counters)
		return;
	known = mad_fabric_counters_merge(merged, older_counters, counters);
	assert_non_null(known);
	free_counters();
	counters = known;
}

/* Of the fabric that was found last. */
static void play_read(char *rest)
{
	struct mad_fabric_options options = play_options(rest);

	free_counters();
	memset(model.perf, 0, sizeof(model.perf));
	memset(model.smps, 0, sizeof(model.smps));
	counters = mad_fabric_counters_read(scene_port, fabric, &options);
	assert_non_null(counters);
}

/* "rows 34 error=ETIMEDOUT:3..20 speeds=EIO:5": how many there are, and how many with an error. */
static void play_rows(char *rest)
{
	const struct mad_fabric_counter_row *row = NULL;
	unsigned count = 0;
	char *word = scene_word(&rest);

	while ((row = mad_fabric_counters_next(counters, row)))
		count++;
	assert_int_equal(count, scene_number(word));
	while ((word = scene_word(&rest))) {
		char *error = scene_split(word, '='), *least = scene_split(error, ':');
		char *most = strstr(least, "..");

		count = 0;
		while ((row = mad_fabric_counters_next(counters, row)))
			count += (*word == 's'
					  ? mad_fabric_row_speeds_error(row)
					  : mad_fabric_row_error(row)) == (int)scene_number(error);
		if (most)
			*most = '\0';
		assert_between(count, scene_number(least), scene_number(most ? most + 2 : least));
	}
}

static unsigned find_counter(const char *name)
{
	unsigned counter = 0;

	while (counter < FABRIC_COUNTERS &&
	       strcmp(mad_fabric_counter_get_kind(counter)->name, name) != 0)
		counter++;
	if (counter == FABRIC_COUNTERS)
		fail_msg("no counter: %s", name);
	return counter;
}

static const struct mad_fabric_counter_row *row_of(char *text)
{
	struct model_end end = play_end(text);

	return mad_fabric_counters_find(counters, MODEL_GUID(end.node), end.port);
}

static void play_no_row(char *rest)
{
	assert_null(row_of(rest));
}

/* The flag at the end of a value, which it removes: "s" saturated, "w" wrapped, "r" reset. */
static int take_flag(char *value)
{
	char *last = value + strlen(value) - 1;
	int flag = *last == 's'	  ? MAD_FABRIC_VALUE_SATURATED
		   : *last == 'w' ? MAD_FABRIC_VALUE_WRAPPED
		   : *last == 'r' ? MAD_FABRIC_VALUE_RESET
				  : 0;

	if (flag)
		*last = '\0';
	return flag;
}

/* "VALUE" or "VALUE/BITS"; "-": it is not there. */
static void assert_counter(const struct mad_fabric_counter_row *row, unsigned counter, char *wanted)
{
	char *bits = scene_split(wanted, '/');
	int flag = take_flag(wanted);
	uint64_t value;

	if (*wanted == '-') {
		assert_int_equal(mad_fabric_row_value(row, counter, &value), -1);
		assert_int_equal(mad_fabric_row_bits(row, counter), 0);
		return;
	}
	assert_int_equal(mad_fabric_row_value(row, counter, &value), flag);
	assert_int_equal(value, scene_number(wanted));
	if (bits)
		assert_int_equal(mad_fabric_row_bits(row, counter), scene_number(bits));
}

/* "row 1.2 error=0 SymbolErrorCounter=102/16 PortXmitWait=-" */
static void play_row(char *rest)
{
	const struct mad_fabric_counter_row *row = row_of(scene_word(&rest));
	char *word;

	assert_non_null(row);
	while ((word = scene_word(&rest))) {
		char *wanted = scene_split(word, '=');

		if (!strcmp(word, "error"))
			assert_int_equal(mad_fabric_row_error(row), scene_number(wanted));
		else if (!strcmp(word, "speeds"))
			assert_int_equal(mad_fabric_row_speeds_error(row), scene_number(wanted));
		else if (!strcmp(word, "errors"))
			assert_int_equal(mad_fabric_row_errors(row), scene_number(wanted));
		else
			assert_counter(row, find_counter(word), wanted);
	}
}

/* "since 1.2 SymbolErrorCounter=5 LinkDownedCounter=-": since what was kept. */
static void play_since(char *rest)
{
	struct mad_fabric_counters *now = counters;

	counters = mad_fabric_counters_subtract(older_counters, now);
	assert_non_null(counters);
	play_row(rest);
	free_counters();
	counters = now;
}

static void play_risen(char *rest)
{
	struct mad_fabric_counters *rises = mad_fabric_counters_subtract(older_counters, counters);
	const struct mad_fabric_counter_row *row = NULL;
	unsigned count = 0;

	assert_non_null(rises);
	while ((row = mad_fabric_counters_next(rises, row)))
		count += mad_fabric_row_errors(row) != 0;
	mad_fabric_counters_free(rises);
	assert_int_equal(count, scene_number(rest));
}

/*
 * Differences
 */

static bool only_leaf_1(const struct mad_fabric_port *port, void *context)
{
	(void)context;
	return port->node->guid == MODEL_GUID(1) && port->port_number == 2;
}

/* A reading of port 1.2 in which no counter is: readings are plain data, which subtraction only
 * reads. */
static struct mad_fabric_counters *make_reading(int64_t seconds,
						struct mad_fabric_counter_row **row)
{
	struct mad_fabric_options options = { .timeout_ms = 200, .filter = only_leaf_1 };
	struct mad_fabric_counters *reading =
		mad_fabric_counters_read(scene_port, fabric, &options);

	assert_non_null(reading);
	*row = (struct mad_fabric_counter_row *)(uintptr_t)mad_fabric_counters_next(reading, NULL);
	(*row)->time_ns = seconds * 1000000000;
	memset((*row)->bits, 0, sizeof((*row)->bits));
	return reading;
}

static void set(struct mad_fabric_counter_row *row, unsigned counter, char *text)
{
	row->bits[counter] = (uint8_t)scene_number(scene_split(text, '/'));
	row->flags[counter] = (uint8_t)take_flag(text);
	row->values[counter] = scene_number(text);
}

/* "rises NAME:5/16>9/16=4": between two readings of 10 s, from one value to another, and by how
 * much; "-": a reading does not have the counter, or there is no difference. */
static void play_rises(char *rest)
{
	struct mad_fabric_counter_row *before, *after;
	struct mad_fabric_counters *first = make_reading(100, &before);
	struct mad_fabric_counters *second = make_reading(110, &after);
	char copy[300], *words = copy, *word;
	const struct mad_fabric_counter_row *row;

	snprintf(copy, sizeof(copy), "%s", rest);
	while ((word = scene_word(&words))) {
		char *from = scene_split(word, ':'), *to = scene_split(from, '>');

		scene_split(to, '=');
		if (*from != '-')
			set(before, find_counter(word), from);
		if (*to != '-')
			set(after, find_counter(word), to);
	}
	free_counters();
	counters = mad_fabric_counters_subtract(first, second);
	assert_non_null(counters);
	row = mad_fabric_counters_next(counters, NULL);
	assert_int_equal(mad_fabric_row_time_ns(row), 10 * INT64_C(1000000000));
	while ((word = scene_word(&rest))) {
		char *wanted = strchr(word, '=') + 1;

		scene_split(word, ':');
		assert_counter(row, find_counter(word), wanted);
	}
	mad_fabric_counters_free(first);
	mad_fabric_counters_free(second);
}

const struct scene_verb counter_verbs[] = { { "read", play_read },   { "rows", play_rows },
					    { "row", play_row },     { "no-row", play_no_row },
					    { "rises", play_rises }, { "since", play_since },
					    { "risen", play_risen }, { .name = NULL } };
