/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play-counters.c - plays fabrics.tbl: counters of ports, and what they rose by. */
#include "play.h"

#include <errno.h>

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
		char *error = scene_split(word, '='), *wanted = scene_split(error, ':');

		count = 0;
		while ((row = mad_fabric_counters_next(counters, row)))
			count += (*word == 's'
					  ? mad_fabric_row_speeds_error(row)
					  : mad_fabric_row_error(row)) == (int)scene_number(error);
		scene_assert_count(count, wanted);
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

/* "VALUE", "VALUE/BITS" or, of a difference, "VALUE@RATE"; "-": it is not there. */
static void assert_counter(const struct mad_fabric_counter_row *row, unsigned counter, char *wanted)
{
	char *bits = scene_split(wanted, '/'), *per_second = scene_split(wanted, '@');
	int flag = take_flag(wanted);
	uint64_t value;
	double rate;

	if (*wanted == '-') {
		assert_errno(mad_fabric_row_value(row, counter, &value), ENODATA);
		assert_int_equal(mad_fabric_row_bits(row, counter), 0);
		return;
	}
	assert_int_equal(mad_fabric_row_value(row, counter, &value), flag);
	assert_int_equal(value, scene_number(wanted));
	if (bits)
		assert_int_equal(mad_fabric_row_bits(row, counter), scene_number(bits));
	if (!per_second)
		return;
	assert_int_equal(mad_fabric_row_rate(row, counter, &rate), flag);
	assert_true(rate == (double)scene_number(per_second));
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

/* "counts 1.2 NAME=255s/8 3.2 NAME=5": keeps the counters, and builds others, 10 s later. */
static void play_counts(char *rest)
{
	static int64_t seconds = 100;
	struct mad_fabric_counter_value values[8];
	int flags[COUNT(values)];
	const struct mad_fabric_port *port = NULL;
	struct mad_fabric_counter_row *row;
	size_t count = 0;
	char *word;

	while ((word = scene_word(&rest))) {
		char *value = scene_split(word, '='),
		     *bits = value ? scene_split(value, '/') : NULL;
		struct model_end end = value ? (struct model_end){ 0 } : play_end(word);

		if (!value) {
			port = port_of(end.node, end.port);
			continue;
		}
		assert_true(count < COUNT(values));
		flags[count] = take_flag(value);
		values[count++] = (struct mad_fabric_counter_value){
			port, scene_number(value), find_counter(word),
			bits ? (uint32_t)scene_number(bits) : 0
		};
	}
	keep_counters();
	counters = mad_fabric_counters_build(fabric, values, count);
	assert_non_null(counters);
	seconds += 10;
	for (size_t i = 0; i < count; i++) { /* a reading has this, and no file */
		row = (void *)(uintptr_t)mad_fabric_counters_find(
			counters, values[i].port->node->guid, values[i].port->port_number);
		row->time_ns = seconds * 1000000000;
		row->flags[values[i].counter] = (uint8_t)flags[i];
	}
}

const struct scene_verb counter_verbs[] = { { "read", play_read },     { "rows", play_rows },
					    { "row", play_row },       { "no-row", play_no_row },
					    { "counts", play_counts }, { "since", play_since },
					    { "risen", play_risen },   { .name = NULL } };
