/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-text.c - the text writer (libibmad/fields/text.h, text.c), against the C library's printf.
 */
#include "test.h"
#include "bounds.h"

#include <inttypes.h>

#include <libibmad/fields/text.h>

/* Numbers of every length: each power of ten and of two, their neighbours, and random ones. */
static uint64_t number(unsigned i)
{
	uint64_t power = 1;

	if (i < 60) {
		for (unsigned n = 0; n < i / 3; n++)
			power *= 10;
		return power - 1 + i % 3;
	}
	if (i < 252)
		return (power << (i - 60) / 3) - 1 + i % 3;
	return ((uint64_t)pseudo_random() << 33 ^ pseudo_random()) >> i % 64;
}

TEST(numbers_as_printf_has_them)
{
	char buf[128], expected[128];
	struct text text;

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t value = number(i);
		unsigned digits = 1 + i % 16;

		text_begin(&text, buf, sizeof(buf));
		text_unsigned(&text, value);
		text_char(&text, ' ');
		text_signed(&text, (int32_t)value);
		text_char(&text, ' ');
		text_hex_short(&text, (uint32_t)value);
		text_char(&text, ' ');
		text_hex(&text, value, digits);
		text_end(&text);
		snprintf(expected, sizeof(expected),
			 "%" PRIu64 " %" PRId32 " %" PRIx32 " %0*" PRIx64, value, (int32_t)value,
			 (uint32_t)value, (int)digits, value & UINT64_MAX >> (64 - 4 * digits));
		assert_string_equal(buf, expected);
	}
}

TEST(signed_limits)
{
	char buf[32];
	struct text text;

	text_begin(&text, buf, sizeof(buf));
	text_signed(&text, INT32_MIN);
	text_char(&text, ' ');
	text_signed(&text, INT32_MAX);
	text_end(&text);
	assert_string_equal(buf, "-2147483648 2147483647");
}

/* Every kind of piece, one behind the other. */
static void put_pieces(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	text_label(&text, "Label");
	text_unsigned(&text, UINT64_MAX);
	text_unsigned(&text, 7);
	text_string(&text, " literal ");
	text_hex(&text, UINT64_C(0x0123456789abcdef), 16);
	text_string(&text, "a name");
	text_signed(&text, -123456789);
	text_hex_short(&text, 0xabc);
	text_hex_bytes(&text, val, (size_t)valsz);
	text_bytes(&text, "bytes", 5);
	text_char(&text, '!');
	text_end(&text);
}

TEST(pieces_are_cut_anywhere)
{
	static char long_name[] = "a name of more than thirty-two characters";
	uint8_t bytes[] = { 0x00, 0xff, 0x12, 0x34, 0x56, 0x78, 0x9a };
	char buf[256];
	struct text text;

	check_every_size(put_pieces, bytes, sizeof(bytes));
	put_pieces(buf, sizeof(buf), bytes, sizeof(bytes));
	assert_string_equal(buf, "Label:..........................."
				 "184467440737095516157 literal 0123456789abcdefa name-123456789"
				 "abc00ff123456789abytes!");
	text_begin(&text, buf, sizeof(buf));
	text_label(&text, long_name);
	text_end(&text);
	assert_string_equal(buf, "a name of more than thirty-two characters:");
}
