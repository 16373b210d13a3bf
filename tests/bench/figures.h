/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Figures of benchmarks: what a round took, and how the rounds of two things compare. They are
 * printed, and written as CSV where figures_open() was given a file.
 */
#ifndef TESTS_BENCH_FIGURES_H
#define TESTS_BENCH_FIGURES_H

#include <stdio.h>
#include <time.h>

#define ROUNDS_MAX 15

/* What a round took. */
struct sample {
	double seconds;
	double cpu; /* seconds of this process, user and system */
	unsigned requests;
};

struct meter {
	struct timespec wall;
	struct timespec cpu;
};

void meter_start(struct meter *meter);
struct sample meter_stop(const struct meter *meter, unsigned requests);

/* Rounds of two things that are compared. */
struct comparison {
	const char *what;
	unsigned rounds;
	struct sample base[ROUNDS_MAX];
	struct sample other[ROUNDS_MAX];
};

/* path: of the CSV file, or NULL. Returns 0, or -1 with a message. */
int figures_open(const char *path);
int figures_close(void);

/*
 * Prints both rates (requests a second), both costs (CPU time) and the ratios other : base. Of each
 * figure, the best round counts; the spread is that of the rounds' own ratios, from the least to
 * the most.
 */
void figures_compare(const struct comparison *comparison, const char *base, const char *other);

/* Titles of what follows. */
void figures_title(const char *what, const char *base, const char *other);

/* A ratio, and the spread of its rounds; without one, low is 0. */
struct ratio {
	double middle;
	double low;
	double high;
};

/* Prints two figures and their ratio. */
void figures_print(const char *what, const char *unit, double base, double other,
		   const struct ratio *ratio);

#endif
