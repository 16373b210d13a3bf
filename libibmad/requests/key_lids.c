/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The ports of LIDs, as the SA knows them: NodeRecords have GUIDs and base LIDs, PortInfoRecords
 * the number of LIDs (LMC).
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "libibmad/keys/keys.h"
#include "libibmad/requests/requests.h"

#define LMC_MAX 7

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
