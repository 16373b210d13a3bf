/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The words of a step of steps.tbl: plain words and "name=value". Each of them has to be asked for.
 */
#ifndef TESTS_ASYNC_STEPS_H
#define TESTS_ASYNC_STEPS_H

#include <stdbool.h>

void steps_begin(char *rest); /* the rest of the line behind the verb */
void steps_end(void);
/* The value of a word that is there, or NULL; "" of a plain word. */
const char *steps_value(const char *name);
bool steps_has(const char *name);
long steps_number(const char *name, long missing);
/* The next plain word that nobody has asked for, or NULL. */
const char *steps_next(void);

/* Whether a number is the one, or from A to B, or at least A: "A", "A..B", "A..". */
bool steps_in_range(const char *range, long number);
/* Fails where there is such a word and the number is not in its range. */
void steps_check(const char *name, long number);

/* The number of ETIMEDOUT and so on; 0 of "ok". */
int steps_error(const char *name);

#endif
