/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdio.h>

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

void text_hex(struct text *text, uint64_t value, unsigned digits)
{
	char hex[16];

	for (unsigned i = digits; i--; value >>= 4)
		hex[i] = "0123456789abcdef"[value & 0xf];
	text_bytes(text, hex, digits);
}

void text_hex_bytes(struct text *text, const uint8_t *bytes, size_t length)
{
	while (length--)
		text_hex(text, *bytes++, 2);
}

void text_print(struct text *text, const char *format, ...)
{
	char printed[64];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(printed, sizeof(printed), format, arguments);
	va_end(arguments);
	text_string(text, printed);
}

const char text_dots[IB_FIELD_NAME_LEN + 1] = "................................";

void text_label(struct text *text, const char *name)
{
	size_t length = strlen(name);

	text_bytes(text, name, length);
	text_char(text, ':');
	if (length < IB_FIELD_NAME_LEN)
		text_bytes(text, text_dots, IB_FIELD_NAME_LEN - length);
}
