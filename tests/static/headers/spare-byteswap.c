/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * spare-byteswap.c - a program with its own ntohll and htonll for systems that have none, which it
 * looks for by #ifndef after the headers: it finds those of the headers.
 *
 * Compiled with either header first (MAD_FIRST), or only one (UMAD_ONLY). As C and as C++; ends
 * with 1 if its own were used, or if those of the headers are wrong. Links to nothing.
 */
#ifdef MAD_FIRST
#include <infiniband/mad.h>
#endif
#include <infiniband/umad.h>
#ifndef UMAD_ONLY
#include <infiniband/mad.h>
#endif

#ifndef ntohll
#define SPARE_USED
static inline uint64_t ntohll(uint64_t x)
{
	return x + 1;
}
#endif

#ifndef htonll
#define SPARE_USED
static inline uint64_t htonll(uint64_t x)
{
	return x + 1;
}
#endif

int main(void)
{
#ifdef SPARE_USED
	return 1;
#else
	uint64_t value = 0x0123456789abcdef, swapped = htonll(value);
	const unsigned char *bytes = (const unsigned char *)&swapped;

	return bytes[0] == 0x01 && bytes[7] == 0xef && ntohll(swapped) == value ? 0 : 1;
#endif
}
