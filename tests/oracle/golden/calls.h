/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * calls.h - calls of the loaded pair, and their results. A line of a file of results is a call
 * (its kind, then some columns) and a result (one or two columns), all separated by tabs.
 */
#ifndef TESTS_GOLDEN_CALLS_H
#define TESTS_GOLDEN_CALLS_H

#include <stddef.h>

#define MAX_COLUMNS 8
#define MAX_LINE    65536

struct call {
	int columns; /* the kind is the first */
	const char *column[MAX_COLUMNS];
};

/* The name of a kind of call, and how many columns it has, the kind included. */
struct kind {
	const char *name;
	int columns;
	/* Writes the result; false when the pair has no such function. */
	int (*run)(const struct call *call, char *result, size_t size);
};

/* The kind of that name; NULL when there is none. */
const struct kind *kind_find(const char *name);

/* The numbers by which counts a kind are kept: from 0 up. */
int kind_number(const struct kind *kind);
const struct kind *kind_at(int number);

#endif
