/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads and writes single fields of an attribute or a MAD, by their rows in the field table. An
 * access touches only the word that holds the field, or the field's own bytes, at any alignment.
 *
 * An accessor of the wrong width stays within the field: the accessors for 32 and 64 bits read the
 * first bytes of a longer field (and a set zeroes its other bytes, as in older versions); the
 * accessors for 64 bits treat a field of up to 32 bits as those for 32 bits do.
 *
 * A set ignores value bits beyond the field's width, with one exception, which programs may rely
 * on: if a field of more than one byte ends within a byte, excess bits of the value are ORed into
 * the rest of that byte.
 */
#include <stdio.h>

#include "libibmad/fields/fields.h"
#include "libibmad/internal.h"

#define likely(condition) __builtin_expect(!!(condition), 1)

/* The row of an ID, without a field if the ID has none. The row's offset fits 32 bits and is
 * computed in 32 bits, which saves an instruction for each access. */
static inline const struct mad_field *row_of(unsigned id)
{
	const uint8_t *table = (const void *)mad_fields;
	const unsigned size = sizeof(struct mad_field);

	if (likely(id <= IB_FIELD_LAST_))
		return (const void *)(table + (size_t)(id * size));
	return (const void *)(table + (size_t)(mad_field_row(id) * size));
}

static uint8_t *at(void *buf, int base_offs)
{
	return (uint8_t *)buf + base_offs;
}

/* An array access begins at the byte with the most significant bits of the field. */
static size_t array_offset(const struct mad_field *row)
{
	return mad_field_is_word(row) ? row->offset + (32u - row->shift - row->bits) / 8
				      : row->offset;
}

static void store(const struct mad_field *row, uint8_t *data, uint32_t value)
{
	uint32_t word;

	memcpy(&word, data + row->offset, sizeof(word));
	word = (word & row->others) | htobe32((value & row->set_mask) << row->shift);
	memcpy(data + row->offset, &word, sizeof(word));
}

/* An accessor for 32 bits accesses only the first 32 of a longer field. */
static void explain_width(const char *access, const struct mad_field *row)
{
	char function[sizeof("mad_get_field")];

	if (ibdebug <= 0)
		return;
	snprintf(function, sizeof(function), "mad_%s_field", access);
	mad_debug(function, "field: %s has %u bits, for mad_%s_%s()", mad_field_text(row),
		  row->bits, access, row->bits > 64 ? "array" : "field64");
}

static __attribute__((noinline, cold)) uint32_t get_first_word(const struct mad_field *row,
							       const uint8_t *data)
{
	if (!row->bits)
		return 0;
	explain_width("get", row);
	return mad_get_be32(data + row->offset);
}

static __attribute__((noinline, cold)) void set_first_word(const struct mad_field *row,
							   uint8_t *data, uint32_t value)
{
	if (!row->bits)
		return;
	explain_width("set", row);
	mad_put_be32(data + row->offset, value);
	memset(data + row->offset + 4, 0, row->bits / 8 - 4);
}

uint32_t mad_get_field(void *buf, int base_offs, enum MAD_FIELDS field)
{
	const struct mad_field *row = row_of(field);

	if (likely(mad_field_is_word(row)))
		return mad_field_load(row, at(buf, base_offs));
	return get_first_word(row, at(buf, base_offs));
}

void mad_set_field(void *buf, int base_offs, enum MAD_FIELDS field, uint32_t val)
{
	const struct mad_field *row = row_of(field);

	if (likely(mad_field_is_word(row)))
		store(row, at(buf, base_offs), val);
	else
		set_first_word(row, at(buf, base_offs), val);
}

uint64_t mad_get_field64(void *buf, int base_offs, enum MAD_FIELDS field)
{
	const struct mad_field *row = row_of(field);

	if (likely(row->bits >= 64))
		return mad_get_be64(at(buf, base_offs) + row->offset);
	return mad_field_is_word(row) ? mad_field_load(row, at(buf, base_offs)) : 0;
}

void mad_set_field64(void *buf, int base_offs, enum MAD_FIELDS field, uint64_t val)
{
	const struct mad_field *row = row_of(field);

	if (likely(row->bits >= 64))
		mad_put_be64(at(buf, base_offs) + row->offset, val);
	else if (mad_field_is_word(row))
		store(row, at(buf, base_offs), (uint32_t)val);
}

void mad_get_array(void *buf, int base_offs, enum MAD_FIELDS field, void *val)
{
	const struct mad_field *row = mad_field_find(field);

	if (row)
		memcpy(val, at(buf, base_offs) + array_offset(row), row->bits / 8);
}

void mad_set_array(void *buf, int base_offs, enum MAD_FIELDS field, void *val)
{
	const struct mad_field *row = mad_field_find(field);

	if (row)
		memcpy(at(buf, base_offs) + array_offset(row), val, row->bits / 8);
}

void mad_decode_field(uint8_t *buf, enum MAD_FIELDS field, void *val)
{
	const struct mad_field *row = row_of(field);

	if (likely(mad_field_is_word(row))) {
		uint32_t value = mad_field_load(row, buf);

		memcpy(val, &value, sizeof(value));
	} else if (row->bits == 64) {
		uint64_t value = mad_get_be64(buf + row->offset);

		memcpy(val, &value, sizeof(value));
	} else if (row->bits) {
		memcpy(val, buf + row->offset, row->bits / 8);
	} else if (field == IB_NO_FIELD) {
		memcpy(val, buf, sizeof(int));
	}
}

void mad_encode_field(uint8_t *buf, enum MAD_FIELDS field, void *val)
{
	const struct mad_field *row = row_of(field);

	if (likely(mad_field_is_word(row))) {
		uint32_t value;

		memcpy(&value, val, sizeof(value));
		store(row, buf, value);
	} else if (row->bits == 64) {
		uint64_t value;

		memcpy(&value, val, sizeof(value));
		mad_put_be64(buf + row->offset, value);
	} else if (row->bits) {
		memcpy(buf + row->offset, val, row->bits / 8);
	} else if (field == IB_NO_FIELD) {
		memcpy(buf, val, sizeof(int));
	}
}
