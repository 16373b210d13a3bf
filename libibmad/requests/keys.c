/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Gives a key ring to a port; finds out whether the SA takes a key, and the ports of LIDs, as the
 * SA knows them: NodeRecords have GUIDs and base LIDs, PortInfoRecords the number of LIDs (LMC).
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <infiniband/umad.h>

#include "libibmad/engine/request.h"
#include "libibmad/keys/keys.h"
#include "libibmad/requests/requests.h"

#define LMC_MAX 7

/* Asks the SA for its ClassPortInfo with that SM_Key and no other. Returns 0 or -errno. */
static int ask_sa(const struct ibmad_port *port, const ib_portid_t *sm, uint64_t key,
		  int timeout_ms)
{
	const ib_sa_call_t sa = { .attrid = UMAD_ATTR_CLASS_PORT_INFO,
				  .method = IB_MAD_METHOD_GET };
	ib_portid_t to = *sm;
	ib_rpc_v1_t rpc;
	int error = mad_sa_request(&rpc, &to, &sa, key);

	if (error)
		return error;
	rpc.timeout = timeout_ms;
	error = mad_rpc_call_with(port, (ib_rpc_t *)&rpc, &to, NULL, NULL, NULL, MAD_REQUEST_AS_IS);
	return rpc.rstatus || error == -ECONNABORTED ? 0 : error;
}

int mad_sa_check(const struct ibmad_port *port, const ib_portid_t *sm, int timeout_ms)
{
	uint64_t key = mad_port_sa_key(port);
	int error;

	if (!key)
		key = mad_keys_for(port, IB_SA_CLASS, MAD_KEY_SA, sm);
	error = ask_sa(port, sm, key, timeout_ms);
	if (error == -ETIMEDOUT && key && !ask_sa(port, sm, 0, timeout_ms))
		error = -EKEYREJECTED;
	return error;
}

int mad_sa_check_key(struct ibmad_port *port, const ib_portid_t *sm, int timeout_ms)
{
	MAD_QUIET_BLOCK;
	ib_portid_t to;
	int error =
		timeout_ms < 0 ? mad_refuse(MAD_REFUSED_TIMEOUT) : mad_sa_address(port, sm, &to);

	if (!error)
		error = mad_sa_check(port, &to, timeout_ms);
	return mad_zero_or_error(error);
}

/* The GUID of the local port, from sysfs; 0 if that does not have it. */
static uint64_t local_guid(const struct ibmad_port *port)
{
	umad_port_t info;
	uint64_t guid;

	if (umad_get_port(port->ca_name[0] ? port->ca_name : NULL, port->port_number, &info) < 0)
		return 0;
	guid = be64toh(info.port_guid);
	umad_release_port(&info);
	return guid;
}

int mad_port_set_keys(struct ibmad_port *port, struct mad_keys *keys)
{
	int saved_errno = errno;

	if (!port)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_PORT));
	if (keys)
		atomic_store(&port->extras.guid, local_guid(port));
	mad_keys_exchange(&port->extras, keys);
	errno = saved_errno;
	return 0;
}

/* By LID. */
struct lid_map {
	struct mad_key_entry guids[MAD_KEYS_LIDS];
	uint8_t lmcs[MAD_KEYS_LIDS];
};

static void set_guid(struct lid_map *map, unsigned lid, uint64_t guid)
{
	map->guids[lid] = (struct mad_key_entry){ lid, guid, mad_keys_kind(MAD_KEY_LID_GUID, 0) };
}

static int note_nodes(const struct mad_sa_table *nodes, struct lid_map *map)
{
	struct mad_sa_node node;
	int error;

	for (unsigned i = 0; i < nodes->count; i++) {
		error = mad_record_get(nodes, i, IB_SA_ATTR_NODERECORD, &node);
		if (error)
			return error;
		if (IB_LID_VALID(node.lid) && node.port_guid)
			set_guid(map, node.lid, node.port_guid);
	}
	return 0;
}

static int note_ports(const struct mad_sa_table *ports, struct lid_map *map)
{
	struct mad_sa_port_info port;
	unsigned lmc;
	int error;

	for (unsigned i = 0; i < ports->count; i++) {
		error = mad_record_get(ports, i, IB_SA_ATTR_PORTINFORECORD, &port);
		if (error)
			return error;
		lmc = mad_get_field((void *)port.port_info, 0, IB_PORT_LMC_F);
		if (IB_LID_VALID(port.lid) && lmc <= LMC_MAX && lmc > map->lmcs[port.lid])
			map->lmcs[port.lid] = (uint8_t)lmc;
	}
	return 0;
}

/* Gives the LIDs behind a base LID to the same port. */
static void spread(struct lid_map *map)
{
	for (unsigned lid = 1; lid < MAD_KEYS_LIDS; lid++)
		for (unsigned i = 1; i < 1U << map->lmcs[lid] && lid + i < MAD_KEYS_LIDS; i++)
			if (map->guids[lid].kind && !map->guids[lid + i].kind)
				set_guid(map, lid + i, map->guids[lid].value);
}

static int query(unsigned attr_id,
		 int (*note)(const struct mad_sa_table *table, struct lid_map *map),
		 const struct ibmad_port *port, const ib_portid_t *sm, int timeout_ms,
		 struct lid_map *map)
{
	const struct mad_sa_request request = { .attr_id = attr_id, .timeout_ms = timeout_ms };
	struct mad_sa_table *table;
	unsigned status;
	int error = mad_table_query(port, sm, &request, &table, &status);

	if (error)
		return error;
	error = table->is_truncated ? -EBADMSG : note(table, map);
	mad_sa_table_free(table);
	return error;
}

static int query_lids(struct mad_keys *keys, const struct ibmad_port *port, const ib_portid_t *sm,
		      int timeout_ms)
{
	struct lid_map *map = calloc(1, sizeof(*map));
	int error;

	if (!map)
		return -ENOMEM;
	pthread_cleanup_push(free, map); /* the thread may be cancelled while it waits */
	error = query(IB_SA_ATTR_NODERECORD, note_nodes, port, sm, timeout_ms, map);
	if (!error)
		error = query(IB_SA_ATTR_PORTINFORECORD, note_ports, port, sm, timeout_ms, map);
	if (!error) {
		spread(map);
		error = mad_keys_change(keys, 0, map->guids, MAD_KEYS_LIDS);
	}
	pthread_cleanup_pop(1);
	return error;
}

int mad_keys_query_lids(struct mad_keys *keys, struct ibmad_port *port, const ib_portid_t *sm,
			int timeout_ms)
{
	return mad_zero_or_error(keys ? query_lids(keys, port, sm, timeout_ms)
				      : mad_refuse(MAD_REFUSED_KEYS));
}
