/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Values as text. A text is built in a caller's buffer, cut off where the buffer ends: the buffer
 * always holds a prefix of the whole, and its NUL.
 */
#ifndef LIBIBMAD_FORMAT_H
#define LIBIBMAD_FORMAT_H

#include "libibmad/fields/fields.h"

struct text {
	char *next; /* place of the next character */
	char *last; /* place that is reserved for the NUL */
};

/* Begins a text in buf; false, with nothing written, if not even a NUL fits. */
static inline bool text_begin(struct text *text, char *buf, int bufsz)
{
	if (bufsz <= 0)
		return false;
	text->next = buf;
	text->last = buf + bufsz - 1;
	return true;
}

static inline void text_end(struct text *text)
{
	*text->next = '\0';
}

static inline void text_bytes(struct text *text, const void *bytes, size_t length)
{
	size_t space = (size_t)(text->last - text->next);

	if (length > space)
		length = space;
	memcpy(text->next, bytes, length);
	text->next += length;
}

static inline void text_string(struct text *text, const char *string)
{
	text_bytes(text, string, strlen(string));
}

static inline void text_char(struct text *text, char c)
{
	if (text->next < text->last)
		*text->next++ = c;
}

#pragma GCC visibility push(hidden)

/* A decimal number. */
void text_unsigned(struct text *text, uint64_t value);

/* The last digits (1 to 16) of a number in lower-case hexadecimal. */
void text_hex(struct text *text, uint64_t value, unsigned digits);

/* Bytes as pairs of lower-case hexadecimal digits. */
void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t length);

/* Up to 63 characters, as printf() does: slower than the others. */
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A field's name, a colon, and dots up to the column of the values. */
extern const char text_dots[IB_FIELD_NAME_LEN + 1];
void text_label(struct text *text, const char *name);

/* The number in the caller's memory: a byte, or a word of 2, 4 or 8 bytes. */
uint64_t mad_load_number(const void *val, int size);

/* format.c: append a number of size bytes, in host byte order, or the bytes, in the field's format.
 */
void mad_format_number(struct text *text, enum mad_format format, unsigned size, uint64_t value);
void mad_format_bytes(struct text *text, enum mad_format format, unsigned size,
		      const uint8_t *bytes);

/* format_words.c: a word in a format that names values or bits. */
void mad_format_word(struct text *text, enum mad_format format, uint32_t value);

/* notice.c: the values behind the header of a notice, of which size bytes may be read. */
void mad_format_notice(struct text *text, const uint8_t *notice, unsigned size, int mgmt_class);

#pragma GCC visibility pop

#endif
