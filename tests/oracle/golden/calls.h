/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * calls.h - calls of the loaded pair, and their results. A line of a file of results is a call
 * (its kind, then some columns) and a result (one or two columns), all separated by tabs.
 */
#ifndef TESTS_GOLDEN_CALLS_H
#define TESTS_GOLDEN_CALLS_H

#include <stdbool.h>

#define MAX_COLUMNS 8
#define MAX_LINE    65536

struct call {
	int columns; /* the kind is the first */
	const char *column[MAX_COLUMNS];
};

/* A kind of call. */
struct kind {
	const char *name;
	int columns; /* the name is the first */
	/* Writes the result, less than MAX_LINE bytes; false when the pair has no such function. */
	bool (*run)(const struct call *call, char *result);
	bool about_a_field; /* the second column is the field's id */
	bool about_a_place; /* the result depends on where the field is */
	unsigned made, same, excused;
};

extern struct kind kinds[]; /* up to a NULL name */

/* The kind of that name; NULL when there is none. */
struct kind *kind_find(const char *name);

#endif
