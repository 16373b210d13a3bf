/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The field table's interface for the codec, the formatters and the dumps: the contents of a row,
 * and access to rows.
 */
#ifndef LIBIBMAD_FIELDS_H
#define LIBIBMAD_FIELDS_H

#include <stdint.h>
#include <string.h>

#include "common/bytes.h"
#include "libibmad/internal.h"

/* How a value is printed: an index instead of a pointer, so that the table needs no relocation. */
enum mad_format {
	MAD_FORMAT_NONE,
	MAD_FORMAT_UINT,
	MAD_FORMAT_HEX,
	MAD_FORMAT_RHEX,
	MAD_FORMAT_ARRAY,
	MAD_FORMAT_STRING,
#define WORDS(format, ...) MAD_FORMAT_##format,
#include "libibmad/fields/word_formats.h"
#undef WORDS
};

/*
 * A row. A field of up to 32 bits is in the big-endian word at offset, shifted left by shift bits;
 * a longer one begins at offset. An ID without a field has 0 bits.
 */
struct mad_field {
	uint32_t others;   /* bits of the word outside the field, as in memory; or all bits */
	uint32_t set_mask; /* the value bits that a set stores: see codec.c */
	uint16_t offset;   /* bytes from the start of the attribute or MAD */
	uint16_t bits;	   /* length */
	uint8_t shift;	   /* 0 to 31 */
	uint8_t format;	   /* enum mad_format */
	uint16_t name;	   /* bytes from the start of all names */
};

/* The rows of our own fields follow those of rdma-core's. */
#define MAD_FIELD_ROW(id) \
	((id) < MAD_FIELD_OWN_FIRST ? (id) : (id)-MAD_FIELD_OWN_FIRST + IB_FIELD_LAST_ + 1)
#define MAD_FIELD_ROWS MAD_FIELD_ROW(MAD_FIELD_OWN_LAST_)

#pragma GCC visibility push(hidden)
extern const struct mad_field mad_fields[MAD_FIELD_ROWS];
/* The printed name of a row. */
const char *mad_field_text(const struct mad_field *field);
#pragma GCC visibility pop

/* The number of an ID's row; that of IB_NO_FIELD for an invalid ID. */
static inline unsigned mad_field_row(unsigned id)
{
	if (id <= IB_FIELD_LAST_)
		return id;
	return id >= MAD_FIELD_OWN_FIRST && id < MAD_FIELD_OWN_LAST_ ? MAD_FIELD_ROW(id) : 0;
}

/* The row of an ID; NULL if it has no field. */
static inline const struct mad_field *mad_field_find(unsigned id)
{
	const struct mad_field *row = &mad_fields[mad_field_row(id)];

	return row->bits ? row : NULL;
}

/* The bytes that a field's value occupies. */
static inline unsigned mad_field_size(const struct mad_field *field)
{
	return (field->bits + 7u) / 8;
}

/* Whether the field has up to 32 bits. */
static inline bool mad_field_is_word(const struct mad_field *field)
{
	return field->others != UINT32_MAX;
}

/* A field of up to 32 bits in the attribute at data. */
static inline uint32_t mad_field_load(const struct mad_field *field, const uint8_t *data)
{
	uint32_t word;

	memcpy(&word, data + field->offset, sizeof(word));
	return be32toh(word & ~field->others) >> field->shift;
}

#endif
