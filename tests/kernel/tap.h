/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Runs the cases of a test program, each a TEST() of test-list.h, and reports them as lines of TAP
 * (Test Anything Protocol) on standard output. This is not cmocka, which would end with the first
 * case that crashes or hangs, and a case with the first check that fails. Each case runs in a
 * process of its own: one that crashes or hangs is "not ok", and the next one starts afresh.
 *
 * PROGRAM [PATTERN] runs the cases whose name matches.
 */
#ifndef KERNEL_TAP_H
#define KERNEL_TAP_H

#include <stdbool.h>
#include <stddef.h>

#include "test-list.h"

/* A check that fails makes the case "not ok" and reports its line; the case goes on. Any thread
 * may. */
bool tap_check(bool passed, const char *file, int line, const char *text);
bool tap_check_equal(long long got, long long want, const char *file, int line, const char *text);
#define check(expression)	 tap_check(expression, __FILE__, __LINE__, #expression)
#define check_equal(value, want) tap_check_equal(value, want, __FILE__, __LINE__, #value)

/* As check(), but the function that contains it returns: the rest of the case needs the expression.
 */
#define require(expression)               \
	do {                              \
		if (!(check(expression))) \
			return;           \
	} while (0)

/* Prints a line that explains or measures something. */
void tap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
