/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The values in the DataDetails of notices, from the rows of common/mad_notices.h, as text.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/bytes.h"
#include "common/mad_words.h"
#include "libibumad/internal.h"

enum { VALUE_SIZE = 2 * 32 + 1 }; /* for the longest, 256 bits in hexadecimal */

static const struct umad_notice_value values[] = {
#define KIND(mgmt_class, trap, text, layout)
#define VALUE(layout, name, first, bits, form) { layout, first, bits, UMAD_NOTICE_##form, name },
#include "common/mad_notices.h"
#undef KIND
#undef VALUE
};

const struct umad_notice_value *umad_notice_next_value(const struct umad_notice_value *after,
						       unsigned int layout)
{
	const struct umad_notice_value *value = after ? after + 1 : values;

	for (; value < values + sizeof(values) / sizeof(values[0]); value++)
		if (value->layout == layout)
			return value;
	return NULL;
}

static void print_value(char text[VALUE_SIZE], const uint8_t *notice,
			const struct umad_notice_value *value)
{
	const uint8_t *bytes = notice + value->first / CHAR_BIT;

	switch (value->form) {
	case UMAD_NOTICE_KEY:
		strcpy(text, "hidden");
		break;
	case UMAD_NOTICE_GID:
		inet_ntop(AF_INET6, bytes, text, VALUE_SIZE);
		break;
	case UMAD_NOTICE_BYTES:
		for (unsigned int i = 0; i < value->bits / CHAR_BIT; i++)
			snprintf(text + (size_t)2 * i, 3, "%02x", bytes[i]);
		break;
	default:
		snprintf(text, VALUE_SIZE,
			 value->form == UMAD_NOTICE_HEX ? "0x%" PRIx64 : "%" PRIu64,
			 mad_get_bits(notice, value->first, value->bits));
	}
}

void umad_notice_print(char *text, size_t size, const uint8_t *notice, unsigned int layout)
{
	const struct umad_notice_value *value = NULL;
	const char *separator = ": ";
	char value_text[VALUE_SIZE];
	size_t at = 0;
	int length;

	*text = '\0';
	while (at < size && (value = umad_notice_next_value(value, layout))) {
		print_value(value_text, notice, value);
		length = snprintf(text + at, size - at, "%s%s %s", separator, value->name,
				  value_text);
		at += length > 0 ? (size_t)length : 0;
		separator = ", ";
	}
}
