/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Names that would do harm in text, JSON and DOT, and levels of switches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "examples/fabric-sweep/escape.h"
#include "examples/fabric-sweep/fabric.h"
#include "examples/fabric-sweep/write.h"

#define HARMFUL "a\"b\\c\n\x1b[2J\r\t\x7f&<z>"

/* What write prints of name; the caller frees it. */
static char *print_name(void (*write)(FILE *file, const char *name), const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	write(file, name);
	assert_int_equal(fclose(file), 0);
	return text;
}

static void assert_printed(void (*write)(FILE *file, const char *name), const char *name,
			   const char *wanted)
{
	char *text = print_name(write, name);

	assert_string_equal(text, wanted);
	free(text);
}

static void text_has_printable_ascii_only(void **state)
{
	(void)state;
	assert_printed(escape_text, "leaf-01 HCA-1", "leaf-01 HCA-1");
	assert_printed(escape_text, HARMFUL, "a\\x22b\\x5cc\\x0a\\x1b[2J\\x0d\\x09\\x7f&<z>");
	assert_printed(escape_text, "\xc3\xa9\x9b", "\\xc3\\xa9\\x9b");
}

static void dot_has_neither_escapes_nor_entities(void **state)
{
	(void)state;
	assert_printed(escape_dot, HARMFUL,
		       "a\\\\x22b\\\\x5cc\\\\x0a\\\\x1b[2J\\\\x0d\\\\x09\\\\x7f&amp;<z>");
}

static void json_has_characters(void **state)
{
	(void)state;
	assert_printed(escape_json, HARMFUL,
		       "a\\u0022b\\u005cc\\u000a\\u001b[2J\\u000d\\u0009\\u007f&<z>");
	assert_printed(escape_json, "\xc3\xa9", "\\u00e9");
	assert_printed(escape_json, "\xe2\x82\xac", "\\u20ac");
	assert_printed(escape_json, "\xf0\x9f\x98\x80", "\\ud83d\\ude00");
}

/* Cut off, overlong, beyond Unicode, surrogates, stray bytes: each byte for itself. */
static void json_takes_bytes_that_are_no_utf8(void **state)
{
	(void)state;
	assert_printed(escape_json, "\xc3", "\\u00c3");
	assert_printed(escape_json, "\xe2\x82", "\\u00e2\\u0082");
	assert_printed(escape_json, "\xf0\x9f\x98", "\\u00f0\\u009f\\u0098");
	assert_printed(escape_json, "\xc0\xaf", "\\u00c0\\u00af");
	assert_printed(escape_json, "\xe0\x80\xaf", "\\u00e0\\u0080\\u00af");
	assert_printed(escape_json, "\xf4\x90\x80\x80", "\\u00f4\\u0090\\u0080\\u0080");
	assert_printed(escape_json, "\xed\xa0\x80", "\\u00ed\\u00a0\\u0080");
	assert_printed(escape_json, "\xff\x80z", "\\u00ff\\u0080z");
}

/* Every single byte, and every byte after one that begins a sequence. */
static void nothing_unprintable_comes_out(void **state)
{
	void (*const writers[])(FILE * file, const char *name) = { escape_text, escape_dot,
								   escape_json };

	(void)state;
	for (int first = 1; first < 0x100; first++)
		for (int second = 0; second < 0x100; second++)
			for (unsigned i = 0; i < 3; i++) {
				const char name[] = { (char)first, (char)second, 0 };
				char *text = print_name(writers[i], name);

				for (const char *c = text; *c; c++)
					assert_true(*c >= ' ' && *c <= '~' && *c != '"');
				free(text);
			}
}

static struct fabric_node *add(struct fabric *fabric, uint64_t guid, uint8_t type)
{
	struct fabric_node *node;

	assert_int_equal(fabric_add(fabric, guid, 3, &node), 0);
	node->type = type;
	return node;
}

/* A node that says its name is 64 bytes long gives 64 bytes to print. */
static void longest_name_ends(void **state)
{
	uint8_t data[IB_SMP_DATA_SIZE];
	struct fabric_node node;

	(void)state;
	memset(data, 'x', sizeof(data));
	memset(&node, 0xff, sizeof(node));
	assert_true(attribute_name(data, sizeof(data), &node));
	assert_int_equal(strlen(node.name), IB_SMP_DATA_SIZE);
	assert_false(attribute_name(data, sizeof(data) - 1, &node));
	assert_false(attribute_name(NULL, 0, &node));
}

static void levels_count_from_hosts(void **state)
{
	struct fabric fabric;
	struct fabric_node *host, *leaf, *spine, *router, *lonely;

	(void)state;
	assert_int_equal(fabric_init(&fabric), 0);
	spine = add(&fabric, 1, IB_NODE_SWITCH);
	leaf = add(&fabric, 2, IB_NODE_SWITCH);
	lonely = add(&fabric, 3, IB_NODE_SWITCH);
	host = add(&fabric, 4, IB_NODE_CA);
	router = add(&fabric, 5, IB_NODE_ROUTER);
	assert_true(fabric_link(&host->ports[1], &leaf->ports[1]));
	assert_true(fabric_link(&leaf->ports[2], &spine->ports[1]));
	assert_true(fabric_link(&lonely->ports[1], &lonely->ports[1]));
	assert_int_equal(fabric_find_levels(&fabric), 0);
	assert_int_equal(host->level, 0);
	assert_int_equal(router->level, 0);
	assert_int_equal(leaf->level, 1);
	assert_int_equal(spine->level, 2);
	assert_int_equal(lonely->level, 3);
	fabric_destroy(&fabric);
}

/* A fabric of nothing, as after a Ctrl-C that came first. */
static void nothing_can_be_written(void **state)
{
	void (*const writers[])(const struct fabric *fabric, FILE *file) = { text_write, json_write,
									     dot_write };
	struct fabric fabric;

	(void)state;
	assert_int_equal(fabric_init(&fabric), 0);
	assert_int_equal(fabric_find_levels(&fabric), 0);
	fabric_sort(&fabric);
	for (unsigned i = 0; i < 3; i++) {
		char *text = NULL;
		size_t size;
		FILE *file = open_memstream(&text, &size);

		assert_non_null(file);
		writers[i](&fabric, file);
		assert_int_equal(fclose(file), 0);
		assert_true(size > 0);
		free(text);
	}
	fabric_destroy(&fabric);
}

static void warnings_are_counted_beyond_what_is_kept(void **state)
{
	struct fabric fabric;

	(void)state;
	assert_int_equal(fabric_init(&fabric), 0);
	for (int i = 0; i < FABRIC_WARNINGS_MAX + 5; i++)
		fabric_warn(&fabric, "number %d", i);
	assert_int_equal(fabric.number_of_warnings, FABRIC_WARNINGS_MAX + 5);
	assert_int_equal(fabric_warnings_kept(&fabric), FABRIC_WARNINGS_MAX);
	assert_string_equal(fabric.warnings[FABRIC_WARNINGS_MAX - 1], "number 999");
	fabric_destroy(&fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_has_printable_ascii_only),
		cmocka_unit_test(dot_has_neither_escapes_nor_entities),
		cmocka_unit_test(json_has_characters),
		cmocka_unit_test(json_takes_bytes_that_are_no_utf8),
		cmocka_unit_test(nothing_unprintable_comes_out),
		cmocka_unit_test(longest_name_ends),
		cmocka_unit_test(levels_count_from_hosts),
		cmocka_unit_test(nothing_can_be_written),
		cmocka_unit_test(warnings_are_counted_beyond_what_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
