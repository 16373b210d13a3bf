/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How tests are written: TEST(name) { ... } defines a test and adds it to the list of its program,
 * in the order of the source (of several files: by their names). They are run by cmocka (test.h),
 * the programs of tests/kernel (tap.h) or tests/oracle/wire (client.c).
 */
#ifndef TESTS_LIB_TEST_LIST_H
#define TESTS_LIB_TEST_LIST_H

#include <stdbool.h>

struct test {
	const char *name;
	const char *file;
	int line;
	void (*run)(void **state);
	int (*set_up)(void **state), (*tear_down)(void **state); /* NULL: none */
	void *context;						 /* *state at first; cmocka only */
	struct test *next;
};

void test_register(struct test *test);

/* Whether a pattern of fnmatch() matches the name, or its beginning up to "=" or ",": "*" is any
 * text without "/". */
bool test_matches(const struct test *test, const char *pattern);

/* Runs a test, between its functions. */
void test_play(struct test *test);

extern struct test *test_list;

/* Each kind of program has these of its own: the current test fails, or is skipped, and ends. */
void test_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void test_skip(const char *why) __attribute__((noreturn));

/* Both fail the test. */
#define test_assert(condition)                            \
	do {                                              \
		if (!(condition))                         \
			test_fail("not so: " #condition); \
	} while (0)
#define test_assert_equal(value, wanted)                                                   \
	do {                                                                               \
		long long value_ = (long long)(value), wanted_ = (long long)(wanted);      \
		if (value_ != wanted_)                                                     \
			test_fail("%s is %lld (0x%llx), not %lld", #value, value_, value_, \
				  wanted_);                                                \
	} while (0)

/* A test with set-up and tear-down functions; for cmocka only. */
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

/* A test that is one call. */
#define TEST_CALL(test_name, call) \
	TEST(test_name)            \
	{                          \
		call;              \
	}

#endif
