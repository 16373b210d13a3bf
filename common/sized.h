/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Structures that a program passes with their size, so that they can grow: the program and the
 * library may have been compiled with different versions of a header. A structure of the first
 * release has no padding behind its last member: a later release would take it for a member.
 */
#ifndef COMMON_SIZED_H
#define COMMON_SIZED_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/refusals.h"

#define SIZED_MAX 4096 /* bytes; more is no structure of any version */

/* Bytes of *object up to the end of a member. The last member of the first release gives the least
 * size that a caller may have. */
#define SIZED_TO(object, member) \
	(offsetof(__typeof__(*(object)), member) + sizeof((object)->member))

static inline int sized_check(const void *given, size_t size, size_t least)
{
	if (!given)
		return mad_refuse(MAD_REFUSED_STRUCTURE);
	if (size < least)
		return mad_refuse(MAD_REFUSED_SIZE);
	return size > SIZED_MAX ? mad_refuse(MAD_REFUSED_SIZE_MAX) : 0;
}

/* Takes `size` bytes that a program gave to *taken, of `known` bytes; members that the program does
 * not have are 0. Returns 0; -EINVAL for NULL and for less than `least`; -E2BIG where a member that
 * this library does not know is not 0. */
static inline int sized_take(void *taken, size_t known, size_t least, const void *given,
			     size_t size)
{
	int error = sized_check(given, size, least);

	for (size_t i = known; !error && i < size; i++)
		if (((const uint8_t *)given)[i])
			error = mad_refuse(MAD_REFUSED_NEWER_MEMBERS);
	if (error)
		return error;
	memset(taken, 0, known);
	memcpy(taken, given, size < known ? size : known);
	return 0;
}

/* Gives a structure to a program: members that the library does not have are 0. Returns as
 * sized_take(). */
static inline int sized_give(void *to, size_t size, size_t least, const void *given, size_t known)
{
	int error = sized_check(to, size, least);

	if (error)
		return error;
	memset(to, 0, size);
	memcpy(to, given, size < known ? size : known);
	return 0;
}

/* For typed pointers; `last` is the last member of the first release. */
#define SIZED_TAKE(taken, last, given, size) \
	sized_take((taken), sizeof(*(taken)), SIZED_TO(taken, last), (given), (size))
#define SIZED_GIVE(to, size, last, given) \
	sized_give((to), (size), SIZED_TO(given, last), (given), sizeof(*(given)))

#endif
