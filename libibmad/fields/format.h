/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Formatters of values, for the public functions (format.c) and for the dumps of fields (dump.c).
 * Each appends one value to a text; numbers are in host byte order.
 */
#ifndef LIBIBMAD_FORMAT_H
#define LIBIBMAD_FORMAT_H

#include "libibmad/fields/fields.h"
#include "libibmad/fields/text.h"

/* A name of a value. An array and no pointer, so tables of them need no relocation. */
typedef char mad_value_name[52];

#pragma GCC visibility push(hidden)

/* format.c: a number of size bytes, or the size bytes at bytes, in the field's format. */
void mad_format_number(struct text *text, enum mad_format format, unsigned size, uint64_t value);
void mad_format_bytes(struct text *text, enum mad_format format, unsigned size,
		      const uint8_t *bytes);

/* notice.c */
void mad_format_notice(struct text *text, const uint8_t *notice, unsigned size, int mgmt_class);

#define WORD_FORMAT(name, function) void mad_format_##function(struct text *text, uint32_t value);
MAD_WORD_FORMATS
#undef WORD_FORMAT

#pragma GCC visibility pop

#endif
