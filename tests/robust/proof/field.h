/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the proofs of the codec share: the rows of the field table, read again as numbers, so that
 * what the library makes of them (masks, offsets, shifts) is part of what is proved; and a buffer
 * before and after an access.
 */
#ifndef TESTS_PROOF_FIELD_H
#define TESTS_PROOF_FIELD_H

#include "libibmad/fields/codec.c"
#include "libibmad/fields/fields.c"

#include "proof.h"

/* A row as it stands in field_rows.h. */
struct row {
	uint16_t bit_offset;
	uint16_t length; /* 0: no field */
};

#undef FIELD
#undef NOTHING
#define FIELD(id, bit_offset, length, text, form) [MAD_FIELD_ROW(id)] = { bit_offset, length },
#define NOTHING(id)				  [MAD_FIELD_ROW(id)] = { 0, 0 },

static const struct row rows[MAD_FIELD_ROWS] = {
#include "libibmad/fields/field_rows.h"
};

#define MAD_BYTES sizeof(struct any_mad)

static struct any_mad before, after;

/* Gives both the same content, any. The field under proof is the last of `after`, so that an access
 * behind it is out of bounds. */
static void begin(void)
{
	before = nondet_mad();
	after = before;
}

/* No byte but those of the last `size` is another than it was. */
static void prove_others_unchanged(unsigned size)
{
	unsigned i = nondet_unsigned();

	ASSUME(i < MAD_BYTES - size);
	PROVE(after.byte[i] == before.byte[i], "no byte outside the field changes");
}

#endif
