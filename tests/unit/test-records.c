/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA records in host order: every component of each record, written here from the tables of volume
 * 1, 15.2.5, is read from its place, whole and alone; and no record is read that is too short.
 */
#include <errno.h>
#include <infiniband/mad_sa.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "libibmad/requests/requests.h"
#include "test.h"

enum { RECORD_SIZE = 200, RECORDS = 3, INDEX = 1 /* of the record that is looked at */ };

static uint8_t records[RECORDS * RECORD_SIZE];
static struct mad_sa_table table = { .records = records };

/* The record that is looked at, between two of other bits. */
static uint8_t *const record = records + INDEX * RECORD_SIZE;

/* Structures of one size, into which each function of mad_sa.h reads; NULL for none. */
static uint8_t values[256] __attribute__((aligned(8)));

#define KIND(name)                                                       \
	static int get_##name(unsigned index, bool into)                 \
	{                                                                \
		struct mad_sa_##name *it = into ? (void *)values : NULL; \
                                                                         \
		memset(values, 0x5a, sizeof(values));                    \
		return mad_sa_get_##name(&table, index, it);             \
	}
KIND(node)
KIND(port_info)
KIND(link)
KIND(path)
KIND(sm_info)
KIND(mc_member)
KIND(service)

static const struct kind {
	unsigned attr_id;
	int (*get)(unsigned index, bool into);
	size_t size; /* of the whole record */
} kinds[] = {
	{ IB_SA_ATTR_NODERECORD, get_node, 108 },
	{ IB_SA_ATTR_PORTINFORECORD, get_port_info, 68 },
	{ IB_SA_ATTR_LINKRECORD, get_link, 6 },
	{ IB_SA_ATTR_PATHRECORD, get_path, 64 },
	{ IB_SA_ATTR_SMINFORECORD, get_sm_info, 25 },
	{ IB_SA_ATTR_MCRECORD, get_mc_member, 52 },
	{ IB_SA_ATTR_SERVICERECORD, get_service, 176 },
};

/* Numbers by their first bit and number of bits; bytes and texts are longer than 64 bits. */
#define ROW(kind, member, first, bits)                                                 \
	{                                                                              \
		get_##kind, #kind "." #member, offsetof(struct mad_sa_##kind, member), \
			sizeof(((struct mad_sa_##kind *)0)->member), first, bits       \
	}
static const struct component {
	int (*get)(unsigned index, bool into);
	const char *name;
	size_t offset, size; /* of the member */
	unsigned first, bits;
} components[] = {
	ROW(node, lid, 0, 16),
	ROW(node, base_version, 32, 8),
	ROW(node, class_version, 40, 8),
	ROW(node, node_type, 48, 8),
	ROW(node, port_count, 56, 8),
	ROW(node, system_guid, 64, 64),
	ROW(node, node_guid, 128, 64),
	ROW(node, port_guid, 192, 64),
	ROW(node, partition_cap, 256, 16),
	ROW(node, device_id, 272, 16),
	ROW(node, revision, 288, 32),
	ROW(node, local_port, 320, 8),
	ROW(node, vendor_id, 328, 24),
	ROW(node, description, 352, 512),
	ROW(port_info, lid, 0, 16),
	ROW(port_info, port_number, 16, 8),
	ROW(port_info, options, 24, 8),
	ROW(link, from_lid, 0, 16),
	ROW(link, from_port, 16, 8),
	ROW(link, to_port, 24, 8),
	ROW(link, to_lid, 32, 16),
	ROW(path, service_id, 0, 64),
	ROW(path, dgid, 64, 128),
	ROW(path, sgid, 192, 128),
	ROW(path, dlid, 320, 16),
	ROW(path, slid, 336, 16),
	ROW(path, flow_label, 356, 20),
	ROW(path, hop_limit, 376, 8),
	ROW(path, traffic_class, 384, 8),
	ROW(path, reversible, 392, 1),
	ROW(path, num_path, 393, 7),
	ROW(path, pkey, 400, 16),
	ROW(path, sl, 428, 4),
	ROW(path, mtu, 434, 6),
	ROW(path, rate, 442, 6),
	ROW(path, life_time, 450, 6),
	ROW(path, preference, 456, 8),
	ROW(sm_info, lid, 0, 16),
	ROW(sm_info, guid, 32, 64),
	ROW(sm_info, sm_key, 96, 64),
	ROW(sm_info, act_count, 160, 32),
	ROW(sm_info, priority, 192, 4),
	ROW(sm_info, state, 196, 4),
	ROW(mc_member, mgid, 0, 128),
	ROW(mc_member, port_gid, 128, 128),
	ROW(mc_member, qkey, 256, 32),
	ROW(mc_member, mlid, 288, 16),
	ROW(mc_member, mtu, 306, 6),
	ROW(mc_member, traffic_class, 312, 8),
	ROW(mc_member, pkey, 320, 16),
	ROW(mc_member, rate, 338, 6),
	ROW(mc_member, life_time, 346, 6),
	ROW(mc_member, sl, 352, 4),
	ROW(mc_member, flow_label, 356, 20),
	ROW(mc_member, hop_limit, 376, 8),
	ROW(mc_member, scope, 384, 4),
	ROW(mc_member, join_state, 388, 4),
	ROW(mc_member, proxy_join, 392, 1),
	ROW(service, id, 0, 64),
	ROW(service, gid, 64, 128),
	ROW(service, pkey, 192, 16),
	ROW(service, lease, 224, 32),
	ROW(service, key, 256, 128),
	ROW(service, name, 384, 512),
	ROW(service, data, 896, 512),
};

static void use(const struct kind *kind)
{
	memset(records, 0xa5, sizeof(records));
	table.attr_id = kind->attr_id;
	table.count = RECORDS;
	table.record_size = RECORD_SIZE;
}

/* The value's bits, most significant first, at a bit offset of the record. */
static void put(unsigned bit, unsigned bits, uint64_t value)
{
	for (unsigned i = 0; i < bits; i++, bit++) {
		uint8_t mask = (uint8_t)(0x80 >> bit % 8);

		record[bit / 8] &= (uint8_t)~mask;
		if (value >> (bits - 1 - i) & 1)
			record[bit / 8] |= mask;
	}
}

static uint64_t number_at(const void *member, size_t size)
{
	return size == 1   ? *(const uint8_t *)member
	       : size == 2 ? *(const uint16_t *)member
	       : size == 4 ? *(const uint32_t *)member
			   : *(const uint64_t *)member;
}

static void check_number(const struct component *component)
{
	static const uint8_t around[] = { 0x00, 0xff, 0xa5 };
	const uint64_t most = UINT64_MAX >> (64 - component->bits);
	const uint64_t numbers[] = { most, 0, 1, UINT64_C(0x123456789abcdef0) & most,
				     most / 2 + 1 };

	for (size_t i = 0; i < COUNT(around) * COUNT(numbers); i++) {
		uint64_t wanted = numbers[i % COUNT(numbers)];

		memset(record, around[i / COUNT(numbers)], RECORD_SIZE);
		put(component->first, component->bits, wanted);
		if (component->get(INDEX, true) ||
		    number_at(values + component->offset, component->size) != wanted)
			fail_msg("%s is not 0x%" PRIx64, component->name, wanted);
	}
}

/* Text of 64 bytes gets a NUL. */
static void check_bytes(const struct component *component)
{
	uint8_t wanted[65] = { 0 };

	for (unsigned i = 0; i < component->bits / 8; i++)
		wanted[i] = record[component->first / 8 + i] = (uint8_t)(i + 1);
	if (component->get(INDEX, true) ||
	    memcmp(values + component->offset, wanted, component->size) != 0)
		fail_msg("%s is not as in the record", component->name);
}

TEST(components_in_their_places)
{
	const struct kind *kind = kinds;

	for (size_t i = 0; i < COUNT(components); i++) {
		while (kind->get != components[i].get)
			kind++;
		use(kind);
		(components[i].bits > 64 ? check_bytes : check_number)(&components[i]);
	}
}

/* A record of exactly the size is read; a shorter record and records beyond the table are not. */
TEST(records_that_are_whole)
{
	for (const struct kind *kind = kinds; kind < kinds + COUNT(kinds); kind++) {
		use(kind);
		table.record_size = kind->size;
		assert_int_equal(kind->get(INDEX, true), 0);
		table.record_size = kind->size - 1;
		assert_errno(kind->get(INDEX, true), EBADMSG);
		table.record_size = RECORD_SIZE;
		assert_int_equal(kind->get(RECORDS - 1, true), 0);
		assert_errno(kind->get(RECORDS, true), ENOENT);
		assert_errno(kind->get(UINT_MAX, true), ENOENT);
		assert_errno(kind->get(INDEX, false), EINVAL);
		assert_int_equal(kind->get(INDEX, true), 0);
		if (kind->get == get_port_info)
			assert_ptr_equal(((struct mad_sa_port_info *)(void *)values)->port_info,
					 record + 4);
	}
}
