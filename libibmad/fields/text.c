/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Numbers and labels for a text being built. */
#include "libibmad/fields/format.h"

void text_unsigned(struct text *text, uint64_t value)
{
	char digits[20]; /* of 2^64 - 1 */
	char *const end = digits + sizeof(digits), *first = end;

	do {
		*--first = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	text_bytes(text, first, (size_t)(end - first));
}

void text_signed(struct text *text, int32_t value)
{
	if (value < 0)
		text_char(text, '-');
	text_unsigned(text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void text_hex(struct text *text, uint64_t value, unsigned digits)
{
	char hex[16];

	for (unsigned i = digits; i--; value >>= 4)
		hex[i] = "0123456789abcdef"[value & 0xf];
	text_bytes(text, hex, digits);
}

void text_hex_short(struct text *text, uint32_t value)
{
	text_hex(text, value, (32u - (unsigned)__builtin_clz(value | 1) + 3) / 4);
}

void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t length)
{
	while (length--)
		text_hex(text, *bytes++, 2);
}

void text_label(struct text *text, const char *name)
{
	static const char dots[] = "................................";
	size_t length = strlen(name);

	_Static_assert(sizeof(dots) == TEXT_LABEL_WIDTH, "dots for an empty name");
	text_bytes(text, name, length);
	text_char(text, ':');
	if (length < TEXT_LABEL_WIDTH - 1)
		text_string(text, dots + length);
}
