/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * answer.h - questions and what the loaded pair answers. A line of an answers file is a question
 * (its kind, then some columns) and an answer (one or two columns), all separated by tabs.
 */
#ifndef TESTS_CONFORMANCE_ANSWER_H
#define TESTS_CONFORMANCE_ANSWER_H

#include <stddef.h>

#define MAX_COLUMNS 8
#define MAX_LINE    65536

struct question {
	int columns; /* the kind is the first */
	const char *column[MAX_COLUMNS];
};

/* What a kind of question is called, and how many columns it has with its kind. */
struct kind {
	const char *name;
	int columns;
	/* Writes the answer; false when the pair has no such function. */
	int (*answer)(const struct question *question, char *answer, size_t size);
};

/* The kind of that name; NULL when there is none. */
const struct kind *kind_find(const char *name);

/* The numbers by which counts a kind are kept: from 0 up. */
int kind_number(const struct kind *kind);
const struct kind *kind_at(int number);

#endif
