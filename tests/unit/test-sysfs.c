/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-sysfs.c - reading and parsing of one attribute (libibumad/base/sysfs.c).
 */
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

#define DIR_PATH  "/sys/class/infiniband"
#define FILE_PATH DIR_PATH "/file"

/* Reads content as a text into a buffer of size bytes. */
static int read_string(const char *content, char *buffer, size_t size)
{
	kernel_file(FILE_PATH, content);
	return umad_sysfs_read_string(DIR_PATH, "file", buffer, size);
}

FAKESYS_TEST(string_is_the_first_line)
{
	char buffer[20];

	assert_int_equal(read_string("mlx5_0\n", buffer, sizeof(buffer)), 0);
	assert_string_equal(buffer, "mlx5_0");
	assert_int_equal(read_string("no newline", buffer, sizeof(buffer)), 0);
	assert_string_equal(buffer, "no newline");
	assert_int_equal(read_string("one\ntwo\n", buffer, sizeof(buffer)), 0);
	assert_string_equal(buffer, "one");
	assert_int_equal(read_string("", buffer, sizeof(buffer)), 0);
	assert_string_equal(buffer, "");
	assert_int_equal(read_string("\n", buffer, sizeof(buffer)), 0);
	assert_string_equal(buffer, "");
}

FAKESYS_TEST(string_ends_at_a_nul)
{
	char buffer[20];

	kernel_bytes(FILE_PATH, "one\0two\n", 8);
	assert_int_equal(umad_sysfs_read_string(DIR_PATH, "file", buffer, sizeof(buffer)), 0);
	assert_string_equal(buffer, "one");
}

FAKESYS_TEST(string_that_does_not_fit_is_cut)
{
	char buffer[9], big[4000];

	buffer[8] = '#';
	assert_int_equal(read_string("1234567\n", buffer, 8), 0);
	assert_string_equal(buffer, "1234567");
	assert_int_equal(read_string("12345678\n", buffer, 8), -EOVERFLOW);
	assert_string_equal(buffer, "1234567");
	memset(big, 'x', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(read_string(big, buffer, 8), -EOVERFLOW);
	assert_string_equal(buffer, "xxxxxxx");
	assert_int_equal(buffer[8], '#');
}

FAKESYS_TEST(failures_leave_the_value_alone)
{
	char buffer[8] = "before";
	union umad_gid gid = { { 1 } };
	unsigned int number = 42;
	__be64 guid = 43;

	assert_int_equal(umad_sysfs_read_string(DIR_PATH, "file", buffer, sizeof(buffer)), -ENOENT);
	kernel_file(FILE_PATH, "x\n");
	fakesys_fail_path(KERNEL_READ, FILE_PATH, EINVAL);
	assert_int_equal(umad_sysfs_read_string(DIR_PATH, "file", buffer, sizeof(buffer)), -EINVAL);
	assert_int_equal(umad_sysfs_read_number(DIR_PATH, "file", &number), -EINVAL);
	assert_int_equal(umad_sysfs_read_guid(DIR_PATH, "file", &guid), -EINVAL);
	assert_int_equal(umad_sysfs_read_gid(DIR_PATH, "file", &gid), -EINVAL);
	assert_string_equal(buffer, "before");
	assert_int_equal(number, 42);
	assert_int_equal(guid, 43);
	assert_int_equal(gid.raw[0], 1);
}

FAKESYS_TEST(directory_is_no_attribute)
{
	unsigned int number;

	kernel_directory(FILE_PATH);
	assert_int_equal(umad_sysfs_read_number(DIR_PATH, "file", &number), -EISDIR);
}

FAKESYS_TEST(path_that_is_too_long_is_not_opened)
{
	char attribute[UMAD_PATH_SIZE];
	unsigned int number;

	memset(attribute, 'x', sizeof(attribute));
	attribute[sizeof(attribute) - 1] = '\0';
	assert_int_equal(umad_sysfs_read_number(DIR_PATH, attribute, &number), -ENAMETOOLONG);
	attribute[sizeof(attribute) - sizeof(DIR_PATH "/") + 1] = '\0'; /* no space for the NUL */
	assert_int_equal(umad_sysfs_read_number(DIR_PATH, attribute, &number), -ENAMETOOLONG);
	assert_int_equal(fakesys_count(KERNEL_OPEN), 0);
	attribute[sizeof(attribute) - sizeof(DIR_PATH "/")] = '\0';
	assert_int_equal(umad_sysfs_read_number(DIR_PATH, attribute, &number), -ENOENT);
}

FAKESYS_TEST(numbers)
{
	static const struct {
		const char *content;
		unsigned int value;
	} good[] = {
		{ "0\n", 0 },
		{ "7", 7 },
		{ "4: ACTIVE\n", 4 },
		{ "0x2651e848\n", 0x2651e848 },
		{ "0XfF\n", 255 },
		{ "010\n", 10 },
		{ "4294967295\n", UINT_MAX },
		{ "0xffffffff\n", UINT_MAX },
		{ "5\n6\n", 5 },
	};
	unsigned int value;
	size_t i;

	for (i = 0; i < COUNT(good); i++) {
		kernel_file(FILE_PATH, good[i].content);
		value = 4711;
		assert_int_equal(umad_sysfs_read_number(DIR_PATH, "file", &value), 0);
		assert_int_equal(value, good[i].value);
	}
}

FAKESYS_TEST(rates)
{
	static const struct {
		const char *content;
		unsigned int value;
	} good[] = {
		{ "100 Gb/sec (4X EDR)\n", 100 },   { "100Gb/sec\n", 100 },
		{ "1600 Gb/sec (8X XDR)\n", 1600 }, { "2400 Gb/sec (12X XDR)\n", 2400 },
		{ "2.5 Gb/sec (1X)\n", 2 },	    { "800", 800 },
		{ "4294967295Gb/sec\n", UINT_MAX },
	};
	static const char *const bad[] = {
		"", "\n", " 100 Gb/sec\n", "Gb/sec\n", "-1\n", ".5 Gb/sec\n", "4294967296 Gb/sec\n",
	};
	unsigned int value;
	size_t i;

	for (i = 0; i < COUNT(good); i++) {
		kernel_file(FILE_PATH, good[i].content);
		value = 4711;
		assert_int_equal(umad_sysfs_read_rate(DIR_PATH, "file", &value), 0);
		assert_int_equal(value, good[i].value);
	}
	for (i = 0; i < COUNT(bad); i++) {
		kernel_file(FILE_PATH, bad[i]);
		value = 4711;
		assert_true(umad_sysfs_read_rate(DIR_PATH, "file", &value) < 0);
		assert_int_equal(value, 4711);
	}
	assert_int_equal(umad_sysfs_read_rate(DIR_PATH, "nosuch", &value), -ENOENT);
}

/* As the kernel prints each width and speed: half of a Gb/s is cut off. */
FAKESYS_TEST(rates_of_all_widths_and_speeds)
{
	static const struct {
		const char *word;
		unsigned int tenths; /* of a Gb/s, each lane */
	} speeds[] = {
		{ " SDR", 25 },	   { " DDR", 50 },   { " QDR", 100 },
		{ " FDR10", 100 }, { " FDR", 140 },  { " EDR", 250 },
		{ " HDR", 500 },   { " NDR", 1000 }, { " XDR", 2000 },
	};
	static const unsigned int widths[] = { 1, 2, 4, 8, 12 };
	size_t i, j;

	for (i = 0; i < COUNT(speeds); i++)
		for (j = 0; j < COUNT(widths); j++) {
			unsigned int value = 4711, tenths = speeds[i].tenths * widths[j];
			char content[64];

			snprintf(content, sizeof(content), "%u%s Gb/sec (%uX%s)\n", tenths / 10,
				 tenths % 10 ? ".5" : "", widths[j], speeds[i].word);
			kernel_file(FILE_PATH, content);
			assert_int_equal(umad_sysfs_read_rate(DIR_PATH, "file", &value), 0);
			assert_int_equal(value, tenths / 10);
		}
}

FAKESYS_TEST(garbage_is_no_number)
{
	static const struct {
		const char *content;
		int error;
	} bad[] = {
		{ "", EINVAL },
		{ "\n", EINVAL },
		{ " 1\n", EINVAL },
		{ "-1\n", EINVAL },
		{ "+1\n", EINVAL },
		{ "0x\n", EINVAL },
		{ "0xg\n", EINVAL },
		{ "x1\n", EINVAL },
		{ "12cats\n", EINVAL },
		{ "1\t2\n", EINVAL },
		{ "ACTIVE\n", EINVAL },
		{ "\xff\xfe\n", EINVAL },
		{ "4294967296\n", ERANGE },
		{ "0x100000000\n", ERANGE },
		{ "99999999999999999999999999999999\n", ERANGE },
	};
	unsigned int value = 4711;
	size_t i;

	for (i = 0; i < COUNT(bad); i++) {
		kernel_file(FILE_PATH, bad[i].content);
		assert_int_equal(umad_sysfs_read_number(DIR_PATH, "file", &value), -bad[i].error);
		assert_int_equal(value, 4711);
	}
}

FAKESYS_TEST(guids)
{
	static const char *const bad[] = {
		"",
		"\n",
		"0002:c903:0000\n",
		"0002:c903:0000:0001:0000\n",
		"0002:c903:0000:0001:\n",
		"0002:c903:0000:\n",
		":0002:c903:0000\n",
		"0002::0000:0001\n",
		"0002:c903:0000:10000\n",
		"0002:c903:0000:00001\n",
		"0002:c903:0000:000g\n",
		"0002:c903:0000:0001 \n",
		"0x0002c90300000001\n",
		"0002-c903-0000-0001\n",
	};
	__be64 guid;
	size_t i;
	int error;

	kernel_file(FILE_PATH, "0002:c903:00ab:CDEF\n");
	assert_int_equal(umad_sysfs_read_guid(DIR_PATH, "file", &guid), 0);
	assert_true(be64toh(guid) == 0x0002c90300abcdef);
	kernel_file(FILE_PATH, "2:c903:0:1");
	assert_int_equal(umad_sysfs_read_guid(DIR_PATH, "file", &guid), 0);
	assert_true(be64toh(guid) == 0x0002c90300000001);
	for (i = 0; i < COUNT(bad); i++) {
		kernel_file(FILE_PATH, bad[i]);
		error = umad_sysfs_read_guid(DIR_PATH, "file", &guid);
		assert_true(error == -EINVAL || error == -ERANGE);
		assert_true(be64toh(guid) == 0x0002c90300000001);
	}
}

FAKESYS_TEST(gids)
{
	static const char *const bad[] = {
		"",
		"0002:c903:0000:0001\n",
		"fe80::2:c903:0:1\n",
		"fe80:0000:0000:0000:0002:c903:0000:0001:0001\n",
		"fe80:0000:0000:0000:0002:c903:0000:0001\nmore",
	};
	union umad_gid gid;
	size_t i;

	kernel_file(FILE_PATH, "fe80:0000:0000:0001:0002:c903:0000:0001\n");
	assert_int_equal(umad_sysfs_read_gid(DIR_PATH, "file", &gid), 0);
	assert_true(be64toh(gid.global.subnet_prefix) == 0xfe80000000000001);
	assert_true(be64toh(gid.global.interface_id) == 0x0002c90300000001);
	for (i = 0; i < COUNT(bad) - 1; i++) {
		kernel_file(FILE_PATH, bad[i]);
		assert_int_not_equal(umad_sysfs_read_gid(DIR_PATH, "file", &gid), 0);
	}
	kernel_file(FILE_PATH, bad[i]); /* only the first line counts */
	assert_int_equal(umad_sysfs_read_gid(DIR_PATH, "file", &gid), 0);
	assert_true(be64toh(gid.global.interface_id) == 0x0002c90300000001);
}

FAKESYS_TEST(names_that_are_numbers)
{
	static const char *const bad[] = {
		"", "01", "00", "1x", "x1", "-1", " 1", "1 ", "0x1", "1000", "99999999999999999999"
	};
	unsigned int number = 4711;
	size_t i;

	for (i = 0; i < COUNT(bad); i++)
		assert_int_not_equal(umad_sysfs_parse_name(bad[i], 999, &number), 0);
	assert_int_equal(number, 4711);
	assert_int_equal(umad_sysfs_parse_name("0", 999, &number), 0);
	assert_int_equal(number, 0);
	assert_int_equal(umad_sysfs_parse_name("999", 999, &number), 0);
	assert_int_equal(number, 999);
}
