/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * GUIDs and GIDs of full length: parse_groups() of sysfs.c for texts of up to eight groups of five
 * digits. sysfs_digits is about parse_digits() alone; here its call is one of a function that takes
 * any number of digits, which may be none or too large a number.
 */
#include <endian.h>
#include <errno.h>
#include <stdint.h>

/* The first use of the name is the definition, the fourth one the call in parse_groups(). */
#define JOIN(a, b)	  a##b
#define NUMBERED(name, n) JOIN(name, n)
#define parse_digits	  NUMBERED(parse_digits_, __COUNTER__)

static int parse_digits_1(const char **text, unsigned base, uint64_t max, uint64_t *value);
static int parse_digits_2(const char **text, unsigned base, uint64_t max, uint64_t *value);
static int parse_digits_3(const char **text, unsigned base, uint64_t max, uint64_t *value);
static int parse_digits_4(const char **text, unsigned base, uint64_t max, uint64_t *value);

#include "libibumad/base/sysfs.c"

#include "proof.h"

enum { GROUPS = 8, DIGITS = 5, LONGEST = GROUPS * (DIGITS + 1) };

/* The first length characters are the text. */
static char text[LONGEST + 1];
static size_t length;
static uint16_t numbers[GROUPS];
static unsigned number_count, longest_group;
static const char *behind; /* the digits of the last one */
static bool is_wrong;

static int parse_digits_3(const char **from, unsigned base, uint64_t max, uint64_t *value)
{
	size_t at = (size_t)(*from - text), digits = nondet_size();

	PROVE(*from >= text && at <= length, "the text is read");
	PROVE(base == 16 && max == UINT16_MAX, "four hexadecimal digits");
	ASSUME(digits <= DIGITS && at + digits <= length);
	behind = *from += digits;
	*value = nondet_uint64();
	if (!digits || *value > max) {
		is_wrong = true;
		return -EINVAL;
	}
	if (digits > longest_group)
		longest_group = (unsigned)digits;
	numbers[number_count++] = (uint16_t)*value;
	return 0;
}

static void prove_groups(unsigned count)
{
	uint16_t group[GROUPS];
	unsigned i = nondet_unsigned();
	int result;

	for (unsigned j = 0; j < LONGEST; j++)
		text[j] = (char)nondet_byte();
	length = nondet_size();
	ASSUME(length <= LONGEST);
	text[length] = '\0';
	result = parse_groups(text, group, count);
	PROVE(result == 0 || result == -EINVAL, "result");
	ASSUME(!result && i < count);
	PROVE(!is_wrong && number_count == count && !*behind, "as many groups, and no more");
	PROVE(longest_group <= 4, "none is longer than four digits");
	PROVE(be16toh(group[i]) == numbers[i], "the number of each, in network order");
}

void sysfs_groups_of_guid(void)
{
	prove_groups(4);
}

void sysfs_groups_of_gid(void)
{
	prove_groups(8);
}
