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

/* Every width and speed by itself, as ibstat and the tools of infiniband-diags print them. */
TEST(widths_and_speeds)
{
	static const struct {
		dump_function *dump;
		uint32_t value;
		const char *text;
	} rows[] = {
		{ mad_dump_linkwidth, 1, "1X" },
		{ mad_dump_linkwidth, 2, "4X" },
		{ mad_dump_linkwidth, 4, "8X" },
		{ mad_dump_linkwidth, 8, "12X" },
		{ mad_dump_linkwidth, 16, "2X" },
		{ mad_dump_linkwidthsup, 31, "1X or 4X or 8X or 12X or 2X" },
		{ mad_dump_linkspeed, 1, "2.5 Gbps" },
		{ mad_dump_linkspeed, 2, "5.0 Gbps" },
		{ mad_dump_linkspeed, 4, "10.0 Gbps" },
		{ mad_dump_linkspeedext, 1, "14.0625 Gbps" },
		{ mad_dump_linkspeedext, 2, "25.78125 Gbps" },
		{ mad_dump_linkspeedext, 4, "53.125 Gbps" },
		{ mad_dump_linkspeedext, 8, "106.25 Gbps" },
		{ mad_dump_linkspeedextsup, 15,
		  "14.0625 Gbps or 25.78125 Gbps or 53.125 Gbps or 106.25 Gbps" },
		{ mad_dump_linkspeedexten, 30, "Extended link speeds disabled" },
		{ mad_dump_linkspeedext2, 0, "No Extended Speed 2" },
		{ mad_dump_linkspeedext2, 1, "212.5 Gbps" },
		{ mad_dump_linkspeedextsup2, 1, "212.5 Gbps" },
		{ mad_dump_linkspeedexten2, 0, "0" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(print(rows[i].dump, &rows[i].value, 4), rows[i].text);
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
	char text[64];

	for (size_t i = 0; i < COUNT(numbers); i++)
		for (size_t j = 0; j < COUNT(sizes); j++)
			check_every_size(numbers[i].dump, NULL, sizes[j]);

	listen(mad_dump_int(text, sizeof(text), NULL, 9));
	assert_non_null(strstr(said, "mad_dump_int: bad int sz 9\n"));
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

/* A number has as many digits as its size has, whatever else is in the word. */
TEST(numbers_take_their_bytes)
{
	uint64_t number = UINT64_C(0x8182838485868788);
	uint32_t word = 0x85868788;
	uint16_t half = 0x8788;
	uint8_t byte = 0x88;

	assert_string_equal(print(mad_dump_int, &byte, 1), "136");
	assert_string_equal(print(mad_dump_int, &half, 2), "34696");
	assert_string_equal(print(mad_dump_int, &word, 4), "-2054781048");
	assert_string_equal(print(mad_dump_int, &number, 8), "9332165983064197000");
	assert_string_equal(print(mad_dump_uint, &word, 3), "2240186248");
	assert_string_equal(print(mad_dump_uint, &word, 4), "2240186248");
	assert_string_equal(print(mad_dump_hex, &byte, 1), "0x88");
	assert_string_equal(print(mad_dump_hex, &word, 3), "0x868788");
	assert_string_equal(print(mad_dump_hex, &number, 8), "0x8182838485868788");
	assert_string_equal(print(mad_dump_rhex, &half, 2), "8788");
}

TEST(text_and_bytes)
{
	assert_string_equal(print(mad_dump_string, "ab", 8), "'ab'");
	assert_string_equal(print(mad_dump_string, "ab", 4), "'ab");
	assert_string_equal(print(mad_dump_string, "ab", 2), "'");
	assert_string_equal(print(mad_dump_string, "ab", 1), "");
	assert_string_equal(print(mad_dump_string, "ab", 0), "");
	assert_string_equal(print(mad_dump_nodedesc, "node\0behind", 11), "node");
	assert_string_equal(print(mad_dump_nodedesc, "node", 2), "no");
	assert_string_equal(print(mad_dump_array, "\x00\x1f\xff", 3), "001fff");
	assert_string_equal(print(mad_dump_array, "\x00\x1f\xff", -3), "");
	assert_string_equal(print(mad_dump_vlarbitration, "\xf1\xa0\x02\x05\x03", 5),
			    "\nVL    : |0x1 |0x2 |\nWEIGHT: |0xA0|0x5 |\n");
}

/* The names of the last bits that have one; further bits are part of the number alone. */
TEST(bits_of_capability_mask_2)
{
	uint32_t value = 0x3c00;
	char text[200];

	mad_dump_portcapmask2(text, sizeof(text), &value, sizeof(value));
	assert_string_equal(text, "0x3c00\n\t\t\t\tIsLinkSpeedNDRSupported"
				  "\n\t\t\t\tIsExtendedSpeeds2Supported"
				  "\n\t\t\t\tIsLinkSpeedXDRSupported");
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
