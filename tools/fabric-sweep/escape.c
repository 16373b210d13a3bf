/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Prints names. A node name may contain anything: quotes that would end a string early, line ends
 * that would begin a record, or sequences that a terminal interprets. So only printable ASCII is
 * printed unchanged, everything else as its number. The caller prints the quotes around a name.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"

#define FIRST_AFTER_CONTROLS 0xa0

static bool is_plain(uint8_t byte)
{
	return byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
}

/* For text: \x and two digits. */
void escape_text(FILE *file, const char *name)
{
	for (const uint8_t *byte = (const uint8_t *)name; *byte; byte++)
		if (is_plain(*byte))
			putc_unlocked(*byte, file);
		else
			fprintf(file, "\\x%02x", *byte);
}

/* For CSV: as text, and the character by which a spreadsheet knows a formula as its number, too. */
void escape_csv(FILE *file, const char *name)
{
	for (; *name == ' '; name++)
		putc_unlocked(*name, file);
	if (*name && strchr("=+-@", *name))
		fprintf(file, "\\x%02x", (uint8_t)*name++);
	escape_text(file, name);
}

/*
 * The character at the beginning of text, and its length in bytes. Bytes that are not UTF-8 count
 * as Latin-1 characters: no node name may make the file invalid.
 */
static uint32_t decode_utf8(const uint8_t *text, unsigned *length)
{
	static const uint32_t smallest[] = { [2] = 0x80, [3] = 0x800, [4] = 0x10000 };
	unsigned bytes = *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : *text >= 0xc0 ? 2 : 1;
	uint32_t character = bytes > 1 ? *text & (0x7fU >> bytes) : *text;
	bool good = true;

	for (unsigned i = 1; i < bytes && good; i++) {
		good = (text[i] & 0xc0) == 0x80;
		character = character << 6 | (text[i] & 0x3f);
	}
	good = good && character >= smallest[bytes] && character <= 0x10ffff &&
	       (character < 0xd800 || character > 0xdfff);
	*length = good ? bytes : 1;
	return good ? character : *text;
}

/*
 * For labels of Graphviz, which reads UTF-8, and interprets backslash sequences and HTML entities.
 * Control characters exist beyond ASCII, too.
 */
void escape_dot(FILE *file, const char *name, unsigned most)
{
	const uint8_t *byte = (const uint8_t *)name;

	for (unsigned length; *byte && most--; byte += length) {
		uint32_t character = decode_utf8(byte, &length);

		if (length > 1 && character >= FIRST_AFTER_CONTROLS)
			fwrite(byte, 1, length, file);
		else if (*byte == '&')
			fputs("&amp;", file);
		else if (is_plain(*byte))
			putc_unlocked(*byte, file);
		else
			for (unsigned i = 0; i < length; i++)
				fprintf(file, "\\\\x%02x", byte[i]);
	}
}

/* For JSON, whose strings are Unicode: names are UTF-8 by the specification. */
void escape_json(FILE *file, const char *name)
{
	const uint8_t *byte = (const uint8_t *)name;

	for (unsigned length; *byte; byte += length) {
		uint32_t character = decode_utf8(byte, &length);

		if (character >= 0x10000) { /* the first of a pair of surrogates */
			fprintf(file, "\\u%04x", 0xd7c0 + (character >> 10));
			character = 0xdc00 + (character & 0x3ff);
		}
		if (length == 1 && is_plain(*byte))
			putc_unlocked(*byte, file);
		else
			fprintf(file, "\\u%04x", character);
	}
}

bool is_utf8(const char *name)
{
	const uint8_t *byte = (const uint8_t *)name;

	for (unsigned length; *byte; byte += length) {
		decode_utf8(byte, &length);
		if (*byte >= 0x80 && length == 1)
			return false;
	}
	return true;
}

/* Messages have file names and pieces of files, in which a terminal must find nothing to do. */
void escape_message(char *text)
{
	for (unsigned length; *text; text += length) {
		uint32_t character = decode_utf8((uint8_t *)text, &length);

		if (character < ' ' || character == 0x7f ||
		    (character >= 0x80 && (length == 1 || character < FIRST_AFTER_CONTROLS)))
			memset(text, '?', length);
	}
}

/* For label values of Prometheus, which knows three backslash sequences. */
void escape_prometheus(FILE *file, const char *name)
{
	for (const uint8_t *byte = (const uint8_t *)name; *byte; byte++)
		if (*byte == '"' || *byte == '\\')
			fprintf(file, "\\%c", *byte);
		else if (*byte < ' ' || *byte > '~')
			fprintf(file, "\\\\x%02x", *byte);
		else
			putc_unlocked(*byte, file);
}
