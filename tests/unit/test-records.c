/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA records in host order: every component of each record, written here from the tables of volume
 * 1, 15.2.5, is read from its place, whole and alone; and no record is read that is too short.
 */
#include <errno.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_sa.h>
#include <limits.h>
#include <string.h>

#include "libibmad/requests/requests.h"
#include "test.h"

#define RECORD_SIZE 200
#define RECORDS	    3
#define INDEX	    1 /* of the record that is looked at */

static uint8_t records[RECORDS * RECORD_SIZE];
static struct mad_sa_table table;

/* The record that is looked at, between two of other bits. */
static uint8_t *const record = records + INDEX * RECORD_SIZE;

static int setup(void **state)
{
	(void)state;
	memset(records, 0xa5, sizeof(records));
	table.count = RECORDS;
	table.record_size = RECORD_SIZE;
	table.records = records;
	return 0;
}

/* The value's bits, most significant first, at a bit offset of the record. */
static void put(unsigned bit, unsigned bits, uint64_t value)
{
	for (unsigned i = 0; i < bits; i++) {
		uint8_t mask = (uint8_t)(0x80 >> (bit + i) % 8);

		if (value >> (bits - 1 - i) & 1)
			record[(bit + i) / 8] |= mask;
		else
			record[(bit + i) / 8] &= (uint8_t)~mask;
	}
}

static void put_bytes(unsigned byte, const void *bytes, size_t size)
{
	memcpy(record + byte, bytes, size);
}

/*
 * Reads a component when the record is all zeros, all ones, and alternating, the component being
 * all ones, all zeros, and something in between: it is read correctly whatever is around it.
 */
#define assert_component(name, member, bit, bits)                                            \
	do {                                                                                 \
		static const uint8_t around[] = { 0x00, 0xff, 0xa5 };                        \
		const uint64_t most =                                                        \
			(bits) == 64 ? UINT64_MAX : (UINT64_C(1) << (bits) % 64) - 1;        \
		const uint64_t values[] = { most, 0, 1, UINT64_C(0x123456789abcdef0) & most, \
					    most / 2 + 1 };                                  \
		struct mad_sa_##name it;                                                     \
                                                                                             \
		for (size_t i_ = 0; i_ < sizeof(around); i_++) {                             \
			for (size_t j_ = 0; j_ < sizeof(values) / sizeof(values[0]); j_++) { \
				memset(record, around[i_], RECORD_SIZE);                     \
				put(bit, bits, values[j_]);                                  \
				memset(&it, 0x5a, sizeof(it));                               \
				assert_int_equal(mad_sa_get_##name(&table, INDEX, &it), 0);  \
				assert_true(it.member == values[j_]);                        \
			}                                                                    \
		}                                                                            \
	} while (0)

/* Reads bytes from their place in the record. */
#define assert_bytes(name, member, byte, size)                              \
	do {                                                                \
		uint8_t bytes_[size];                                       \
		struct mad_sa_##name it;                                    \
                                                                            \
		for (size_t i_ = 0; i_ < (size); i_++)                      \
			bytes_[i_] = (uint8_t)(i_ + 1);                     \
		setup(NULL);                                                \
		put_bytes(byte, bytes_, size);                              \
		memset(&it, 0x5a, sizeof(it));                              \
		assert_int_equal(mad_sa_get_##name(&table, INDEX, &it), 0); \
		assert_memory_equal(it.member, bytes_, size);               \
	} while (0)

/* Text of 64 bytes gets a NUL; shorter text keeps its own. */
#define assert_text(name, member, byte)                                           \
	do {                                                                      \
		static const char longest[] = "0123456789abcdef0123456789ABCDEF"  \
					      "fedcba98765432100123456789abcdef"; \
		struct mad_sa_##name it;                                          \
                                                                                  \
		_Static_assert(sizeof(longest) == 65, "64 characters");           \
		setup(NULL);                                                      \
		put_bytes(byte, longest, 64);                                     \
		memset(&it, 0x5a, sizeof(it));                                    \
		assert_int_equal(mad_sa_get_##name(&table, INDEX, &it), 0);       \
		assert_string_equal(it.member, longest);                          \
		put_bytes(byte, "short", 6);                                      \
		assert_int_equal(mad_sa_get_##name(&table, INDEX, &it), 0);       \
		assert_string_equal(it.member, "short");                          \
	} while (0)

/* A record of exactly the size is read; a shorter record and records beyond the table are not. */
#define assert_size(name, size)                                                   \
	do {                                                                      \
		struct mad_sa_##name it;                                          \
                                                                                  \
		table.record_size = size;                                         \
		assert_int_equal(mad_sa_get_##name(&table, INDEX, &it), 0);       \
		errno = 0;                                                        \
		table.record_size = (size)-1;                                     \
		assert_int_equal(mad_sa_get_##name(&table, INDEX, &it), -1);      \
		assert_int_equal(errno, EBADMSG);                                 \
		table.record_size = RECORD_SIZE;                                  \
		assert_int_equal(mad_sa_get_##name(&table, RECORDS - 1, &it), 0); \
		assert_int_equal(mad_sa_get_##name(&table, RECORDS, &it), -1);    \
		assert_int_equal(errno, ENOENT);                                  \
		assert_int_equal(mad_sa_get_##name(&table, UINT_MAX, &it), -1);   \
		assert_int_equal(errno, ENOENT);                                  \
		assert_int_equal(mad_sa_get_##name(NULL, INDEX, &it), -1);        \
		assert_int_equal(errno, EINVAL);                                  \
		errno = 0;                                                        \
		assert_int_equal(mad_sa_get_##name(&table, INDEX, NULL), -1);     \
		assert_int_equal(errno, EINVAL);                                  \
	} while (0)

TEST_WITH(node_record, setup, NULL)
{
	const unsigned info = 32; /* NodeInfo begins at byte 4 */

	table.attr_id = IB_SA_ATTR_NODERECORD;
	assert_component(node, lid, 0, 16);
	assert_component(node, base_version, info, 8);
	assert_component(node, class_version, info + 8, 8);
	assert_component(node, node_type, info + 16, 8);
	assert_component(node, port_count, info + 24, 8);
	assert_component(node, system_guid, info + 32, 64);
	assert_component(node, node_guid, info + 96, 64);
	assert_component(node, port_guid, info + 160, 64);
	assert_component(node, partition_cap, info + 224, 16);
	assert_component(node, device_id, info + 240, 16);
	assert_component(node, revision, info + 256, 32);
	assert_component(node, local_port, info + 288, 8);
	assert_component(node, vendor_id, info + 296, 24);
	assert_text(node, description, 44);
	assert_size(node, 108);
}

TEST_WITH(port_info_record, setup, NULL)
{
	struct mad_sa_port_info port_info;

	table.attr_id = IB_SA_ATTR_PORTINFORECORD;
	assert_component(port_info, lid, 0, 16);
	assert_component(port_info, port_number, 16, 8);
	assert_component(port_info, options, 24, 8);
	assert_int_equal(mad_sa_get_port_info(&table, INDEX, &port_info), 0);
	assert_ptr_equal(port_info.port_info, record + 4);
	assert_size(port_info, 68);
}

TEST_WITH(link_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_LINKRECORD;
	assert_component(link, from_lid, 0, 16);
	assert_component(link, from_port, 16, 8);
	assert_component(link, to_port, 24, 8);
	assert_component(link, to_lid, 32, 16);
	assert_size(link, 6);
}

TEST_WITH(path_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_PATHRECORD;
	assert_component(path, service_id, 0, 64);
	assert_bytes(path, dgid, 8, 16);
	assert_bytes(path, sgid, 24, 16);
	assert_component(path, dlid, 320, 16);
	assert_component(path, slid, 336, 16);
	assert_component(path, flow_label, 356, 20);
	assert_component(path, hop_limit, 376, 8);
	assert_component(path, traffic_class, 384, 8);
	assert_component(path, reversible, 392, 1);
	assert_component(path, num_path, 393, 7);
	assert_component(path, pkey, 400, 16);
	assert_component(path, sl, 428, 4);
	assert_component(path, mtu, 434, 6);
	assert_component(path, rate, 442, 6);
	assert_component(path, life_time, 450, 6);
	assert_component(path, preference, 456, 8);
	assert_size(path, 64);
}

TEST_WITH(sm_info_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_SMINFORECORD;
	assert_component(sm_info, lid, 0, 16);
	assert_component(sm_info, guid, 32, 64);
	assert_component(sm_info, sm_key, 96, 64);
	assert_component(sm_info, act_count, 160, 32);
	assert_component(sm_info, priority, 192, 4);
	assert_component(sm_info, state, 196, 4);
	assert_size(sm_info, 25);
}

TEST_WITH(mc_member_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_MCRECORD;
	assert_bytes(mc_member, mgid, 0, 16);
	assert_bytes(mc_member, port_gid, 16, 16);
	assert_component(mc_member, qkey, 256, 32);
	assert_component(mc_member, mlid, 288, 16);
	assert_component(mc_member, mtu, 306, 6);
	assert_component(mc_member, traffic_class, 312, 8);
	assert_component(mc_member, pkey, 320, 16);
	assert_component(mc_member, rate, 338, 6);
	assert_component(mc_member, life_time, 346, 6);
	assert_component(mc_member, sl, 352, 4);
	assert_component(mc_member, flow_label, 356, 20);
	assert_component(mc_member, hop_limit, 376, 8);
	assert_component(mc_member, scope, 384, 4);
	assert_component(mc_member, join_state, 388, 4);
	assert_component(mc_member, proxy_join, 392, 1);
	assert_size(mc_member, 52);
}

TEST_WITH(service_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_SERVICERECORD;
	assert_component(service, id, 0, 64);
	assert_bytes(service, gid, 8, 16);
	assert_component(service, pkey, 192, 16);
	assert_component(service, lease, 224, 32);
	assert_bytes(service, key, 32, 16);
	assert_text(service, name, 48);
	assert_bytes(service, data, 112, 64);
	assert_size(service, 176);
}
