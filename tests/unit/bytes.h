/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* bytes.h - bytes of a MAD as text, for tables. */
#ifndef TESTS_UNIT_BYTES_H
#define TESTS_UNIT_BYTES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

/* Puts "64:0102", bytes at an offset, and so on into a MAD. */
static inline void put_bytes(uint8_t *mad, const char *words)
{
	unsigned offset, byte;
	int length;

	for (; sscanf(words, " %u:%n", &offset, &length) == 1; words += strspn(words, " "))
		for (words += length; sscanf(words, "%2x", &byte) == 1 && *words != ' '; words += 2)
			mad[offset++] = (uint8_t)byte;
}

/* Fails at the first byte that differs; what: of which row they are. */
static inline void assert_bytes(const char *what, const uint8_t *bytes, const uint8_t *wanted,
				size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != wanted[i])
			fail_msg("%s: byte %zu is 0x%02x, not 0x%02x", what, i, bytes[i],
				 wanted[i]);
}

#endif
