/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Works: calls of one function of the field codec or the formatters with fixed inputs, on either
 * pair. No call fails, and none depends on an earlier one.
 */
#ifndef TESTS_BENCH_WORKS_H
#define TESTS_BENCH_WORKS_H

#include "pair.h"

#include <stdint.h>

#define ALIGNMENTS 8   /* of the buffer: 0 to 7 bytes off a multiple of 8 */
#define LARGEST	   512 /* bytes that an attribute or a field's value is sure to fit in */

/* A field, and a value of it as mad_decode_field() leaves it. */
struct work_field {
	enum MAD_FIELDS id;
	unsigned bits;
	void *value;
};

struct work_fields {
	const struct work_field *fields;
	unsigned count;
	uint16_t *ordered; /* indices of fields: 0 to count - 1, ALIGNMENTS times */
	uint16_t *random;  /* RANDOM of them */
	unsigned at;	   /* index in random at which the next round begins */
};

/* In which order a work takes the fields. */
enum work_order { TABLE_ORDER, RANDOM_ORDER };

/* Makes a work's calls once; returns how many. */
typedef unsigned work_fn(const struct pair *pair, enum work_order order);

struct work {
	const char *comparison; /* the table of its figure */
	const char *name;	/* of the function */
	work_fn *make;
	enum work_order order; /* argument of make */
};

/* The last work has no name. Works in random order are for timing: their counts are those of the
 * table order. */
extern const struct work codec_works[], dump_works[];

/* The fields up to 32 bits, those of exactly 64, both, and all, as the pair has them. */
extern struct work_fields work_narrow, work_wide, work_numbers, work_all;

/* Fills the four lists. Ends the program without memory. */
void works_prepare(const struct pair *pair);

/*
 * ALIGNMENTS * count indices of fields. In the order of the table a processor soon foresees every
 * branch, as in a program that reads the same fields again and again; it foresees nothing of random
 * indices.
 */
const uint16_t *works_order(struct work_fields *fields, enum work_order order);

/* Fills a buffer with fixed bytes, as an attribute that fields are read from. */
void works_fill(uint8_t *bytes, unsigned size);

/* Results of calls go here: the compiler cannot leave a call out. */
extern volatile uint64_t work_sink;

#endif
