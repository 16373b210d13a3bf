/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * pair.h - a pair of libibumad and libibmad loaded at run time, and the fields that calls are
 * about. Nothing here is linked to either library: two pairs can be compared with each other.
 */
#ifndef TESTS_CONFORMANCE_PAIR_H
#define TESTS_CONFORMANCE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_FIELDS 1024
#define SKIPPED	   77 /* exit status: the test can't be done here */

/* A row of fields.tsv: an id, the field's length, and the formatter that prints it. */
struct field {
	int id;
	int bits; /* 0: no field */
	char formatter[48];
};

extern struct field fields[MAX_FIELDS];
extern int field_count;

/* Reads fields.tsv; ends the program when it can't. */
void fields_load(const char *path);

/* The field of an id; NULL when there is none. */
const struct field *field_find(int id);

/* Bytes of a field's value as mad_decode_field() leaves it. */
int field_size(const struct field *field);

/* Loads the two libraries; false, and says why, when one can't be. */
bool pair_load(const char *libibumad, const char *libibmad);

/* The address of a function of the pair; NULL when it has none of that name. */
void *pair_function(const char *name);

/* The file that libibmad came from. */
const char *pair_path(void);

#endif
