/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How tests are written: TEST(name) { ... } is a test of cmocka, and that is all: the runner
 * (test-main.c) finds it, and runs the tests of a program in the order in which they stand. The
 * headers of the fake kernel have macros like it for tests that begin with a port or a host.
 *
 * PROGRAM [PATTERN] runs the tests whose name matches: '*' is any text, '?' any character.
 */
#ifndef TESTS_LIB_TEST_H
#define TESTS_LIB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct test {
	const char *name;
	const char *file;
	int line;
	CMUnitTestFunction run;
	CMFixtureFunction set_up, tear_down; /* NULL: none */
	struct test *next;
};

void test_register(struct test *test);

/* Runs all tests that are registered; what main() is to return. */
int test_run(int argc, char **argv);

#define TEST_WITH(test_name, before, after)                            \
	static void test_name(void **state);                           \
	static void __attribute__((constructor)) add_##test_name(void) \
	{                                                              \
		static struct test test = {                            \
			.name = #test_name,                            \
			.file = __FILE__,                              \
			.line = __LINE__,                              \
			.run = test_name,                              \
			.set_up = before,                              \
			.tear_down = after,                            \
		};                                                     \
                                                                       \
		test_register(&test);                                  \
	}                                                              \
	static void test_name(void **state __attribute__((unused)))

#define TEST(test_name) TEST_WITH(test_name, NULL, NULL)

/* What comes before the first and after the last test of a program. */
void test_surround(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#define TEST_GROUP(before, after)                                \
	static void __attribute__((constructor)) add_group(void) \
	{                                                        \
		test_surround(before, after);                    \
	}

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
