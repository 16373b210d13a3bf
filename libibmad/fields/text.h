/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A text being built in a caller's buffer: what does not fit is cut off, so that the buffer always
 * holds a prefix of the whole, and its NUL always fits. Nothing beyond the buffer is written;
 * inside it, bytes after the text may become zero meanwhile.
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

/* A name of a value, with its length: no pointer, so tables of them need no relocation. */
struct text_name {
	uint8_t length;
	char name[39];
};

#define TEXT_NAME(literal)                             \
	{                                              \
		.length = sizeof(literal) - 1, literal \
	}

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

static inline size_t text_space(const struct text *text)
{
	return (size_t)(text->last - text->next);
}

static inline void text_bytes(struct text *text, const void *bytes, size_t length)
{
	if (length > text_space(text))
		length = text_space(text);
	memcpy(text->next, bytes, length);
	text->next += length;
}

static inline void text_char(struct text *text, char c)
{
	if (text->next < text->last)
		*text->next++ = c;
}

/* A string literal: its length is known at compile time, so the usual case is a few moves. */
#define text_literal(text, literal) text_constant(text, literal, sizeof(literal) - 1)
static inline __attribute__((always_inline)) void text_constant(struct text *text,
								const char *bytes, size_t length)
{
	if (text_space(text) >= length) {
		memcpy(text->next, bytes, length);
		text->next += length;
	} else {
		text_bytes(text, bytes, length);
	}
}

/* Copies the whole array of a name, if it fits: cheaper than copying exactly its length. */
static inline void text_name(struct text *text, const struct text_name *name)
{
	if (text_space(text) >= sizeof(name->name)) {
		memcpy(text->next, name->name, sizeof(name->name));
		text->next += name->length;
	} else {
		text_bytes(text, name->name, name->length);
	}
}

#pragma GCC visibility push(hidden)

/* A decimal number. */
void text_unsigned(struct text *text, uint64_t value);
void text_signed(struct text *text, int32_t value);

/* A number in lower-case hexadecimal: with that many digits (16 at most), or as many as it
 * needs. */
void text_hex(struct text *text, uint64_t value, unsigned digits);
void text_hex_short(struct text *text, uint32_t value);

/*
 * The same without a check of the space: they may write TEXT_NUMBER_WIDTH bytes at to. They return
 * the end of the number.
 */
#define TEXT_NUMBER_WIDTH 20 /* digits of 2^64 - 1 */
char *text_put_unsigned(char *to, uint64_t value);
char *text_put_hex(char *to, uint64_t value, unsigned digits);

/* Bytes as pairs of lower-case hexadecimal digits. */
void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t length);

/* A field's name, a colon, and dots up to the column of the values. */
#define TEXT_LABEL_WIDTH 33
void text_label(struct text *text, const char *name, size_t length);

#pragma GCC visibility pop

#endif
