/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-sysfs.c - reading and parsing of one attribute (libibumad/base/sysfs.c).
 * tests/unit/discovery has rates, GUIDs and GIDs of hosts.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

#define DIR_PATH  "/sys/class/infiniband"
#define FILE_PATH DIR_PATH "/file"

enum { BEFORE = 4711 };

FAKESYS_TEST(string_is_the_first_line)
{
	static const struct {
		const char *content;
		const char *text;
		int error;
	} rows[] = {
		{ "mlx5_0\n", "mlx5_0", 0 },
		{ "no end", "no end", 0 },
		{ "one\ntwo\n", "one", 0 },
		{ "", "", 0 },
		{ "\n", "", 0 },
		{ "1234567\n", "1234567", 0 },
		{ "12345678\n", "1234567", EOVERFLOW },
	};
	char buffer[9], big[4000];

	buffer[8] = '#';
	for (size_t i = 0; i < COUNT(rows); i++) {
		kernel_file(FILE_PATH, rows[i].content);
		assert_int_equal(umad_sysfs_read_string(DIR_PATH, "file", buffer, 8),
				 -rows[i].error);
		assert_string_equal(buffer, rows[i].text);
	}
	memset(big, 'x', sizeof(big));
	kernel_bytes(FILE_PATH, big, sizeof(big));
	assert_int_equal(umad_sysfs_read_string(DIR_PATH, "file", buffer, 8), -EOVERFLOW);
	assert_string_equal(buffer, "xxxxxxx");
	assert_int_equal(umad_sysfs_read_string(DIR_PATH, "file", big, sizeof(big)), 0);
	assert_int_equal(strlen(big), 127); /* no more is read */
	kernel_bytes(FILE_PATH, "one\0two\n", 8);
	assert_int_equal(umad_sysfs_read_string(DIR_PATH, "file", buffer, 8), 0);
	assert_string_equal(buffer, "one");
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
	kernel_directory(DIR_PATH "/directory");
	assert_int_equal(umad_sysfs_read_number(DIR_PATH, "directory", &number), -EISDIR);
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
		int error;
	} rows[] = {
		{ "0\n", 0, 0 },
		{ "7", 7, 0 },
		{ "4: ACTIVE\n", 4, 0 },
		{ "0x2651e848\n", 0x2651e848, 0 },
		{ "0XfF\n", 255, 0 },
		{ "010\n", 10, 0 },
		{ "4294967295\n", UINT_MAX, 0 },
		{ "0xffffffff\n", UINT_MAX, 0 },
		{ "5\n6\n", 5, 0 },
		{ "", 0, EINVAL },
		{ "\n", 0, EINVAL },
		{ " 1\n", 0, EINVAL },
		{ "-1\n", 0, EINVAL },
		{ "+1\n", 0, EINVAL },
		{ "0x\n", 0, EINVAL },
		{ "0xg\n", 0, EINVAL },
		{ "x1\n", 0, EINVAL },
		{ "12cats\n", 0, EINVAL },
		{ "1\t2\n", 0, EINVAL },
		{ "ACTIVE\n", 0, EINVAL },
		{ "\xff\xfe\n", 0, EINVAL },
		{ "4294967296\n", 0, ERANGE },
		{ "0x100000000\n", 0, ERANGE },
		{ "99999999999999999999999999999999\n", 0, ERANGE },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned int value = BEFORE;
		int result;

		kernel_file(FILE_PATH, rows[i].content);
		result = umad_sysfs_read_number(DIR_PATH, "file", &value);
		if (result != -rows[i].error || value != (result ? BEFORE : rows[i].value))
			fail_msg("\"%s\" is %d, %u", rows[i].content, result, value);
	}
}

FAKESYS_TEST(names_that_are_numbers)
{
	static const char *const bad[] = {
		"", "01", "00", "1x", "x1", "-1", " 1", "1 ", "0x1", "1000", "99999999999999999999"
	};
	unsigned int number = BEFORE;

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_not_equal(umad_sysfs_parse_name(bad[i], 999, &number), 0);
	assert_int_equal(number, BEFORE);
	assert_int_equal(umad_sysfs_parse_name("0", 999, &number), 0);
	assert_int_equal(number, 0);
	assert_int_equal(umad_sysfs_parse_name("999", 999, &number), 0);
	assert_int_equal(number, 999);
}
