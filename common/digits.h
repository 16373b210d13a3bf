/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Digits in texts that the kernel or users write. Unlike strtoull(): no sign, no blanks, a limit.
 */
#ifndef COMMON_DIGITS_H
#define COMMON_DIGITS_H

#include <errno.h>
#include <stdint.h>

/* The value of a digit of any base up to 16, or 16 for any other character. */
static inline unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/* Reads the digits at the start of a text, and moves *text past them. Returns 0, -EINVAL without a
 * digit, or -ERANGE for a number above max. */
static inline int parse_digits(const char **text, unsigned base, uint64_t max, uint64_t *value)
{
	const char *start = *text;
	unsigned digit;

	for (*value = 0; (digit = digit_value(**text)) < base; (*text)++) {
		if (digit > max || *value > (max - digit) / base)
			return -ERANGE;
		*value = *value * base + digit;
	}
	return *text == start ? -EINVAL : 0;
}

#endif
