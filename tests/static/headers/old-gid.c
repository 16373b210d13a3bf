/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * old-gid.c - ib_gid_t is ibmad_gid_t for programs that ask for it, and free for those that do not,
 * such as opensm's, which have a union of that name.
 *
 * Compiled with and without OLD. As C and as C++; ends with 1 if the type is not the one expected.
 */
#ifdef OLD
#define USE_DEPRECATED_IB_GID_T
#endif
#include <infiniband/mad.h>

#ifndef OLD
typedef union {
	uint8_t raw[16];
	struct {
		uint64_t prefix;
		uint64_t interface_id;
	} unicast;
} ib_gid_t;
#endif

int main(void)
{
	ib_gid_t gid;
#ifdef OLD
	ib_portid_t address;

	memset(gid, 5, sizeof(gid));
	memcpy(address.gid, gid, sizeof(address.gid));
	return address.gid[15] == 5 && sizeof(gid) == sizeof(ibmad_gid_t) ? 0 : 1;
#else
	gid.unicast.interface_id = 0;
	return gid.raw[15];
#endif
}
