/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Assertions about structures, for layout.c of each library; all numbers are bytes.
 */
#ifndef COMMON_ASSERT_LAYOUT_H
#define COMMON_ASSERT_LAYOUT_H

#include <stddef.h>

#define ASSERT_SIZE(type, bytes) \
	_Static_assert(sizeof(type) == (bytes), #type " has " #bytes " bytes")
#define ASSERT_ALIGN(type, bytes) \
	_Static_assert(_Alignof(type) == (bytes), #type " is aligned to " #bytes " bytes")
#define ASSERT_OFFSET(type, member, at) \
	_Static_assert(offsetof(type, member) == (at), #type "." #member " is at " #at)

#endif
