/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-dump.c - fields and whole attributes as text (libibmad/fields/dump.c, format*.c).
 *
 * Every formatter, field and attribute with every size of buffer, against a page that may not be
 * read, and attributes with every size of their own. tests/oracle/golden compares the lines that
 * each prints.
 */
#include "listen.h"
#include "test.h"
#include "bounds.h"
#include "bytes.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include <infiniband/mad.h>

#include "libibmad/fields/fields.h"

#define ATTRIBUTE_SIZE	  IB_MAD_SIZE
#define LARGEST_UNCOUNTED 8 /* sizes up to here are ignored: see mad_dump_fields() */

static void dump_range(char *buf, int bufsz, void *val, int valsz)
{
	mad_dump_fields(buf, bufsz, val, valsz, IB_SA_DATA_F, IB_PORT_LAST_F);
}

/* The attribute without a function of its own that is looked at. */
static int printed_class, printed_id;

static void dump_attribute(char *buf, int bufsz, void *val, int valsz)
{
	assert_int_equal(mad_dump_attribute(buf, bufsz, val, valsz, printed_class, printed_id), 0);
}

static const struct {
	dump_function *function;
	int mgmt_class, id;
} attributes[] = {
#define DUMPED(mgmt_class, id, name, function, ...) { mad_dump_##function, mgmt_class, id },
#define PRINTED(mgmt_class, id, name, ...)	    { dump_attribute, mgmt_class, id },
#define NAMED(mgmt_class, id, name)
#define PART(function, ...) { mad_dump_##function, -1, 0 },
#include "common/mad_attributes.h"
	{ dump_range, -1, 0 },
};

/* The function of an attribute in the list. */
static dump_function *use(size_t i)
{
	printed_class = attributes[i].mgmt_class;
	printed_id = attributes[i].id;
	return attributes[i].function;
}

TEST(attributes_in_every_size)
{
	uint8_t *val = fenced_page() + PAGE - ATTRIBUTE_SIZE;

	for (size_t i = 0; i < COUNT(attributes); i++) {
		memset(val, 0, ATTRIBUTE_SIZE);
		check_every_size(use(i), val, ATTRIBUTE_SIZE);
		memset(val, 0xff, ATTRIBUTE_SIZE);
		check_every_size(use(i), val, ATTRIBUTE_SIZE);
		fill_random(val, ATTRIBUTE_SIZE);
		check_every_size(use(i), val, 1);
	}
}

static const struct {
	dump_function *function;
	enum { NUMBER, WORD, BYTES, TABLE } reads;
} values[] = {
#define VALUE_DUMP(function, reads) { function, reads },
#include "value-dumps.h"
};

/* The end of a page is a value: all zeros, all ones, or random. */
static uint8_t *make_value(size_t size, unsigned round)
{
	uint8_t *val = fenced_page() + PAGE - size;

	fill_random(val, size);
	if (round < 2)
		memset(val, round ? 0xff : 0, size);
	return val;
}

TEST(values_in_every_size)
{
	enum { ROUNDS = 64, LONGEST = 300 };

	for (size_t i = 0; i < COUNT(values); i++) {
		for (unsigned round = 0; round < ROUNDS; round++) {
			int valsz = (int)(pseudo_random() % LONGEST);
			size_t size = values[i].reads == WORD ? 4 : 8;

			if (values[i].reads == NUMBER)
				valsz = 1 << round / 2 % 4;
			if (values[i].reads == NUMBER || values[i].reads == BYTES)
				size = (size_t)valsz;
			check_every_size(values[i].function, make_value(size, round % 8), valsz);
		}
	}
}

/* As in all versions: at most as many characters as the field has bytes, and a NUL. */
TEST(long_strings_lose_their_end)
{
	char description[64] = { 0 }, expected[66], text[100];

	for (size_t length = 0; length <= sizeof(description); length++) {
		memset(description, 'x', length);
		snprintf(expected, sizeof(expected), "'%.*s", length > 62 ? 62 : (int)length,
			 description);
		if (length <= 61)
			strcat(expected, "'");
		mad_dump_string(text, sizeof(text), description, sizeof(description));
		assert_string_equal(text, expected);
		mad_dump_val(IB_NODE_DESC_F, text, sizeof(text), description);
		assert_string_equal(text, expected);
		mad_dump_nodedesc(text, sizeof(text), description, sizeof(description));
		assert_int_equal(strlen(text), length);
	}
}

static unsigned printed_field;

/* A buffer without space for a value stays as it is: the text in it, which is cut here, is not from
 * the library. */
static void dump_field(char *buf, int bufsz, void *val, int valsz)
{
	char *text = mad_dump_field((enum MAD_FIELDS)printed_field, buf, bufsz, val);
	char whole[LONGEST_TEXT];

	(void)valsz;
	assert_ptr_equal(text, bufsz > IB_FIELD_NAME_LEN ? buf : NULL);
	if (text || bufsz <= 0)
		return;
	assert_int_equal(buf[0], GUARD);
	mad_dump_field((enum MAD_FIELDS)printed_field, whole, sizeof(whole), val);
	whole[bufsz - 1] = '\0';
	strcpy(buf, whole);
}

static void dump_val(char *buf, int bufsz, void *val, int valsz)
{
	(void)valsz;
	assert_ptr_equal(mad_dump_val((enum MAD_FIELDS)printed_field, buf, bufsz, val), buf);
}

TEST(fields_in_every_size)
{
	for (printed_field = 0; printed_field < MAD_FIELD_OWN_LAST_; printed_field++) {
		const struct mad_field *field = mad_field_find(printed_field);

		for (unsigned round = 0; field && round < 3; round++) {
			size_t size = mad_field_is_word(field) ? 4 : field->bits / 8;
			uint8_t *val = make_value(size, round);

			check_every_size(dump_field, val, 0);
			check_every_size(dump_val, val, 0);
		}
	}
}

static bool is_one_line_of(const char *line, const char *text)
{
	const char *end = strchr(line, '\n') + 1;
	char *one = strndup(line, (size_t)(end - line));
	bool found = strstr(text, one) != NULL;

	free(one);
	return found;
}

/* A shorter attribute has fewer lines, never others, and nothing behind its end is read. */
TEST(short_attributes)
{
	static char whole[LONGEST_TEXT], text[LONGEST_TEXT];
	uint8_t full[ATTRIBUTE_SIZE];

	fill_random(full, sizeof(full));
	for (size_t i = 0; i < COUNT(attributes); i++) {
		dump_function *dump = use(i);
		size_t length = 0;

		dump(whole, sizeof(whole), full, ATTRIBUTE_SIZE);
		for (int valsz = LARGEST_UNCOUNTED + 1; valsz <= ATTRIBUTE_SIZE; valsz++) {
			uint8_t *val = fenced_page() + PAGE - valsz;

			memcpy(val, full, (size_t)valsz);
			dump(text, sizeof(text), val, valsz);
			assert_true(strlen(text) >= length);
			length = strlen(text);
			for (char *line = text; *line; line = strchr(line, '\n') + 1)
				assert_true(is_one_line_of(line, whole));
		}
		assert_string_equal(text, whole);
		dump(text, sizeof(text), full, 0);
		assert_string_equal(text, whole);
		dump(text, sizeof(text), full, LARGEST_UNCOUNTED);
		assert_string_equal(text, whole);
	}
}

/* By class and ID, the same text as that of the attribute's function, and what has none. */
TEST(attributes_by_id)
{
	static char text[LONGEST_TEXT], expected[LONGEST_TEXT];
	uint8_t val[ATTRIBUTE_SIZE];

	fill_random(val, sizeof(val));
	for (size_t i = 0; i < COUNT(attributes); i++) {
		int mgmt_class = attributes[i].mgmt_class;

		if (mgmt_class < 0 || attributes[i].function == dump_attribute)
			continue;
		attributes[i].function(expected, sizeof(expected), val, sizeof(val));
		assert_int_equal(mad_dump_attribute(text, sizeof(text), val, sizeof(val),
						    mgmt_class ? mgmt_class : IB_PERFORMANCE_CLASS,
						    attributes[i].id),
				 0);
		if (strncmp(text, expected, strlen(expected)))
			fail_msg("class 0x%02x attribute 0x%04x:\n%s\nnot\n%s", mgmt_class,
				 attributes[i].id, text, expected);
	}
	assert_errno(mad_dump_attribute(text, sizeof(text), val, 64, 0x01, 0xff10), ENOENT);
	assert_string_equal(text, "");
}

/* Compares the text of a row of dumps.txt. */
static void check_row(const char *row, const char *wanted)
{
	char text[LONGEST_TEXT];
	uint8_t val[ATTRIBUTE_SIZE] = { 0 };
	unsigned mgmt_class, attr_id;
	int size, length = 0;

	assert_int_equal(sscanf(row, "%x %x %d%n", &mgmt_class, &attr_id, &size, &length), 3);
	put_bytes(val, row + length);
	mad_dump_attribute(text, sizeof(text), val, size, (int)mgmt_class, (int)attr_id);
	if (strcmp(text, wanted)) {
		print_message("%sprints\n%s", row, text); /* the group drops standard error */
		fail();
	}
}

TEST(attributes_as_text)
{
	FILE *table = fopen(DUMPS_TABLE, "r");
	char line[512], row[512] = "", wanted[LONGEST_TEXT] = "";
	unsigned rows = 0;

	assert_non_null(table);
	for (bool more = true; more;) {
		more = fgets(line, sizeof(line), table);
		if (more && line[0] == '\t') {
			strcat(wanted, line + 1);
			continue;
		}
		if (wanted[0]) {
			check_row(row, wanted);
			rows++;
		}
		wanted[0] = '\0';
		strcpy(row, line);
	}
	fclose(table);
	assert_int_equal(rows, 6);
}

TEST(values_of_notices)
{
	uint8_t notice[64] = { 0x80, [4] = 1, 1, [16] = 0, 0x34, 0, 0x56 };
	struct mad_notice_value value;

	assert_int_equal(mad_notice_value(notice, 1, 2, &value), 0);
	assert_string_equal(value.name, "Key");
	assert_int_equal(value.bits, 32);
	assert_int_equal(value.number, 0x340056);
	assert_null(value.bytes);
	assert_int_equal(mad_notice_value(notice, 1, 6, &value), 0);
	assert_ptr_equal(value.bytes, notice + 28);
	assert_int_equal(value.number, 0);
	assert_errno(mad_notice_value(notice, 1, 8, &value), ENOENT);
	assert_errno(mad_notice_value(notice, 0x101, 2, &value), ENOENT);
	assert_string_equal(mad_notice_kind(notice, 0x101), "?");
	assert_string_equal(mad_notice_kind(NULL, 1), "?");
	notice[5] = 99;
	assert_errno(mad_notice_value(notice, 1, 0, &value), ENOENT);
}

TEST(modes_of_fec)
{
	char names[256] = "";

	for (unsigned mode = 0; mode < 16; mode++) {
		strcat(strcat(names, mad_fec_name(mode)), "|");
		assert_int_equal(mad_fec_is_rs(mode), 0x6f1c >> mode & 1); /* of Reed and Solomon */
	}
	assert_string_equal(names,
			    "no FEC|FireCode|RS-FEC|LL-RS-FEC|RS-FEC (544,514)|?|?|?|"
			    "MLNX-STRONG-RS|MLNX-LL-RS|MLNX-ADAPT-RS|MLNX-COD-FEC|MLNX-ZL-FEC|"
			    "MLNX-RS-544-514-PLR|MLNX-RS-271-257-PLR|?|");
	assert_string_equal(mad_fec_name(UINT32_MAX), "?");
	assert_int_equal(mad_fec_is_rs(UINT32_MAX), 0);
}

TEST(ranges_of_ids)
{
	static const struct {
		int first, end;
		unsigned lines;
	} ranges[] = {
		{ 0, IB_FIELD_LAST_, 621 },
		{ INT_MIN, INT_MAX, 621 },
		{ MAD_FIELD_OWN_FIRST, INT_MAX, MAD_FIELD_OWN_LAST_ - MAD_FIELD_OWN_FIRST },
		{ IB_NODE_FIRST_F, IB_NODE_LAST_F, 12 },
		{ IB_PORT_EXT_HDR_FEC_MODE_SUPPORTED_F, INT_MAX, 7 },
		{ INT_MIN, 2, 1 },
		{ 30, 20, 0 },
		{ IB_FIELD_LAST_, INT_MAX, 0 },
		{ INT_MIN, -1, 0 },
		{ 65536, 65636, 0 },
		{ 671, MAD_FIELD_OWN_FIRST, 0 },
		{ 0, 0, 0 },
	};
	static char text[256 * 1024];
	uint8_t *val = fenced_page() + PAGE - ATTRIBUTE_SIZE;

	memset(val, 0, ATTRIBUTE_SIZE);
	for (size_t i = 0; i < COUNT(ranges); i++) {
		unsigned lines = 0;

		mad_dump_fields(text, sizeof(text), val, ATTRIBUTE_SIZE, ranges[i].first,
				ranges[i].end);
		for (const char *c = text; *c; c++)
			lines += *c == '\n';
		assert_int_equal(lines, ranges[i].lines);
	}
}

/* Checks what mad_print_field() prints, and that it returns how much. */
static void expect_printed(enum MAD_FIELDS field, const char *name, void *val, const char *expected)
{
	int printed;

	listen_begin_to(STDOUT_FILENO);
	printed = mad_print_field(field, name, val);
	listen_end();
	assert_string_equal(said, expected);
	assert_int_equal(printed, strlen(expected));
}

TEST(printed_fields)
{
	uint32_t lid = 129;

	expect_printed(IB_PORT_LID_F, NULL, &lid, "Lid:.............................129\n");
	expect_printed(IB_PORT_LID_F, "My name", &lid, "My name:.........................129\n");
	expect_printed(IB_PORT_LID_F, "a name of thirty-one characters", &lid,
		       "a name of thirty-one characters:.129\n");
	expect_printed(IB_PORT_LID_F, "a name that has thirty-two letters", &lid,
		       "a name that has thirty-two letters:129\n");
}

static void expect_xdump(const char *msg, int size, const char *expected)
{
	uint8_t bytes[33];
	char text[256];
	FILE *file = tmpfile();
	size_t length;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	bytes[19] = 0xff;
	assert_non_null(file);
	xdump(file, msg, bytes, size);
	rewind(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

TEST(hexadecimal_dump)
{
	expect_xdump("msg\n", 0, "msg\n");
	expect_xdump("msg\n", -1, "msg\n");
	expect_xdump(NULL, 1, "00\n");
	expect_xdump("", 2, "0001 \n");
	expect_xdump(NULL, 3, "0001 02\n");
	expect_xdump(NULL, 16, "0001 0203 0405 0607 0809 0a0b 0c0d 0e0f\n");
	expect_xdump("m ", 20, "m 0001 0203 0405 0607 0809 0a0b 0c0d 0e0f\n1011 12ff \n");
	expect_xdump(NULL, 33,
		     "0001 0203 0405 0607 0809 0a0b 0c0d 0e0f\n"
		     "1011 12ff 1415 1617 1819 1a1b 1c1d 1e1f\n20\n");
}

/* Values are wrong on purpose. */
TEST_GROUP(listen_never, NULL)
