/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA records in host byte order, one at a time (15.2.5), and the query for paths, whose record has
 * to be filled in. Reads nothing beyond the record size of the response.
 */
#include <errno.h>
#include <string.h>

#include "common/bytes.h"
#include "common/sized.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

/*
 * The components that the public structures have: `bits` bits from the bit `first` of the record
 * on, 0 being the uppermost of its first byte. A number goes to the low bits of its member, bytes
 * (of more than 64 bits) to its beginning.
 */
static const struct component {
	uint16_t attr_id;
	uint16_t first;
	uint16_t bits;
	uint16_t member; /* offset */
	uint16_t size;	 /* bytes of the member */
} components[] = {
#define COMPONENT(attr_id, structure, name, first, bits)                \
	{                                                               \
		attr_id, first, bits, offsetof(struct structure, name), \
			sizeof(((struct structure *)0)->name)           \
	}
#define NODE(name, first, bits) COMPONENT(IB_SA_ATTR_NODERECORD, mad_sa_node, name, first, bits)
	NODE(lid, 0, 16),
	NODE(base_version, 32, 8),
	NODE(class_version, 40, 8),
	NODE(node_type, 48, 8),
	NODE(port_count, 56, 8),
	NODE(system_guid, 64, 64),
	NODE(node_guid, 128, 64),
	NODE(port_guid, 192, 64),
	NODE(partition_cap, 256, 16),
	NODE(device_id, 272, 16),
	NODE(revision, 288, 32),
	NODE(local_port, 320, 8),
	NODE(vendor_id, 328, 24),
	NODE(description, 352, 512),
#define PORT_INFO(name, first, bits) \
	COMPONENT(IB_SA_ATTR_PORTINFORECORD, mad_sa_port_info, name, first, bits)
	PORT_INFO(lid, 0, 16),
	PORT_INFO(port_number, 16, 8),
	PORT_INFO(options, 24, 8),
#define LINK(name, first, bits) COMPONENT(IB_SA_ATTR_LINKRECORD, mad_sa_link, name, first, bits)
	LINK(from_lid, 0, 16),
	LINK(from_port, 16, 8),
	LINK(to_port, 24, 8),
	LINK(to_lid, 32, 16),
#define PATH(name, first, bits) COMPONENT(IB_SA_ATTR_PATHRECORD, mad_sa_path, name, first, bits)
	PATH(service_id, 0, 64),
	PATH(dgid, 64, 128),
	PATH(sgid, 192, 128),
	PATH(dlid, 320, 16),
	PATH(slid, 336, 16),
	PATH(flow_label, 356, 20),
	PATH(hop_limit, 376, 8),
	PATH(traffic_class, 384, 8),
	PATH(reversible, 392, 1),
	PATH(num_path, 393, 7),
	PATH(pkey, 400, 16),
	PATH(sl, 428, 4),
	PATH(mtu, 434, 6),
	PATH(rate, 442, 6),
	PATH(life_time, 450, 6),
	PATH(preference, 456, 8),
#define SM_INFO(name, first, bits) \
	COMPONENT(IB_SA_ATTR_SMINFORECORD, mad_sa_sm_info, name, first, bits)
	SM_INFO(lid, 0, 16),
	SM_INFO(guid, 32, 64),
	SM_INFO(sm_key, 96, 64),
	SM_INFO(act_count, 160, 32),
	SM_INFO(priority, 192, 4),
	SM_INFO(state, 196, 4),
#define MC_MEMBER(name, first, bits) \
	COMPONENT(IB_SA_ATTR_MCRECORD, mad_sa_mc_member, name, first, bits)
	MC_MEMBER(mgid, 0, 128),
	MC_MEMBER(port_gid, 128, 128),
	MC_MEMBER(qkey, 256, 32),
	MC_MEMBER(mlid, 288, 16),
	MC_MEMBER(mtu, 306, 6),
	MC_MEMBER(traffic_class, 312, 8),
	MC_MEMBER(pkey, 320, 16),
	MC_MEMBER(rate, 338, 6),
	MC_MEMBER(life_time, 346, 6),
	MC_MEMBER(sl, 352, 4),
	MC_MEMBER(flow_label, 356, 20),
	MC_MEMBER(hop_limit, 376, 8),
	MC_MEMBER(scope, 384, 4),
	MC_MEMBER(join_state, 388, 4),
	MC_MEMBER(proxy_join, 392, 1),
#define SERVICE(name, first, bits) \
	COMPONENT(IB_SA_ATTR_SERVICERECORD, mad_sa_service, name, first, bits)
	SERVICE(id, 0, 64),
	SERVICE(gid, 64, 128),
	SERVICE(pkey, 192, 16),
	SERVICE(lease, 224, 32),
	SERVICE(key, 256, 128),
	SERVICE(name, 384, 512),
	SERVICE(data, 896, 512),
};

/* Bytes that a record must have, and of its structure, which is filled with 0 first. */
static const struct record {
	uint16_t attr_id;
	uint16_t least;
	uint16_t size;
} records[] = {
	{ IB_SA_ATTR_NODERECORD, 108, sizeof(struct mad_sa_node) },
	{ IB_SA_ATTR_PORTINFORECORD, 68, sizeof(struct mad_sa_port_info) },
	{ IB_SA_ATTR_LINKRECORD, 6, sizeof(struct mad_sa_link) },
	{ IB_SA_ATTR_PATHRECORD, 64, sizeof(struct mad_sa_path) },
	{ IB_SA_ATTR_SMINFORECORD, 25, sizeof(struct mad_sa_sm_info) },
	{ IB_SA_ATTR_MCRECORD, 52, sizeof(struct mad_sa_mc_member) },
	{ IB_SA_ATTR_SERVICERECORD, 176, sizeof(struct mad_sa_service) },
};

/* Offsets of the PortInfo in a PortInfoRecord, and in a PathRecord of components that a query for
 * paths fills in. */
enum { PORT_INFO_DATA = 4, PATH_DGID = 8, PATH_SGID = 24, PATH_NUMB = 49 };

/* A further bit of the component mask, and the largest value of its component. */
#define PATH_MASK_NUMB_PATH (UINT64_C(1) << 12)
#define PATH_NUMB_PATH_MAX  127

static void read_component(const uint8_t *record, const struct component *component, void *values)
{
	void *member = (uint8_t *)values + component->member;
	uint64_t number;

	if (component->bits > 64) {
		memcpy(member, record + component->first / 8, component->bits / 8);
		return;
	}
	number = mad_get_bits(record, component->first, component->bits);
	memcpy(member, (uint8_t *)&number + (BYTE_ORDER == BIG_ENDIAN ? 8 - component->size : 0),
	       component->size);
}

static void read_record(unsigned attr_id, const uint8_t *record, void *values)
{
	for (size_t i = 0; i < sizeof(components) / sizeof(components[0]); i++)
		if (components[i].attr_id == attr_id)
			read_component(record, &components[i], values);
	if (attr_id == IB_SA_ATTR_PORTINFORECORD)
		((struct mad_sa_port_info *)values)->port_info = record + PORT_INFO_DATA;
}

int mad_record_get(const struct mad_sa_table *table, unsigned index, unsigned attr_id, void *values)
{
	const struct record *kind = records;

	while (kind->attr_id != attr_id)
		kind++;
	memset(values, 0, kind->size);
	if (!table)
		return mad_refuse(MAD_REFUSED_TABLE);
	if (table->attr_id != attr_id)
		return mad_refuse(MAD_REFUSED_TABLE_RECORDS);
	if (index >= table->count)
		return mad_refuse(MAD_REFUSED_INDEX);
	if (table->record_size < kind->least)
		return mad_refuse(MAD_REFUSED_SHORT_RECORD);
	read_record(attr_id, table->records + index * table->record_size, values);
	return 0;
}

/* The public function for a structure of the first release, which ended with the member `last`. */
#define GETTER(name, ATTR, last)                                                                 \
	int mad_sa_get_##name##_sized(const struct mad_sa_table *table, unsigned index,          \
				      struct mad_sa_##name *name, size_t size)                   \
	{                                                                                        \
		struct mad_sa_##name values;                                                     \
		int error = mad_record_get(table, index, IB_SA_ATTR_##ATTR, &values);            \
                                                                                                 \
		return mad_zero_or_error(error ? error : SIZED_GIVE(name, size, last, &values)); \
	}

GETTER(node, NODERECORD, description)
GETTER(port_info, PORTINFORECORD, port_info)
GETTER(link, LINKRECORD, to_lid)
GETTER(path, PATHRECORD, preference)
GETTER(sm_info, SMINFORECORD, state)
GETTER(mc_member, MCRECORD, proxy_join)
GETTER(service, SERVICERECORD, data)

struct mad_sa_table *mad_sa_query_paths(struct ibmad_port *port, const ib_portid_t *sm,
					const uint8_t *sgid, const uint8_t *dgid, int timeout_ms)
{
	uint8_t record[64] = { 0 };
	struct mad_sa_request request = {
		.attr_id = IB_SA_ATTR_PATHRECORD,
		.timeout_ms = timeout_ms,
		.mask = PATH_MASK_SGID | PATH_MASK_NUMB_PATH,
		.data = record,
		.data_size = sizeof(record),
	};

	if (!sgid)
		return mad_refuse_call(mad_refuse(MAD_REFUSED_GID));
	memcpy(record + PATH_SGID, sgid, sizeof(ibmad_gid_t));
	record[PATH_NUMB] = PATH_NUMB_PATH_MAX;
	if (dgid) {
		memcpy(record + PATH_DGID, dgid, sizeof(ibmad_gid_t));
		request.mask |= PATH_MASK_DGID;
	}
	return mad_sa_query_sized(port, sm, &request, sizeof(request), NULL);
}
