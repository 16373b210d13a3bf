/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test.c - see test.h. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_TESTS = 200, /* of a program */
};

static struct test *registered;
static CMFixtureFunction set_up_all, tear_down_all;

/* Constructors run in an order of the compiler's, so this sorts. */
void test_register(struct test *test)
{
	struct test **at = &registered;
	int files;

	while (*at) {
		files = strcmp((*at)->file, test->file);
		if (files > 0 || (files == 0 && (*at)->line > test->line))
			break;
		at = &(*at)->next;
	}
	test->next = *at;
	*at = test;
}

void test_surround(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	set_up_all = set_up;
	tear_down_all = tear_down;
}

int test_run(int argc, char **argv)
{
	static struct CMUnitTest tests[MAX_TESTS];
	size_t count = 0;

	for (const struct test *test = registered; test; test = test->next) {
		if (count == MAX_TESTS) {
			fprintf(stderr, "more than %d tests\n", MAX_TESTS);
			return EXIT_FAILURE;
		}
		tests[count].name = test->name;
		tests[count].test_func = test->run;
		tests[count].setup_func = test->set_up;
		tests[count++].teardown_func = test->tear_down;
	}
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return _cmocka_run_group_tests("tests", tests, count, set_up_all, tear_down_all);
}
