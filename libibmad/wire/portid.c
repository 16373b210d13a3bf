/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Addresses as strings and back: ib_portid_t and directed routes. Input comes from programs and
 * their users; an invalid string leaves the output unchanged.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <infiniband/umad.h>

#include "common/bytes.h"
#include "common/digits.h"
#include "libibmad/internal.h"

static int hops_of(const ib_dr_path_t *path)
{
	if (path->cnt < 0)
		return 0;
	return path->cnt < IB_SUBNET_PATH_HOPS_MAX ? path->cnt : IB_SUBNET_PATH_HOPS_MAX - 1;
}

int portid2portnum(ib_portid_t *portid)
{
	if (!portid || portid->lid > 0 || portid->drpath.cnt < 0 ||
	    portid->drpath.cnt >= IB_SUBNET_PATH_HOPS_MAX)
		return -1;
	return portid->drpath.cnt ? portid->drpath.p[portid->drpath.cnt - 1] : 0;
}

/* Writes at most size bytes including the NUL, always a prefix of the whole string. */
static size_t print_path(char *text, size_t size, const ib_dr_path_t *path)
{
	int length = snprintf(text, size, "slid %u; dlid %u; %u", path->drslid, path->drdlid,
			      path->p[0]);

	for (int hop = 1; hop <= hops_of(path) && (size_t)length < size; hop++)
		length += snprintf(text + length, size - length, ",%u", path->p[hop]);
	return length;
}

char *drpath2str(ib_dr_path_t *path, char *dststr, size_t dstsize)
{
	if (!path || !dststr || !dstsize) {
		errno = EINVAL;
		return dststr;
	}
	print_path(dststr, dstsize, path);
	return dststr;
}

/* Writes an address as a string: at most size bytes including the NUL, always a prefix of the
 * whole. */
void mad_portid_print(char *text, size_t size, const ib_portid_t *portid)
{
	size_t length = 0;

	if (portid->lid > 0) {
		char gid[sizeof(" Gid ") + INET6_ADDRSTRLEN] = "";

		if (portid->grh_present) {
			strcpy(gid, " Gid ");
			inet_ntop(AF_INET6, portid->gid, gid + 5, INET6_ADDRSTRLEN);
		}
		length = snprintf(text, size, "Lid %d%s%s", portid->lid, gid,
				  portid->drpath.cnt ? " " : "");
		if (!portid->drpath.cnt || length >= size)
			return;
	}
	length += snprintf(text + length, size - length, "DR path ");
	if (length < size)
		print_path(text + length, size - length, &portid->drpath);
}

char *portid2str(ib_portid_t *portid)
{
	static _Thread_local char text[MAD_PORTID_TEXT_SIZE];

	text[0] = '\0';
	if (portid)
		mad_portid_print(text, sizeof(text), portid);
	else
		errno = EINVAL;
	return text;
}

/* Returns the number of hops in a string of port numbers, each behind optional blanks, separated by
 * commas; or -EINVAL. */
static int parse_path(const char *text, uint8_t hops[IB_SUBNET_PATH_HOPS_MAX])
{
	uint64_t hop;

	for (int count = 0; count < IB_SUBNET_PATH_HOPS_MAX; count++) {
		while (isspace((unsigned char)*text))
			text++;
		if (parse_digits(&text, 10, UINT8_MAX, &hop))
			return -EINVAL;
		hops[count] = (uint8_t)hop;
		if (!*text)
			return count;
		if (*text++ != ',')
			return -EINVAL;
	}
	return -EINVAL;
}

int str2drpath(ib_dr_path_t *path, char *routepath, int drslid, int drdlid)
{
	uint8_t hops[IB_SUBNET_PATH_HOPS_MAX] = { 0 };
	int count = path && routepath ? parse_path(routepath, hops) : -EINVAL;

	if (count < 0 || drslid < 0 || drslid > UINT16_MAX || drdlid < 0 || drdlid > UINT16_MAX) {
		errno = EINVAL;
		return -1;
	}
	path->cnt = count;
	memcpy(path->p, hops, count + 1);
	path->drslid = drslid ? drslid : 0xffff;
	path->drdlid = drdlid ? drdlid : 0xffff;
	return count;
}
