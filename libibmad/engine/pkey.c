/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * P_Keys by value. Input: the P_Key table of the local port, as sysfs has it.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "libibmad/engine/port.h"
#include "libibmad/internal.h"

#define FULL_MEMBER 0x8000

static bool is_partition(uint16_t entry, unsigned pkey)
{
	return ((entry ^ pkey) & ~FULL_MEMBER & UINT16_MAX) == 0;
}

/* The first entry of the partition with full membership, or else with limited; or -ENOENT. */
static int find(const umad_port_t *port, unsigned pkey)
{
	int found = -ENOENT;

	for (unsigned i = 0; i < port->pkeys_size; i++)
		if (is_partition(port->pkeys[i], pkey) &&
		    (found < 0 || port->pkeys[i] & ~port->pkeys[found] & FULL_MEMBER))
			found = (int)i;
	return found;
}

int mad_pkey_find(const struct ibmad_port *port, unsigned pkey, uint16_t *entry)
{
	umad_port_t info;
	int index;

	if (pkey > UINT16_MAX || is_partition(0, pkey))
		return mad_refuse(MAD_REFUSED_PKEY);
	index = umad_get_port(port->ca_name[0] ? port->ca_name : NULL, port->port_number, &info);
	if (index < 0)
		return mad_umad_result(index);
	index = find(&info, pkey);
	if (index >= 0)
		*entry = info.pkeys[index];
	umad_release_port(&info);
	return index == -ENOENT ? mad_refuse(MAD_REFUSED_NO_PKEY) : index;
}

int mad_pkey_index(struct ibmad_port *port, unsigned pkey, uint16_t *entry)
{
	int saved_errno = errno;
	uint16_t found = 0;
	int index = port ? mad_pkey_find(port, pkey, &found) : mad_refuse(MAD_REFUSED_PORT);

	if (index < 0)
		return mad_zero_or_error(index);
	if (entry)
		*entry = found;
	errno = saved_errno;
	return index;
}
