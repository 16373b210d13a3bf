/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The values of an open port that a program reads and sets, and its P_Keys by value. Input: the
 * P_Key table of the port, as sysfs has it.
 */
#include <errno.h>

#include "libibmad/engine/port.h"
#include "libibmad/internal.h"

int mad_rpc_portid(struct ibmad_port *srcport)
{
	return srcport ? srcport->fd : mad_zero_or_error(mad_refuse(MAD_REFUSED_PORT));
}

int mad_port_class_of(const struct ibmad_port *port, int agent)
{
	for (int mgmt_class = 0; mgmt_class < MAD_CLASSES; mgmt_class++)
		if (atomic_load(&port->agents[mgmt_class]) == agent)
			return mgmt_class;
	return 0;
}

int mad_rpc_class_agent(struct ibmad_port *srcport, int mgmt)
{
	return srcport ? mad_port_agent(srcport, mgmt)
		       : mad_zero_or_error(mad_refuse(MAD_REFUSED_PORT));
}

void mad_rpc_set_retries(struct ibmad_port *port, int retries)
{
	if (port)
		atomic_store(&port->retries, retries);
}

void mad_rpc_set_timeout(struct ibmad_port *port, int timeout)
{
	if (port)
		atomic_store(&port->timeout, timeout);
}

int mad_get_timeout(const struct ibmad_port *srcport, int override_ms)
{
	if (srcport)
		return mad_port_timeout(srcport, override_ms);
	return override_ms ? override_ms : mad_state_default_timeout();
}

int mad_get_retries(const struct ibmad_port *srcport)
{
	return srcport ? mad_port_retries(srcport) : mad_state_default_retries();
}

uint64_t smp_mkey_get(const struct ibmad_port *srcport)
{
	return srcport ? mad_port_mkey(srcport) : 0;
}

void smp_mkey_set(struct ibmad_port *srcport, uint64_t mkey)
{
	if (srcport)
		atomic_store(&srcport->smp_mkey, mkey);
}

uint64_t sa_key_get(const struct ibmad_port *srcport)
{
	return mad_port_sa_key(srcport);
}

void sa_key_set(struct ibmad_port *srcport, uint64_t sa_key)
{
	if (srcport)
		atomic_store(&srcport->sa_key, sa_key);
}

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
