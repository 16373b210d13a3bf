/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * In place of libibmad/fields/text.h: what each of its functions requires and how much it appends, without
 * the text itself. text-steps.c proves that the real functions do this and nothing else. So proofs
 * of formatters hold for buffers of every size.
 */
#ifndef TESTS_PROOF_TEXT_CONTRACT_H
#define TESTS_PROOF_TEXT_CONTRACT_H

#define LIBIBMAD_TEXT_H /* the real one is not read */

#include <string.h>

#include "proof.h"

struct text {
	size_t space; /* without the place of the NUL */
	bool ended;
};

struct text_name {
	uint8_t length;
	char name[39];
};

#define TEXT_NAME(literal)                             \
	{                                              \
		.length = sizeof(literal) - 1, literal \
	}

static unsigned texts_begun, texts_ended;

static bool text_begin(struct text *text, char *buf, int bufsz)
{
	(void)buf;
	if (bufsz <= 0)
		return false;
	text->space = (size_t)bufsz - 1;
	text->ended = false;
	texts_begun++;
	return true;
}

static void text_end(struct text *text)
{
	PROVE(!text->ended, "a text ends once");
	text->ended = true;
	texts_ended++;
}

static void append(struct text *text, size_t length)
{
	PROVE(!text->ended, "nothing follows the NUL");
	text->space -= length < text->space ? length : text->space;
}

static void text_bytes(struct text *text, const void *bytes, size_t length)
{
	PROVE(!length || __CPROVER_r_ok(bytes, length), "the bytes are there");
	append(text, length);
}

static void text_char(struct text *text, char c)
{
	(void)c;
	append(text, 1);
}

#define text_literal(text, literal) append(text, sizeof(literal) - 1)

static void text_name(struct text *text, const struct text_name *name)
{
	PROVE(__CPROVER_r_ok(name, sizeof(*name)), "the name is in its table");
	PROVE(name->length <= sizeof(name->name), "the name is no longer than its space");
	append(text, name->length);
}

static void text_unsigned(struct text *text, uint64_t value)
{
	size_t digits = nondet_size();

	(void)value;
	ASSUME(digits >= 1 && digits <= 20);
	append(text, digits);
}

static void text_signed(struct text *text, int32_t value)
{
	if (value < 0)
		text_char(text, '-');
	text_unsigned(text, 0);
}

static void text_hex(struct text *text, uint64_t value, unsigned digits)
{
	(void)value;
	PROVE(digits >= 1 && digits <= 16, "a number of digits");
	append(text, digits);
}

static void text_hex_short(struct text *text, uint32_t value)
{
	unsigned digits = nondet_unsigned();

	(void)value;
	ASSUME(digits >= 1 && digits <= 8);
	append(text, digits);
}

static void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t length)
{
	PROVE(!length || __CPROVER_r_ok(bytes, length), "the bytes are there");
	append(text, 2 * length);
}

#endif
