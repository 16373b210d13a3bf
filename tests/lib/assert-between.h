/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * assert_between() fails a test of cmocka unless low <= value <= high, all of them taken as
 * uintmax_t, each once. cmocka's own assertion for it has another name in each of its versions.
 */
#ifndef TESTS_ASSERT_BETWEEN_H
#define TESTS_ASSERT_BETWEEN_H

#include <stdint.h>

#define assert_between(value, low, high)                                                          \
	do {                                                                                      \
		uintmax_t value_ = (uintmax_t)(value), low_ = (uintmax_t)(low);                   \
		uintmax_t high_ = (uintmax_t)(high);                                              \
                                                                                                  \
		if (value_ < low_ || value_ > high_)                                              \
			fail_msg("%s is %ju, which is not from %ju to %ju", #value, value_, low_, \
				 high_);                                                          \
	} while (0)

#endif
