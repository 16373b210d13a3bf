/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Tests that cmocka runs (test-main.c): see test-list.h. The headers of the fake kernel have macros
 * like TEST() for tests that begin with a port or a host.
 *
 * PROGRAM [PATTERN] runs the tests that test_matches().
 */
#ifndef TESTS_LIB_TEST_H
#define TESTS_LIB_TEST_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "test-list.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Runs all tests that are registered; what main() is to return. */
int test_run(int argc, char **argv);

/* set_up runs before the first test of a program, tear_down after the last. */
void test_surround(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#define TEST_GROUP(before, after)                                \
	static void __attribute__((constructor)) add_group(void) \
	{                                                        \
		test_surround(before, after);                    \
	}

/* Fails a test unless the call returns -1 with that errno, which it sets itself. */
#define assert_errno(call, error)               \
	do {                                    \
		errno = 0;                      \
		assert_int_equal(call, -1);     \
		assert_int_equal(errno, error); \
	} while (0)

/* Like assert_errno(), for calls that return a negative errno, and for calls that return NULL. */
#define assert_fails(call, error)                 \
	do {                                      \
		errno = 0;                        \
		assert_int_equal(call, -(error)); \
		assert_int_equal(errno, error);   \
	} while (0)
#define assert_null_errno(call, error)          \
	do {                                    \
		errno = 0;                      \
		assert_null(call);              \
		assert_int_equal(errno, error); \
	} while (0)

/*
 * assert_between() fails a test unless low <= value <= high, all of them taken as uintmax_t, each
 * once. cmocka's own assertion for it has another name in each of its versions.
 */
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
