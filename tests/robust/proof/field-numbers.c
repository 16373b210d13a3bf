/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The codec, for every field of up to 64 bits, every value and every content of the buffer. The
 * field ID is an input like the others: a proof covers all rows of the table that have its form,
 * and a new row without a change here.
 */
#include "field.h"

/* CBMC's own model of memcpy() takes minutes where the length depends on the input. */
void *memcpy(void *to, const void *from, size_t size)
{
	PROVE(size <= 8, "a number has at most 8 bytes");
	for (size_t i = 0; i < 8 && i < size; i++)
		((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
	return to;
}

static uint32_t big_endian_word(const uint8_t *byte)
{
	return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

static unsigned any_field(unsigned shortest, unsigned longest)
{
	unsigned id = nondet_unsigned();

	ASSUME(id < IB_FIELD_LAST_ && rows[id].length >= shortest && rows[id].length <= longest);
	return id;
}

static uint32_t value_mask(unsigned length)
{
	return UINT32_MAX >> (32 - length);
}

/* The bits of the word, beside the field's, into which a set ORs excess bits: see codec.c. */
static uint32_t overflow_mask(const struct row *row)
{
	unsigned bits = row->length > 8 && row->bit_offset % 8 == 0 ? (8 - row->length % 8) % 8 : 0;

	return bits ? (value_mask(bits) << row->length) << row->bit_offset % 32 : 0;
}

/*
 * A field of up to 32 bits. Its word is the last of the object: an access behind it is out of
 * bounds. base_offset is where the attribute begins, then.
 */
struct word_field {
	unsigned id, shift;
	uint32_t mask, old;
	int base_offset;
};

static uint8_t *const word = after.byte + MAD_BYTES - 4;

static struct word_field any_word_field(void)
{
	struct word_field field = { .id = any_field(1, 32) };

	field.shift = rows[field.id].bit_offset % 32;
	field.mask = value_mask(rows[field.id].length);
	field.base_offset = MAD_BYTES - 4 - rows[field.id].bit_offset / 32 * 4;
	begin();
	field.old = big_endian_word(word);
	return field;
}

void word_get(void)
{
	struct word_field field = any_word_field();
	uint32_t value = field.old >> field.shift & field.mask, decoded;

	PROVE(mad_get_field(after.byte, field.base_offset, field.id) == value, "get");
	PROVE(mad_get_field64(after.byte, field.base_offset, field.id) == value, "get64");
	mad_decode_field(after.byte + field.base_offset, field.id, &decoded);
	PROVE(decoded == value, "decode");
}

/* After a set to value. */
static void prove_word_is_set(const struct word_field *field, uint32_t value)
{
	uint32_t overflow = overflow_mask(&rows[field->id]);
	uint32_t others = field->old & ~(field->mask << field->shift), now = big_endian_word(word);

	PROVE((now >> field->shift & field->mask) == (value & field->mask), "get after set");
	if (value <= field->mask)
		overflow = 0;
	PROVE((now & ~overflow) == ((others | (value & field->mask) << field->shift) & ~overflow),
	      "neighbouring bits do not change");
	prove_others_unchanged(4);
}

void word_set(void)
{
	struct word_field field = any_word_field();
	uint32_t value = nondet_uint32();

	mad_set_field(after.byte, field.base_offset, field.id, value);
	prove_word_is_set(&field, value);
}

void word_set64(void)
{
	struct word_field field = any_word_field();
	uint64_t value = nondet_uint64();

	mad_set_field64(after.byte, field.base_offset, field.id, value);
	prove_word_is_set(&field, (uint32_t)value);
}

void word_encode(void)
{
	struct word_field field = any_word_field();
	uint32_t value = nondet_uint32(), decoded;

	mad_encode_field(after.byte + field.base_offset, field.id, &value);
	prove_word_is_set(&field, value);
	mad_decode_field(after.byte + field.base_offset, field.id, &decoded);
	PROVE(decoded == (value & field.mask), "decode after encode");
}

/* A field of 64 bits, which are the last of the object. */
struct number_field {
	unsigned id;
	int base_offset;
	uint64_t old;
};

static uint8_t *const number = after.byte + MAD_BYTES - 8;

static uint64_t big_endian_number(const uint8_t *byte)
{
	return (uint64_t)big_endian_word(byte) << 32 | big_endian_word(byte + 4);
}

static struct number_field any_number_field(void)
{
	struct number_field field = { .id = any_field(64, 64) };

	field.base_offset = MAD_BYTES - 8 - rows[field.id].bit_offset / 8;
	begin();
	field.old = big_endian_number(number);
	return field;
}

void number_get(void)
{
	struct number_field field = any_number_field();
	uint64_t decoded;

	PROVE(mad_get_field64(after.byte, field.base_offset, field.id) == field.old, "get64");
	PROVE(mad_get_field(after.byte, field.base_offset, field.id) == field.old >> 32, "get");
	mad_decode_field(after.byte + field.base_offset, field.id, &decoded);
	PROVE(decoded == field.old, "decode");
}

void number_set(void)
{
	struct number_field field = any_number_field();
	uint64_t value = nondet_uint64();

	mad_set_field64(after.byte, field.base_offset, field.id, value);
	PROVE(big_endian_number(number) == value, "get after set");
	prove_others_unchanged(8);
}

/* With 32 bits for a field of 64, the rest becomes 0. */
void number_set32(void)
{
	struct number_field field = any_number_field();
	uint32_t value = nondet_uint32();

	mad_set_field(after.byte, field.base_offset, field.id, value);
	PROVE(big_endian_number(number) == (uint64_t)value << 32, "get after set");
	prove_others_unchanged(8);
}

void number_encode(void)
{
	struct number_field field = any_number_field();
	uint64_t value = nondet_uint64();

	mad_encode_field(after.byte + field.base_offset, field.id, &value);
	PROVE(big_endian_number(number) == value, "decode after encode");
	prove_others_unchanged(8);
}

/* As bytes: those of the most significant bits, and as many as the length has whole ones. */
struct array_field {
	unsigned id, size, first;
	int base_offset;
};

static uint8_t value[8];

static struct array_field any_array_field(void)
{
	struct array_field field = { .id = any_field(1, 64) };
	unsigned length = rows[field.id].length, bit_offset = rows[field.id].bit_offset;

	field.size = length / 8;
	field.first = MAD_BYTES - (length == 64 ? 8 : 4 - (32 - bit_offset % 32 - length) / 8);
	field.base_offset =
		MAD_BYTES - (length == 64 ? 8 + bit_offset / 8 : 4 + bit_offset / 32 * 4);
	begin();
	for (unsigned byte = 0; byte < sizeof(value); byte++)
		value[byte] = nondet_byte();
	return field;
}

void array_get(void)
{
	struct array_field field = any_array_field();
	unsigned i = nondet_unsigned();
	uint8_t untouched;

	ASSUME(i < sizeof(value));
	untouched = value[i];
	mad_get_array(after.byte, field.base_offset, field.id, value);
	PROVE(value[i] == (i < field.size ? after.byte[field.first + i] : untouched),
	      "get as bytes");
}

void array_set(void)
{
	struct array_field field = any_array_field();
	unsigned i = nondet_unsigned();

	ASSUME(i < MAD_BYTES);
	mad_set_array(after.byte, field.base_offset, field.id, value);
	PROVE(after.byte[i] ==
		      (i - field.first < field.size ? value[i - field.first] : before.byte[i]),
	      "set as bytes, and no other byte changes");
}

/* By the ranges of IDs alone, not by what the library makes of an ID. */
static bool has_field(unsigned id)
{
	if (id <= IB_FIELD_LAST_)
		return rows[id].length;
	return id >= MAD_FIELD_OWN_FIRST && id < MAD_FIELD_OWN_LAST_ &&
	       rows[MAD_FIELD_ROW(id)].length;
}

/* An ID without a field: nothing is read or written, and a get returns 0. */
void no_field(void)
{
	unsigned id = nondet_unsigned();
	int base_offset = nondet_int();

	ASSUME(id != IB_NO_FIELD && !has_field(id));
	PROVE(mad_get_field(NULL, base_offset, id) == 0, "get");
	PROVE(mad_get_field64(NULL, base_offset, id) == 0, "get64");
	mad_set_field(NULL, base_offset, id, nondet_uint32());
	mad_set_field64(NULL, base_offset, id, nondet_uint64());
	mad_get_array(NULL, base_offset, id, NULL);
	mad_set_array(NULL, base_offset, id, NULL);
	mad_decode_field(NULL, id, NULL);
	mad_encode_field(NULL, id, NULL);
}
