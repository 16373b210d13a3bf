/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test.c - see test.h. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	MAX_TESTS = 2000, /* of a program */
};

static CMFixtureFunction set_up_all, tear_down_all;

void test_surround(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	set_up_all = set_up;
	tear_down_all = tear_down;
}

void test_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vprint_error(format, arguments);
	va_end(arguments);
	print_error("\n");
	fail();
	abort(); /* not reached: fail() jumps to cmocka, which does not declare that */
}

void test_skip(const char *why)
{
	print_message("skipped: %s\n", why);
	skip();
	abort();
}

int test_run(int argc, char **argv)
{
	static struct CMUnitTest tests[MAX_TESTS];
	size_t count = 0;

	for (const struct test *test = test_list; test; test = test->next) {
		if (argc > 1 && !test_matches(test, argv[1]))
			continue;
		if (count == MAX_TESTS) {
			fprintf(stderr, "more than %d tests\n", MAX_TESTS);
			return EXIT_FAILURE;
		}
		tests[count].name = test->name;
		tests[count].test_func = test->run;
		tests[count].initial_state = test->context;
		tests[count].setup_func = test->set_up;
		tests[count++].teardown_func = test->tear_down;
	}
	if (!count) {
		fprintf(stderr, "no test matches %s\n", argv[1]);
		return EXIT_FAILURE;
	}
	return _cmocka_run_group_tests("tests", tests, count, set_up_all, tear_down_all);
}
