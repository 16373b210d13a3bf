/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What is timed and counted of the field codec and the formatters: calls of one function with the
 * same inputs, on whichever pair. No call fails, and none depends on what was called before.
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
	unsigned at;	   /* where in random the next round begins */
};

/* In which order a work takes the fields. */
enum work_order { TABLE_ORDER, RANDOM_ORDER };

/* Makes a work's calls once; returns how many. */
typedef unsigned work_fn(const struct pair *pair, enum work_order order);

struct work {
	const char *comparison; /* what it belongs to */
	const char *name;	/* of the function */
	work_fn *make;
	enum work_order order; /* what make is to be called with */
};

/* The last has no name. Those in random order are for timing: their counts are the others'. */
extern const struct work codec_works[], dump_works[];

/* The fields up to 32 bits, those of exactly 64, both, and all, as the pair has them. */
extern struct work_fields work_narrow, work_wide, work_numbers, work_all;

/* Fills the four lists. Ends the program without memory. */
void works_prepare(const struct pair *pair);

/*
 * ALIGNMENTS * count indices of fields. In the order of the table a processor soon foresees every
 * branch, as in a program that reads the same fields again and again; random indices are others
 * every time, as far as the processor is concerned.
 */
const uint16_t *works_order(struct work_fields *fields, enum work_order order);

/* The same bytes every time: as attributes that fields are read from. */
void works_fill(uint8_t *bytes, unsigned size);

/* What calls return goes here, so that none is left out. */
extern volatile uint64_t work_sink;

#endif
