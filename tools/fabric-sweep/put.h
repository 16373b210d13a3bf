/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Pieces of text for files that only the writer has: printf(3) with its locks would take a third of
 * the time of a sweep.
 */
#ifndef FABRIC_SWEEP_PUT_H
#define FABRIC_SWEEP_PUT_H

#include <stdint.h>
#include <stdio.h>

static inline void put_text(FILE *file, const char *text)
{
	fputs_unlocked(text, file);
}

static inline void put_in_base(FILE *file, uint64_t value, unsigned base, int digits)
{
	char text[20], *const end = text + sizeof(text), *first = end;

	do {
		*--first = "0123456789abcdef"[value % base];
		value /= base;
	} while (value || end - first < digits);
	fwrite_unlocked(first, 1, (size_t)(end - first), file);
}

static inline void put_number(FILE *file, uint64_t value)
{
	put_in_base(file, value, 10, 1);
}

/* At least so many digits. */
static inline void put_hex(FILE *file, uint64_t value, int digits)
{
	put_in_base(file, value, 16, digits);
}

#endif
