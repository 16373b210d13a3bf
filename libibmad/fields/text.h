/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A text being built in a caller's buffer: what does not fit is cut off, so that the buffer always
 * holds a prefix of the whole, and its NUL always fits. Nothing beyond the buffer is written.
 */
#ifndef LIBIBMAD_TEXT_H
#define LIBIBMAD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text {
	char *next; /* where the next character goes */
	char *last; /* the last byte that may be written: reserved for the NUL */
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
void text_signed(struct text *text, int32_t value);

/* The last digits (1 to 16) of a number in lower-case hexadecimal, or as many as it needs. */
void text_hex(struct text *text, uint64_t value, unsigned digits);
void text_hex_short(struct text *text, uint32_t value);

/* Bytes as pairs of lower-case hexadecimal digits. */
void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t length);

/* A field's name, a colon, and dots up to the column of the values. */
#define TEXT_LABEL_WIDTH 33
void text_label(struct text *text, const char *name);

#pragma GCC visibility pop

#endif
