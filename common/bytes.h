/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Big-endian numbers at any alignment, for fields of a MAD at a constant offset.
 */
#ifndef COMMON_BYTES_H
#define COMMON_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* mad_get_be16() and mad_put_be16(), and those of 32 and 64 bits. */
#define MAD_BE_FUNCTIONS(bits)                                              \
	static inline uint##bits##_t mad_get_be##bits(const void *from)     \
	{                                                                   \
		uint##bits##_t value;                                       \
                                                                            \
		memcpy(&value, from, sizeof(value));                        \
		return be##bits##toh(value);                                \
	}                                                                   \
                                                                            \
	static inline void mad_put_be##bits(void *to, uint##bits##_t value) \
	{                                                                   \
		value = htobe##bits(value);                                 \
		memcpy(to, &value, sizeof(value));                          \
	}
MAD_BE_FUNCTIONS(16)
MAD_BE_FUNCTIONS(32)
MAD_BE_FUNCTIONS(64)
#undef MAD_BE_FUNCTIONS

/* A number that begins at any bit, 0 being the uppermost of the first byte, and lies in 8 bytes. */
static inline uint64_t mad_get_bits(const uint8_t *from, unsigned first, unsigned bits)
{
	unsigned end = first + bits;
	uint64_t number = 0;

	for (unsigned byte = first / 8; byte < (end + 7) / 8; byte++)
		number = number << 8 | from[byte];
	return number >> (-end & 7) & (UINT64_MAX >> (64 - bits));
}

#endif
