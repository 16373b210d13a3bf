/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-format.c - the formatters of single values (libibmad/fields/format*.c).
 *
 * Each is called with all kinds of values and every size of buffer, with the value against a page
 * that may not be read. tests/oracle/golden compares what each prints for every value; here
 * are the cases that it leaves out.
 */
#include "listen.h"
#include "test.h"
#include "bounds.h"

#include <infiniband/mad.h>

struct formatter {
	const char *name;
	dump_function *dump;
};

#define FORMATTER(name)                \
	{                              \
#name, mad_dump_##name \
	}

/* These take a number of one to eight bytes. */
static const struct formatter numbers[] = {
	FORMATTER(int),
	FORMATTER(uint),
	FORMATTER(hex),
	FORMATTER(rhex),
};

/* These take a uint32_t, whatever size is passed. */
static const struct formatter words[] = {
	FORMATTER(bitfield),
	FORMATTER(linkwidth),
	FORMATTER(linkwidthsup),
	FORMATTER(linkwidthen),
	FORMATTER(linkdowndefstate),
	FORMATTER(linkspeed),
	FORMATTER(linkspeedsup),
	FORMATTER(linkspeeden),
	FORMATTER(linkspeedext),
	FORMATTER(linkspeedextsup),
	FORMATTER(linkspeedexten),
	FORMATTER(linkspeedext2),
	FORMATTER(linkspeedextsup2),
	FORMATTER(linkspeedexten2),
	FORMATTER(portstate),
	FORMATTER(physportstate),
	FORMATTER(portcapmask),
	FORMATTER(portcapmask2),
	FORMATTER(mtu),
	FORMATTER(vlcap),
	FORMATTER(opervls),
	FORMATTER(node_type),
};

/* These take as many bytes as the size that is passed. */
static const struct formatter arrays[] = {
	FORMATTER(array),
	FORMATTER(string),
	FORMATTER(nodedesc),
	FORMATTER(vlarbitration),
};

static char *print(dump_function *dump, const void *val, int valsz)
{
	static char text[LONGEST_TEXT];

	memset(text, GUARD, sizeof(text));
	dump(text, sizeof(text), (void *)val, valsz);
	return text;
}

static void check_word(dump_function *dump, uint32_t value, int valsz)
{
	uint8_t *val = fenced_page() + PAGE - sizeof(value);

	memcpy(val, &value, sizeof(value));
	check_every_size(dump, val, valsz);
}

TEST(words_in_every_size)
{
	for (size_t i = 0; i < COUNT(words); i++) {
		for (uint32_t value = 0; value < 40; value++)
			check_word(words[i].dump, value, 4);
		for (unsigned bit = 0; bit < 32; bit++)
			check_word(words[i].dump, UINT32_C(1) << bit, 1);
		for (unsigned turn = 0; turn < 20; turn++)
			check_word(words[i].dump, pseudo_random() << 1 ^ pseudo_random(), -1);
		check_word(words[i].dump, UINT32_MAX, 4);
	}
}

TEST(numbers_in_every_size)
{
	for (size_t i = 0; i < COUNT(numbers); i++)
		for (int valsz = 1; valsz <= 8; valsz++) {
			unsigned needs = valsz > 4 ? 8 : valsz == 3 ? 4 : (unsigned)valsz;
			uint8_t *val = fenced_page() + PAGE - needs;

			for (unsigned turn = 0; turn < 10; turn++) {
				if (turn < 2)
					memset(val, turn ? 0xff : 0, needs);
				else
					fill_random(val, needs);
				check_every_size(numbers[i].dump, val, valsz);
			}
		}
}

TEST(numbers_of_no_size)
{
	static const int sizes[] = { 0, -1, 9, 64, INT32_MAX, INT32_MIN };

	for (size_t i = 0; i < COUNT(numbers); i++)
		for (size_t j = 0; j < COUNT(sizes); j++)
			check_every_size(numbers[i].dump, NULL, sizes[j]);
}

TEST(arrays_in_every_size)
{
	for (size_t i = 0; i < COUNT(arrays); i++)
		for (int valsz = 0; valsz <= 64; valsz++) {
			uint8_t *val = fenced_page() + PAGE - valsz;

			fill_random(val, (size_t)valsz);
			check_every_size(arrays[i].dump, val, valsz);
			memset(val, 'x', (size_t)valsz);
			check_every_size(arrays[i].dump, val, valsz);
			memset(val, 0, (size_t)valsz);
			check_every_size(arrays[i].dump, val, valsz);
		}
	for (size_t i = 0; i < COUNT(arrays); i++)
		check_every_size(arrays[i].dump, NULL, -1);
}

TEST(sltovl_in_every_size)
{
	uint8_t *val = fenced_page() + PAGE - 8;

	for (unsigned turn = 0; turn < 20; turn++) {
		fill_random(val, 8);
		check_every_size(mad_dump_sltovl, val, turn % 2 ? 64 : 1);
	}
	memcpy(val, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
	assert_string_equal(print(mad_dump_sltovl, val, 8),
			    "| 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n");
}

TEST(odd_width_is_reported)
{
	uint32_t width = 3;
	const char *text;

	listen(text = print(mad_dump_linkwidth, &width, 4));
	assert_string_equal(text, "undefined (3)");
	assert_non_null(strstr(said, "mad_dump_linkwidth: bad width 3\n"));
}

/* Values are wrong on purpose. */
TEST_GROUP(listen_never, NULL)
