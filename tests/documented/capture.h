/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What a function prints to standard output or standard error, as text. */
#ifndef TESTS_DOCUMENTED_CAPTURE_H
#define TESTS_DOCUMENTED_CAPTURE_H

#include <stddef.h>

/*
 * Calls print(argument) and leaves in text, NUL-terminated and cut to size, what was written to the
 * descriptor (1 or 2) meanwhile; a few KB at most. Returns the number of bytes written.
 */
size_t capture(int descriptor, void (*print)(void *argument), void *argument, char *text,
	       size_t size);

#endif
