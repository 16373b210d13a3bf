/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Notices: the meaning of a trap, and the values in its DataDetails, from the rows of
 * common/mad_notices.h. Values begin at any bit, so the table of fields cannot hold them. Input: a
 * notice as it came in a MAD.
 */
#include <arpa/inet.h>
#include <limits.h>

#include "common/mad_words.h"
#include "common/sized.h"
#include "libibmad/fields/format.h"

enum {
	NOTICE_SIZE = 64,
	ISSUER_GID_END = 80, /* only the SA appends the issuer's GID */
	DETAILS = 10,
};

enum form { UINT, HEX, GID, BYTES, KEY };

static const struct row {
	uint16_t layout;
	uint16_t first;
	uint16_t bits;
	uint8_t form;
	char name[26];
} rows[] = {
#define KIND(mgmt_class, trap, text, layout)
#define VALUE(layout, name, first, bits, form) { layout, first, bits, form, name },
#include "common/mad_notices.h"
};

static const struct row *const end = rows + sizeof(rows) / sizeof(rows[0]);

/* Returns the first row of a layout, from `row` on; end if there is none. */
static const struct row *find_row(const struct row *row, unsigned layout)
{
	while (row < end && row->layout != layout)
		row++;
	return row;
}

static const struct mad_words_notice *find_kind(const void *notice, int mgmt_class)
{
	if (!notice || (unsigned)mgmt_class > UINT8_MAX)
		return NULL;
	return mad_words_find_notice((uint8_t)mgmt_class, notice);
}

const char *mad_notice_kind(const void *notice, int mgmt_class)
{
	const struct mad_words_notice *kind = find_kind(notice, mgmt_class);

	return kind ? kind->text : "?";
}

int mad_notice_value_sized(const void *notice, int mgmt_class, unsigned index,
			   struct mad_notice_value *value, size_t size)
{
	const struct mad_words_notice *kind = find_kind(notice, mgmt_class);
	struct mad_notice_value found = { 0 };
	const struct row *row;

	if (!notice || !value)
		return mad_zero_or_error(
			mad_refuse(notice ? MAD_REFUSED_STRUCTURE : MAD_REFUSED_NOTICE));
	if (!kind)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_NO_VALUE));
	row = find_row(rows, kind->layout);
	while (row < end && index--)
		row = find_row(row + 1, kind->layout);
	if (row == end)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_NO_VALUE));
	found.name = row->name;
	found.bits = row->bits;
	if (row->bits > 64)
		found.bytes = (const uint8_t *)notice + row->first / CHAR_BIT;
	else
		found.number = mad_get_bits(notice, row->first, row->bits);
	return mad_zero_or_error(SIZED_GIVE(value, size, bytes, &found));
}

static void put_gid(struct text *text, const uint8_t *gid)
{
	char words[INET6_ADDRSTRLEN];

	if (inet_ntop(AF_INET6, gid, words, sizeof(words)))
		text_string(text, words);
}

static void put_value(struct text *text, const uint8_t *notice, const struct row *row)
{
	const uint8_t *bytes = notice + row->first / CHAR_BIT;

	text_label(text, row->name);
	if (row->form == GID)
		put_gid(text, bytes);
	else if (row->form == BYTES)
		text_hex_bytes(text, bytes, row->bits / CHAR_BIT);
	else
		mad_format_number(text, row->form == UINT ? MAD_FORMAT_UINT : MAD_FORMAT_HEX,
				  (row->bits + 7u) / 8,
				  mad_get_bits(notice, row->first, row->bits));
	text_char(text, '\n');
}

static void put_details(struct text *text, const uint8_t *notice, int mgmt_class)
{
	static const struct row details = { 0, 8 * DETAILS, 8 * (NOTICE_SIZE - DETAILS), BYTES,
					    "DataDetails" };
	const struct mad_words_notice *kind = mad_words_find_notice((uint8_t)mgmt_class, notice);

	if (!kind) {
		put_value(text, notice, &details);
		return;
	}
	text_label(text, "NoticeKind");
	text_string(text, kind->text);
	text_char(text, '\n');
	for (const struct row *row = find_row(rows, kind->layout); row < end;
	     row = find_row(row + 1, kind->layout))
		put_value(text, notice, row);
}

void mad_format_notice(struct text *text, const uint8_t *notice, unsigned size, int mgmt_class)
{
	static const struct row issuer = { 0, 8 * NOTICE_SIZE, 128, GID, "IssuerGID" };

	if (size >= NOTICE_SIZE)
		put_details(text, notice, mgmt_class);
	if (size >= ISSUER_GID_END)
		put_value(text, notice, &issuer);
}
