/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Big-endian numbers at any alignment, for fields of a MAD at a constant offset.
 */
#ifndef COMMON_BYTES_H
#define COMMON_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t mad_get_be16(const void *from)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return be16toh(value);
}

static inline uint32_t mad_get_be32(const void *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return be32toh(value);
}

static inline uint64_t mad_get_be64(const void *from)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return be64toh(value);
}

static inline void mad_put_be16(void *to, uint16_t value)
{
	value = htobe16(value);
	memcpy(to, &value, sizeof(value));
}

static inline void mad_put_be32(void *to, uint32_t value)
{
	value = htobe32(value);
	memcpy(to, &value, sizeof(value));
}

static inline void mad_put_be64(void *to, uint64_t value)
{
	value = htobe64(value);
	memcpy(to, &value, sizeof(value));
}

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
