/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The codec, for every field of more than 64 bits, every value and every content of the buffer.
 * These are few: each row makes a call of its own, since lengths that depend on the input take CBMC
 * much longer.
 */
#include "field.h"

static struct any_mad value, copy;

/* Sets the field from `value`; returns how many of its bytes that changes. */
static unsigned set_field(unsigned id, int base_offset, unsigned size)
{
	switch (nondet_int()) {
	case 0:
		mad_set_array(after.byte, base_offset, id, value.byte);
		return size;
	case 1:
		mad_set_field64(after.byte, base_offset, id, mad_get_be64(value.byte));
		return 8;
	case 2:
		mad_set_field(after.byte, base_offset, id, mad_get_be32(value.byte));
		for (unsigned i = 4; i < size; i++)
			value.byte[i] = 0;
		return size;
	default:
		mad_encode_field(after.byte + base_offset, id, value.byte);
		return size;
	}
}

static void prove_get(unsigned id, int base_offset, const uint8_t *field, unsigned size)
{
	uint8_t untouched = nondet_byte();
	unsigned i = nondet_unsigned();

	PROVE(mad_get_field(after.byte, base_offset, id) == mad_get_be32(field), "get");
	PROVE(mad_get_field64(after.byte, base_offset, id) == mad_get_be64(field), "get64");
	ASSUME(i < MAD_BYTES);
	copy.byte[i] = untouched;
	if (nondet_bool())
		mad_get_array(after.byte, base_offset, id, copy.byte);
	else
		mad_decode_field(after.byte + base_offset, id, copy.byte);
	PROVE(copy.byte[i] == (i < size ? field[i] : untouched), "get as bytes, decode");
}

static void prove_set(unsigned id, int base_offset, unsigned first, unsigned size)
{
	unsigned i = nondet_unsigned(), changed;

	value = nondet_mad();
	changed = set_field(id, base_offset, size);
	ASSUME(i < MAD_BYTES);
	PROVE(after.byte[i] == (i - first < changed ? value.byte[i - first] : before.byte[i]),
	      "set and encode, and no other byte changes");
}

static void prove_field(unsigned id, unsigned bit_offset, unsigned length)
{
	unsigned size = length / 8, first = MAD_BYTES - size;

	if (length <= 64)
		return;
	begin();
	prove_get(id, (int)(first - bit_offset / 8), after.byte + first, size);
	prove_set(id, (int)(first - bit_offset / 8), first, size);
}

#undef FIELD
#undef NOTHING
#define FIELD(id, bit_offset, length, text, form) prove_field(id, bit_offset, length);
#define NOTHING(id)

void long_fields(void)
{
#include "libibmad/fields/field_rows.h"
}

/* IB_NO_FIELD is decoded and encoded as an int, as it lies in memory. */
void no_field_as_int(void)
{
	int stored = nondet_int(), moved = nondet_int();

	mad_decode_field((uint8_t *)&stored, IB_NO_FIELD, &moved);
	PROVE(moved == stored, "decode");
	moved = nondet_int();
	mad_encode_field((uint8_t *)&stored, IB_NO_FIELD, &moved);
	PROVE(stored == moved, "encode");
}
