/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Numbers and labels for a text being built. A number is written in place if the longest would fit,
 * else through a scratch buffer that text_bytes() truncates. Digits are computed eight at a time in
 * the bytes of a word, without a branch that depends on the number.
 */
#include "libibmad/fields/text.h"

#include <endian.h>

#define LETTERS(c) ((c)*UINT64_C(0x0101010101010101)) /* the same in each byte */

/* The eight decimal digits of a number below 10^8, the first in the lowest byte. */
static uint64_t eight_digits(uint32_t value)
{
	uint64_t digits, tens;

	digits = value / 10000 | (uint64_t)(value % 10000) << 32;
	/* Two numbers below 10^4: x * 10486 / 2^20 is x / 100. */
	tens = (digits * 10486 >> 20) & 0x0000007f0000007f;
	digits = tens | (digits - tens * 100) << 16;
	/* Four numbers below 100: x * 103 / 2^10 is x / 10. */
	tens = (digits * 103 >> 10) & 0x000f000f000f000f;
	return tens | (digits - tens * 10) << 8;
}

char *text_put_unsigned(char *to, uint64_t value)
{
	uint64_t digits;
	unsigned zeros;

	if (value >= 100000000) {
		to = text_put_unsigned(to, value / 100000000);
		digits = htole64(eight_digits((uint32_t)(value % 100000000)) + LETTERS('0'));
		memcpy(to, &digits, sizeof(digits));
		return to + 8;
	}
	digits = eight_digits((uint32_t)value);
	zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
	digits = htole64((digits + LETTERS('0')) >> 8 * zeros);
	memcpy(to, &digits, sizeof(digits));
	return to + 8 - zeros;
}

/* The last digits (1 to 8) of a number; up to eight bytes are written, the rest as zeros. */
static char *put_hex(char *to, uint32_t value, unsigned digits)
{
	uint64_t nibbles = value, letters;

	nibbles = (nibbles | nibbles << 16) & 0x0000ffff0000ffff;
	nibbles = (nibbles | nibbles << 8) & 0x00ff00ff00ff00ff;
	nibbles = (nibbles | nibbles << 4) & 0x0f0f0f0f0f0f0f0f;
	letters = (nibbles + LETTERS(6)) >> 4 & LETTERS(1);
	nibbles += LETTERS('0') + letters * ('a' - '0' - 10);
	nibbles = htobe64(nibbles << 8 * (8 - digits));
	memcpy(to, &nibbles, sizeof(nibbles));
	return to + digits;
}

char *text_put_hex(char *to, uint64_t value, unsigned digits)
{
	if (digits > 8) {
		to = put_hex(to, (uint32_t)(value >> 32), digits - 8);
		digits = 8;
	}
	return put_hex(to, (uint32_t)value, digits);
}

void text_unsigned(struct text *text, uint64_t value)
{
	char scratch[TEXT_NUMBER_WIDTH];

	if (text_space(text) >= TEXT_NUMBER_WIDTH)
		text->next = text_put_unsigned(text->next, value);
	else
		text_bytes(text, scratch, (size_t)(text_put_unsigned(scratch, value) - scratch));
}

void text_signed(struct text *text, int32_t value)
{
	if (value < 0)
		text_char(text, '-');
	text_unsigned(text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void text_hex(struct text *text, uint64_t value, unsigned digits)
{
	char scratch[TEXT_NUMBER_WIDTH];

	if (text_space(text) >= TEXT_NUMBER_WIDTH)
		text->next = text_put_hex(text->next, value, digits);
	else
		text_bytes(text, scratch, (size_t)(text_put_hex(scratch, value, digits) - scratch));
}

void text_hex_short(struct text *text, uint32_t value)
{
	text_hex(text, value, (32u - (unsigned)__builtin_clz(value | 1) + 3) / 4);
}

void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t length)
{
	uint32_t word;

	for (; length >= sizeof(word); length -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		text_hex(text, be32toh(word), 8);
	}
	for (; length; length--)
		text_hex(text, *bytes++, 2);
}

void text_label(struct text *text, const char *name, size_t length)
{
	static const char dots[] = ".................................";
	size_t rest = length + 1 < TEXT_LABEL_WIDTH ? TEXT_LABEL_WIDTH - length - 1 : 0;

	_Static_assert(sizeof(dots) > TEXT_LABEL_WIDTH, "dots for an empty name");
	text_bytes(text, name, length);
	text_char(text, ':');
	text_bytes(text, dots, rest);
}
