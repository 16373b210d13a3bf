/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA records in host byte order, one at a time (15.2.5), and the query for paths, whose record has
 * to be filled in. Reads nothing beyond the record size of the response.
 */
#include <errno.h>
#include <string.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "common/sized.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

/* Byte offsets of the components of each record, and the length that a record must have. */
enum record_offset {
	NODE_LID = 0,
	NODE_INFO = 4,
	NODE_DESCRIPTION = 44,
	NODE_END = NODE_DESCRIPTION + 64,

	PORT_INFO_LID = 0,
	PORT_INFO_PORT = 2,
	PORT_INFO_OPTIONS = 3,
	PORT_INFO_DATA = 4,
	PORT_INFO_END = PORT_INFO_DATA + IB_SMP_DATA_SIZE,

	LINK_FROM_LID = 0,
	LINK_FROM_PORT = 2,
	LINK_TO_PORT = 3,
	LINK_TO_LID = 4,
	LINK_END = 6,

	PATH_SERVICE_ID = 0,
	PATH_DGID = 8,
	PATH_SGID = 24,
	PATH_DLID = 40,
	PATH_SLID = 42,
	PATH_FLOW_HOPS = 44, /* 4 reserved bits, FlowLabel, HopLimit */
	PATH_TRAFFIC_CLASS = 48,
	PATH_REVERSIBLE_NUMB = 49,
	PATH_PKEY = 50,
	PATH_QOS_SL = 52,
	PATH_MTU = 54,
	PATH_RATE = 55,
	PATH_LIFE = 56,
	PATH_PREFERENCE = 57,
	PATH_END = 64,

	SM_INFO_LID = 0,
	SM_INFO_GUID = 4,
	SM_INFO_SM_KEY = 12,
	SM_INFO_ACT_COUNT = 20,
	SM_INFO_PRIORITY_STATE = 24,
	SM_INFO_END = 25,

	SERVICE_ID = 0,
	SERVICE_GID = 8,
	SERVICE_PKEY = 24,
	SERVICE_LEASE = 28,
	SERVICE_KEY = 32,
	SERVICE_NAME = 48,
	SERVICE_DATA = 112,
	SERVICE_END = 176,
};

/* A further bit of the component mask, and the largest value of its component. */
#define PATH_MASK_NUMB_PATH (UINT64_C(1) << 12)
#define PATH_NUMB_PATH_MAX  127

/* Finds a record of that attribute and of at least `least` bytes. */
static int find(const struct mad_sa_table *table, unsigned index, unsigned attr_id, size_t least,
		const uint8_t **record)
{
	if (!table || table->attr_id != attr_id)
		return -EINVAL;
	if (index >= table->count)
		return -ENOENT;
	*record = table->records + index * table->record_size;
	return table->record_size < least ? -EBADMSG : 0;
}

/* The public form of a function that reads a record, whose structure ends with the member `last`.
 */
#define GETTER(name, last)                                                                       \
	int mad_sa_get_##name(const struct mad_sa_table *table, unsigned index,                  \
			      struct mad_sa_##name *name, size_t size)                           \
	{                                                                                        \
		struct mad_sa_##name values = { 0 };                                             \
		int error = mad_record_get_##name(table, index, &values);                        \
                                                                                                 \
		return mad_zero_or_error(error ? error : SIZED_GIVE(name, size, last, &values)); \
	}

int mad_record_get_node(const struct mad_sa_table *table, unsigned index, struct mad_sa_node *node)
{
	const uint8_t *record;
	int error = find(table, index, IB_SA_ATTR_NODERECORD, NODE_END, &record);
	uint8_t *info;

	if (error)
		return error;
	info = (uint8_t *)record + NODE_INFO;
	node->lid = mad_get_be16(record + NODE_LID);
	node->base_version = mad_get_field(info, 0, IB_NODE_BASE_VERS_F);
	node->class_version = mad_get_field(info, 0, IB_NODE_CLASS_VERS_F);
	node->node_type = mad_get_field(info, 0, IB_NODE_TYPE_F);
	node->port_count = mad_get_field(info, 0, IB_NODE_NPORTS_F);
	node->system_guid = mad_get_field64(info, 0, IB_NODE_SYSTEM_GUID_F);
	node->node_guid = mad_get_field64(info, 0, IB_NODE_GUID_F);
	node->port_guid = mad_get_field64(info, 0, IB_NODE_PORT_GUID_F);
	node->partition_cap = mad_get_field(info, 0, IB_NODE_PARTITION_CAP_F);
	node->device_id = mad_get_field(info, 0, IB_NODE_DEVID_F);
	node->revision = mad_get_field(info, 0, IB_NODE_REVISION_F);
	node->local_port = mad_get_field(info, 0, IB_NODE_LOCAL_PORT_F);
	node->vendor_id = mad_get_field(info, 0, IB_NODE_VENDORID_F);
	memcpy(node->description, record + NODE_DESCRIPTION, sizeof(node->description) - 1);
	return 0;
}

int mad_record_get_port_info(const struct mad_sa_table *table, unsigned index,
			     struct mad_sa_port_info *port_info)
{
	const uint8_t *record;
	int error = find(table, index, IB_SA_ATTR_PORTINFORECORD, PORT_INFO_END, &record);

	if (error)
		return error;
	port_info->lid = mad_get_be16(record + PORT_INFO_LID);
	port_info->port_number = record[PORT_INFO_PORT];
	port_info->options = record[PORT_INFO_OPTIONS];
	port_info->port_info = record + PORT_INFO_DATA;
	return 0;
}

int mad_record_get_link(const struct mad_sa_table *table, unsigned index, struct mad_sa_link *link)
{
	const uint8_t *record;
	int error = find(table, index, IB_SA_ATTR_LINKRECORD, LINK_END, &record);

	if (error)
		return error;
	link->from_lid = mad_get_be16(record + LINK_FROM_LID);
	link->from_port = record[LINK_FROM_PORT];
	link->to_port = record[LINK_TO_PORT];
	link->to_lid = mad_get_be16(record + LINK_TO_LID);
	return 0;
}

static int mad_record_get_path(const struct mad_sa_table *table, unsigned index,
			       struct mad_sa_path *path)
{
	const uint8_t *record;
	int error = find(table, index, IB_SA_ATTR_PATHRECORD, PATH_END, &record);
	uint32_t flow_hops;

	if (error)
		return error;
	flow_hops = mad_get_be32(record + PATH_FLOW_HOPS);
	path->service_id = mad_get_be64(record + PATH_SERVICE_ID);
	memcpy(path->dgid, record + PATH_DGID, sizeof(path->dgid));
	memcpy(path->sgid, record + PATH_SGID, sizeof(path->sgid));
	path->dlid = mad_get_be16(record + PATH_DLID);
	path->slid = mad_get_be16(record + PATH_SLID);
	path->flow_label = flow_hops >> 8 & 0xfffff;
	path->hop_limit = flow_hops & 0xff;
	path->traffic_class = record[PATH_TRAFFIC_CLASS];
	path->reversible = record[PATH_REVERSIBLE_NUMB] >> 7;
	path->num_path = record[PATH_REVERSIBLE_NUMB] & 0x7f;
	path->pkey = mad_get_be16(record + PATH_PKEY);
	path->sl = mad_get_be16(record + PATH_QOS_SL) & 0xf;
	path->mtu = umad_sa_get_rate_mtu_or_life(record[PATH_MTU]);
	path->rate = umad_sa_get_rate_mtu_or_life(record[PATH_RATE]);
	path->life_time = umad_sa_get_rate_mtu_or_life(record[PATH_LIFE]);
	path->preference = record[PATH_PREFERENCE];
	return 0;
}

static int mad_record_get_sm_info(const struct mad_sa_table *table, unsigned index,
				  struct mad_sa_sm_info *sm_info)
{
	const uint8_t *record;
	int error = find(table, index, IB_SA_ATTR_SMINFORECORD, SM_INFO_END, &record);

	if (error)
		return error;
	sm_info->lid = mad_get_be16(record + SM_INFO_LID);
	sm_info->guid = mad_get_be64(record + SM_INFO_GUID);
	sm_info->sm_key = mad_get_be64(record + SM_INFO_SM_KEY);
	sm_info->act_count = mad_get_be32(record + SM_INFO_ACT_COUNT);
	sm_info->priority = record[SM_INFO_PRIORITY_STATE] >> 4;
	sm_info->state = record[SM_INFO_PRIORITY_STATE] & 0xf;
	return 0;
}

int mad_record_get_mc_member(const struct mad_sa_table *table, unsigned index,
			     struct mad_sa_mc_member *mc_member)
{
	struct umad_sa_mcmember_record wire;
	const uint8_t *record;
	int error = find(table, index, IB_SA_ATTR_MCRECORD,
			 offsetof(struct umad_sa_mcmember_record, pad), &record);

	if (error)
		return error;
	memset(&wire, 0, sizeof(wire));
	memcpy(&wire, record, offsetof(struct umad_sa_mcmember_record, pad));
	memcpy(mc_member->mgid, wire.mgid, sizeof(mc_member->mgid));
	memcpy(mc_member->port_gid, wire.portgid, sizeof(mc_member->port_gid));
	mc_member->qkey = be32toh(wire.qkey);
	mc_member->mlid = be16toh(wire.mlid);
	mc_member->mtu = umad_sa_get_rate_mtu_or_life(wire.mtu);
	mc_member->traffic_class = wire.tclass;
	mc_member->pkey = be16toh(wire.pkey);
	mc_member->rate = umad_sa_get_rate_mtu_or_life(wire.rate);
	mc_member->life_time = umad_sa_get_rate_mtu_or_life(wire.pkt_life);
	umad_sa_mcm_get_sl_flow_hop(wire.sl_flow_hop, &mc_member->sl, &mc_member->flow_label,
				    &mc_member->hop_limit);
	umad_sa_mcm_get_scope_state(wire.scope_state, &mc_member->scope, &mc_member->join_state);
	mc_member->proxy_join = umad_sa_mcm_get_proxy_join(&wire);
	return 0;
}

static int mad_record_get_service(const struct mad_sa_table *table, unsigned index,
				  struct mad_sa_service *service)
{
	const uint8_t *record;
	int error = find(table, index, IB_SA_ATTR_SERVICERECORD, SERVICE_END, &record);

	if (error)
		return error;
	service->id = mad_get_be64(record + SERVICE_ID);
	memcpy(service->gid, record + SERVICE_GID, sizeof(service->gid));
	service->pkey = mad_get_be16(record + SERVICE_PKEY);
	service->lease = mad_get_be32(record + SERVICE_LEASE);
	memcpy(service->key, record + SERVICE_KEY, sizeof(service->key));
	memcpy(service->name, record + SERVICE_NAME, sizeof(service->name) - 1);
	memcpy(service->data, record + SERVICE_DATA, sizeof(service->data));
	return 0;
}

GETTER(node, description)
GETTER(port_info, port_info)
GETTER(link, to_lid)
GETTER(path, preference)
GETTER(sm_info, state)
GETTER(mc_member, proxy_join)
GETTER(service, data)

struct mad_sa_table *mad_sa_query_paths(struct ibmad_port *port, const ib_portid_t *sm,
					const uint8_t *sgid, const uint8_t *dgid, int timeout_ms)
{
	uint8_t record[PATH_END] = { 0 };
	struct mad_sa_request request = {
		.attr_id = IB_SA_ATTR_PATHRECORD,
		.timeout_ms = timeout_ms,
		.mask = PATH_MASK_SGID | PATH_MASK_NUMB_PATH,
		.data = record,
		.data_size = sizeof(record),
	};

	if (!sgid)
		return mad_refuse_call(-EINVAL);
	memcpy(record + PATH_SGID, sgid, sizeof(ibmad_gid_t));
	record[PATH_REVERSIBLE_NUMB] = PATH_NUMB_PATH_MAX;
	if (dgid) {
		memcpy(record + PATH_DGID, dgid, sizeof(ibmad_gid_t));
		request.mask |= PATH_MASK_DGID;
	}
	return mad_sa_query(port, sm, &request, sizeof(request), NULL);
}
