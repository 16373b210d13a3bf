/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * own-byteswap.c - a program that has its own ntohll and htonll, as macros, keeps them.
 *
 * Compiled with its macros before the headers, and (AFTER) with them instead of the headers' own.
 * As C and as C++; ends with 1 if the macros were not used. Links to nothing.
 */
#ifndef AFTER
#define ntohll(x) ((x) + 1)
#define htonll(x) ((x) + 2)
#endif

#include <infiniband/umad.h>
#include <infiniband/umad_types.h>
#include <infiniband/mad.h>

#ifdef AFTER
#undef ntohll
#undef htonll
#define ntohll(x) ((x) + 1)
#define htonll(x) ((x) + 2)
#endif

int main(void)
{
	return ntohll(1) == 2 && htonll(1) == 3 ? 0 : 1;
}
