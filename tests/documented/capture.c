/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Captures output in a pipe, whose size is the limit. */
#include "capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>

size_t capture(int descriptor, void (*print)(void *argument), void *argument, char *text,
	       size_t size)
{
	int ends[2], kept;
	ssize_t length;

	fflush(NULL);
	kept = dup(descriptor);
	assert_true(kept >= 0);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[1], descriptor), descriptor);
	close(ends[1]);
	print(argument);
	fflush(NULL);
	assert_int_equal(dup2(kept, descriptor), descriptor);
	close(kept);
	length = read(ends[0], text, size - 1);
	close(ends[0]);
	assert_true(length >= 0);
	text[length] = '\0';
	return (size_t)length;
}
