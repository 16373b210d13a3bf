/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * calls.c - makes the calls of the loaded pair.
 *
 * Numbers that a formatter takes from memory, and what mad_decode_field() writes to it, are in the
 * calls and results as a little-endian machine has them in memory. Another one turns the bytes
 * of such a number round (host_order) before and after.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "pair.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BUFFER_SIZE  512 /* bytes of an attribute, more than any field needs */
#define SHOWN_SIZE   384 /* bytes of it that are in a line */
#define ENCODED_SIZE 256 /* bytes that an encoded field is shown in */
#define DUMP_SIZE    4096

struct buffer {
	uint8_t bytes[BUFFER_SIZE];
};

/* The attribute of the latest "get": what the "set" of an array behind it takes. */
static struct buffer latest;

static struct buffer from_hex(const char *text)
{
	struct buffer buffer = { { 0 } };

	for (size_t i = 0; i < sizeof(buffer.bytes) && text[0] && text[1]; i++, text += 2) {
		char pair[3] = { text[0], text[1], '\0' };

		buffer.bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return buffer;
}

static void put_hex(char **to, const uint8_t *bytes, int length)
{
	for (int i = 0; i < length; i++)
		*to += sprintf(*to, "%02x", bytes[i]);
}

/* Text with what is not printable escaped. */
static void put_text(char **to, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '\n')
			*to += sprintf(*to, "\\n");
		else if (c == '\t')
			*to += sprintf(*to, "\\t");
		else if (c == '\\')
			*to += sprintf(*to, "\\\\");
		else if (c < 32 || c > 126)
			*to += sprintf(*to, "\\x%02x", c);
		else
			*(*to)++ = (char)c;
	}
	**to = '\0';
}

/* Turns a number of size bytes from little-endian to what this machine has in memory, or back. */
static void host_order(uint8_t *number, int size)
{
	if (htonl(1) != 1)
		return;
	for (int i = 0; i < size / 2; i++) {
		uint8_t byte = number[i];

		number[i] = number[size - 1 - i];
		number[size - 1 - i] = byte;
	}
}

/*
 * The bytes of the number that a formatter takes: a byte or a word of 2, 4 or 8. 0 for those that
 * take bytes, as they come from the wire.
 */
static int number_size(const char *formatter, int valsz)
{
	static const char *const takes_bytes[] = { "array",  "string",	      "nodedesc",
						   "sltovl", "vlarbitration", "portstates" };

	formatter += strlen("mad_dump_");
	for (size_t i = 0; i < COUNT(takes_bytes); i++)
		if (!strcmp(formatter, takes_bytes[i]))
			return 0;
	if (valsz > 8)
		return 0;
	if (!strcmp(formatter, "bitfield"))
		return 4;
	return valsz <= 2 ? valsz : valsz <= 4 ? 4 : 8;
}

/* The bytes of the number that a field is in memory; 0 for those that are bytes there. */
static int field_number_size(const struct field *field)
{
	return field->bits <= 32 ? 4 : field->bits == 64 ? 8 : 0;
}

static bool run_dump(const struct call *call, char *result)
{
	void (*dump)(char *, int, void *, int) = pair_function(call->column[1]);
	struct buffer val = from_hex(call->column[3]);
	char text[DUMP_SIZE] = "";

	if (!dump)
		return false;
	host_order(val.bytes, number_size(call->column[1], atoi(call->column[2])));
	dump(text, sizeof(text), val.bytes, atoi(call->column[2]));
	put_text(&result, text);
	return true;
}

static bool run_name(const struct call *call, char *result)
{
	const char *(*name)(int) = pair_function("mad_field_name");
	const char *text = name(atoi(call->column[1]));

	put_text(&result, text ? text : "(null)");
	return true;
}

static bool run_get(const struct call *call, char *result)
{
	uint32_t (*get)(void *, int, int) = pair_function("mad_get_field");
	uint64_t (*get64)(void *, int, int) = pair_function("mad_get_field64");
	void (*get_array)(void *, int, int, void *) = pair_function("mad_get_array");
	const struct field *field = field_find(atoi(call->column[1]));
	int base = atoi(call->column[2]);
	struct buffer val = { { 0 } };

	latest = from_hex(call->column[3]);
	if (field->bits <= 32) {
		sprintf(result, "%08x", get(latest.bytes, base, field->id));
	} else if (field->bits == 64) {
		sprintf(result, "%016llx",
			(unsigned long long)get64(latest.bytes, base, field->id));
	} else {
		get_array(latest.bytes, base, field->id, val.bytes);
		put_hex(&result, val.bytes, field_size(field));
	}
	return true;
}

static bool run_set(const struct call *call, char *result)
{
	void (*set)(void *, int, int, uint32_t) = pair_function("mad_set_field");
	void (*set64)(void *, int, int, uint64_t) = pair_function("mad_set_field64");
	void (*set_array)(void *, int, int, void *) = pair_function("mad_set_array");
	const struct field *field = field_find(atoi(call->column[1]));
	int base = atoi(call->column[2]);
	uint64_t number = strtoull(call->column[4], NULL, 16);
	struct buffer attribute;

	memset(attribute.bytes, atoi(call->column[3]) ? 0xff : 0, sizeof(attribute.bytes));
	if (field->bits <= 32)
		set(attribute.bytes, base, field->id, (uint32_t)number);
	else if (field->bits == 64)
		set64(attribute.bytes, base, field->id, number);
	else
		set_array(attribute.bytes, 0, field->id, latest.bytes);
	put_hex(&result, attribute.bytes, SHOWN_SIZE);
	return true;
}

static bool run_dec(const struct call *call, char *result)
{
	void (*decode)(uint8_t *, int, void *) = pair_function("mad_decode_field");
	void (*encode)(uint8_t *, int, void *) = pair_function("mad_encode_field");
	const struct field *field = field_find(atoi(call->column[1]));
	struct buffer attribute = from_hex(call->column[2]), val = { { 0 } };

	decode(attribute.bytes, field->id, val.bytes);
	memset(attribute.bytes, 0, sizeof(attribute.bytes));
	encode(attribute.bytes, field->id, val.bytes);
	host_order(val.bytes, field_number_size(field));
	put_hex(&result, val.bytes, field_size(field));
	*result++ = '\t';
	put_hex(&result, attribute.bytes, ENCODED_SIZE);
	return true;
}

static bool print_field(const char *function, const struct call *call, char *result)
{
	char *(*dump)(int, char *, int, void *) = pair_function(function);
	struct buffer val = from_hex(call->column[2]);
	char text[DUMP_SIZE] = "";

	host_order(val.bytes, field_number_size(field_find(atoi(call->column[1]))));
	dump(atoi(call->column[1]), text, sizeof(text), val.bytes);
	put_text(&result, text);
	return true;
}

static bool run_val(const struct call *call, char *result)
{
	return print_field("mad_dump_val", call, result);
}

static bool run_field(const struct call *call, char *result)
{
	return print_field("mad_dump_field", call, result);
}

static unsigned hex_column(const struct call *call, int column)
{
	return (unsigned)strtoul(call->column[column], NULL, 16);
}

static bool run_class(const struct call *call, char *result)
{
	const char *(*name)(uint8_t) = pair_function("umad_class_str");

	put_text(&result, name((uint8_t)hex_column(call, 1)));
	return true;
}

static bool run_method(const struct call *call, char *result)
{
	const char *(*name)(uint8_t, uint8_t) = pair_function("umad_method_str");

	put_text(&result, name((uint8_t)hex_column(call, 1), (uint8_t)hex_column(call, 2)));
	return true;
}

static bool run_attr(const struct call *call, char *result)
{
	const char *(*name)(uint8_t, uint16_t) = pair_function("umad_attribute_str");

	put_text(&result, name((uint8_t)hex_column(call, 1), htons((uint16_t)hex_column(call, 2))));
	return true;
}

static bool run_status(const struct call *call, char *result)
{
	const char *(*common)(uint16_t) = pair_function("umad_common_mad_status_str");
	const char *(*sa)(uint16_t) = pair_function("umad_sa_mad_status_str");
	uint16_t status = htons((uint16_t)hex_column(call, 1));

	put_text(&result, common(status));
	*result++ = '\t';
	put_text(&result, sa(status));
	return true;
}

struct kind kinds[] = {
	{ "dump", 4, .run = run_dump },
	{ "name", 2, run_name, .about_a_field = true },
	{ "get", 4, run_get, .about_a_field = true, .about_a_place = true },
	{ "set", 5, run_set, .about_a_field = true, .about_a_place = true },
	{ "dec", 3, run_dec, .about_a_field = true, .about_a_place = true },
	{ "val", 3, run_val, .about_a_field = true },
	{ "field", 3, run_field, .about_a_field = true },
	{ "class", 2, .run = run_class },
	{ "method", 3, .run = run_method },
	{ "attr", 3, .run = run_attr },
	{ "status", 2, .run = run_status },
	{ .name = NULL },
};

struct kind *kind_find(const char *name)
{
	struct kind *kind = kinds;

	while (kind->name && strcmp(kind->name, name) != 0)
		kind++;
	return kind->name ? kind : NULL;
}
