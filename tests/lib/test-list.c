/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-list.c - see test-list.h. */
#include "test-list.h"

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
