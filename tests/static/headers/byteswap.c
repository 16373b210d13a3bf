/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * byteswap.c - a program with its own ntohll and htonll. Macros before the headers (OWN_BEFORE), or
 * after them instead of the headers' own (OWN_AFTER), stay the program's. A program that looks for
 * them by #ifndef after the headers (either first, or only one) finds those of the headers.
 *
 * As C and as C++; ends with 1 if the wrong ones are used. Links to nothing.
 */
#ifdef OWN_BEFORE
#define ntohll(x) ((x) + 1)
#define htonll(x) ((x) + 2)
#endif

#ifdef MAD_FIRST
#include <infiniband/mad.h>
#endif
#include <infiniband/umad.h>
#ifndef UMAD_ONLY
#include <infiniband/umad_types.h>
#include <infiniband/mad.h>
#endif

#ifdef OWN_AFTER
#undef ntohll
#undef htonll
#define ntohll(x) ((x) + 1)
#define htonll(x) ((x) + 2)
#endif

#if !defined(ntohll) || !defined(htonll)
#error "a program would define its own"
#endif

int main(void)
{
#if defined(OWN_BEFORE) || defined(OWN_AFTER)
	return ntohll(1) == 2 && htonll(1) == 3 ? 0 : 1;
#else
	uint64_t value = 0x0123456789abcdef, swapped = htonll(value);
	const unsigned char *bytes = (const unsigned char *)&swapped;

	return bytes[0] == 0x01 && bytes[7] == 0xef && ntohll(swapped) == value ? 0 : 1;
#endif
}
