/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-list.c - see test-list.h. */
#include "test-list.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

struct test *test_list;

/* Constructors run in an order of the compiler's, so this sorts. */
void test_register(struct test *test)
{
	struct test **at = &test_list;
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

bool test_matches(const struct test *test, const char *pattern)
{
	char name[200];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(test->name, "=,"), test->name);
	return !fnmatch(pattern, test->name, FNM_PATHNAME) || !fnmatch(pattern, name, FNM_PATHNAME);
}

void test_play(struct test *test)
{
	void *state = test->context;

	if (test->set_up)
		test->set_up(&state);
	test->run(&state);
	if (test->tear_down)
		test->tear_down(&state);
}
