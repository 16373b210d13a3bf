/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Included before all else where gcov counts the lines that run: children of tests end by _exit(),
 * which would leave theirs out. */
#ifndef TESTS_MUTATION_COUNT_CHILDREN_H
#define TESTS_MUTATION_COUNT_CHILDREN_H

#include <unistd.h>

void __gcov_dump(void); /* of libgcov */

static inline __attribute__((noreturn)) void count_and_exit(int status)
{
	__gcov_dump();
	_exit(status);
}
#define _exit count_and_exit

#endif
