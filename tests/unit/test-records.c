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
#define assert_component(get, structure, member, bit, bits)                                  \
	do {                                                                                 \
		static const uint8_t around[] = { 0x00, 0xff, 0xa5 };                        \
		const uint64_t most =                                                        \
			(bits) == 64 ? UINT64_MAX : (UINT64_C(1) << (bits) % 64) - 1;        \
		const uint64_t values[] = { most, 0, 1, UINT64_C(0x123456789abcdef0) & most, \
					    most / 2 + 1 };                                  \
		structure it;                                                                \
                                                                                             \
		for (size_t i_ = 0; i_ < sizeof(around); i_++) {                             \
			for (size_t j_ = 0; j_ < sizeof(values) / sizeof(values[0]); j_++) { \
				memset(record, around[i_], RECORD_SIZE);                     \
				put(bit, bits, values[j_]);                                  \
				memset(&it, 0x5a, sizeof(it));                               \
				assert_int_equal(get(&table, INDEX, &it), 0);                \
				assert_true(it.member == values[j_]);                        \
			}                                                                    \
		}                                                                            \
	} while (0)

/* Reads bytes from their place in the record. */
#define assert_bytes(get, structure, member, byte, size)      \
	do {                                                  \
		uint8_t bytes_[size];                         \
		structure it;                                 \
                                                              \
		for (size_t i_ = 0; i_ < (size); i_++)        \
			bytes_[i_] = (uint8_t)(i_ + 1);       \
		setup(NULL);                                  \
		put_bytes(byte, bytes_, size);                \
		memset(&it, 0x5a, sizeof(it));                \
		assert_int_equal(get(&table, INDEX, &it), 0); \
		assert_memory_equal(it.member, bytes_, size); \
	} while (0)

/* Text of 64 bytes gets a NUL; shorter text keeps its own. */
#define assert_text(get, structure, member, byte)                                 \
	do {                                                                      \
		static const char longest[] = "0123456789abcdef0123456789ABCDEF"  \
					      "fedcba98765432100123456789abcdef"; \
		structure it;                                                     \
                                                                                  \
		_Static_assert(sizeof(longest) == 65, "64 characters");           \
		setup(NULL);                                                      \
		put_bytes(byte, longest, 64);                                     \
		memset(&it, 0x5a, sizeof(it));                                    \
		assert_int_equal(get(&table, INDEX, &it), 0);                     \
		assert_string_equal(it.member, longest);                          \
		put_bytes(byte, "short", 6);                                      \
		assert_int_equal(get(&table, INDEX, &it), 0);                     \
		assert_string_equal(it.member, "short");                          \
	} while (0)

/* A record of exactly the size is read; a shorter record and records beyond the table are not. */
#define assert_size(get, structure, size)                           \
	do {                                                        \
		structure it;                                       \
                                                                    \
		table.record_size = size;                           \
		assert_int_equal(get(&table, INDEX, &it), 0);       \
		errno = 0;                                          \
		table.record_size = (size)-1;                       \
		assert_int_equal(get(&table, INDEX, &it), -1);      \
		assert_int_equal(errno, EBADMSG);                   \
		table.record_size = RECORD_SIZE;                    \
		assert_int_equal(get(&table, RECORDS - 1, &it), 0); \
		assert_int_equal(get(&table, RECORDS, &it), -1);    \
		assert_int_equal(errno, ENOENT);                    \
		assert_int_equal(get(&table, UINT_MAX, &it), -1);   \
		assert_int_equal(errno, ENOENT);                    \
		assert_int_equal(get(NULL, INDEX, &it), -1);        \
		assert_int_equal(errno, EINVAL);                    \
		errno = 0;                                          \
		assert_int_equal(get(&table, INDEX, NULL), -1);     \
		assert_int_equal(errno, EINVAL);                    \
	} while (0)

#define NODE(member, bit, bits) \
	assert_component(mad_sa_get_node, struct mad_sa_node, member, bit, bits)
#define LINK(member, bit, bits) \
	assert_component(mad_sa_get_link, struct mad_sa_link, member, bit, bits)
#define PATH(member, bit, bits) \
	assert_component(mad_sa_get_path, struct mad_sa_path, member, bit, bits)
#define SM_INFO(member, bit, bits) \
	assert_component(mad_sa_get_sm_info, struct mad_sa_sm_info, member, bit, bits)
#define MC_MEMBER(member, bit, bits) \
	assert_component(mad_sa_get_mc_member, struct mad_sa_mc_member, member, bit, bits)
#define SERVICE(member, bit, bits) \
	assert_component(mad_sa_get_service, struct mad_sa_service, member, bit, bits)

TEST_WITH(node_record, setup, NULL)
{
	const unsigned info = 32; /* NodeInfo begins at byte 4 */

	table.attr_id = IB_SA_ATTR_NODERECORD;
	NODE(lid, 0, 16);
	NODE(base_version, info, 8);
	NODE(class_version, info + 8, 8);
	NODE(node_type, info + 16, 8);
	NODE(port_count, info + 24, 8);
	NODE(system_guid, info + 32, 64);
	NODE(node_guid, info + 96, 64);
	NODE(port_guid, info + 160, 64);
	NODE(partition_cap, info + 224, 16);
	NODE(device_id, info + 240, 16);
	NODE(revision, info + 256, 32);
	NODE(local_port, info + 288, 8);
	NODE(vendor_id, info + 296, 24);
	assert_text(mad_sa_get_node, struct mad_sa_node, description, 44);
	assert_size(mad_sa_get_node, struct mad_sa_node, 108);
}

TEST_WITH(port_info_record, setup, NULL)
{
	struct mad_sa_port_info port_info;

	table.attr_id = IB_SA_ATTR_PORTINFORECORD;
	assert_component(mad_sa_get_port_info, struct mad_sa_port_info, lid, 0, 16);
	assert_component(mad_sa_get_port_info, struct mad_sa_port_info, port_number, 16, 8);
	assert_component(mad_sa_get_port_info, struct mad_sa_port_info, options, 24, 8);
	assert_int_equal(mad_sa_get_port_info(&table, INDEX, &port_info), 0);
	assert_ptr_equal(port_info.port_info, record + 4);
	assert_size(mad_sa_get_port_info, struct mad_sa_port_info, 68);
}

TEST_WITH(link_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_LINKRECORD;
	LINK(from_lid, 0, 16);
	LINK(from_port, 16, 8);
	LINK(to_port, 24, 8);
	LINK(to_lid, 32, 16);
	assert_size(mad_sa_get_link, struct mad_sa_link, 6);
}

TEST_WITH(path_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_PATHRECORD;
	PATH(service_id, 0, 64);
	assert_bytes(mad_sa_get_path, struct mad_sa_path, dgid, 8, 16);
	assert_bytes(mad_sa_get_path, struct mad_sa_path, sgid, 24, 16);
	PATH(dlid, 320, 16);
	PATH(slid, 336, 16);
	PATH(flow_label, 356, 20);
	PATH(hop_limit, 376, 8);
	PATH(traffic_class, 384, 8);
	PATH(reversible, 392, 1);
	PATH(num_path, 393, 7);
	PATH(pkey, 400, 16);
	PATH(sl, 428, 4);
	PATH(mtu, 434, 6);
	PATH(rate, 442, 6);
	PATH(life_time, 450, 6);
	PATH(preference, 456, 8);
	assert_size(mad_sa_get_path, struct mad_sa_path, 64);
}

TEST_WITH(sm_info_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_SMINFORECORD;
	SM_INFO(lid, 0, 16);
	SM_INFO(guid, 32, 64);
	SM_INFO(sm_key, 96, 64);
	SM_INFO(act_count, 160, 32);
	SM_INFO(priority, 192, 4);
	SM_INFO(state, 196, 4);
	assert_size(mad_sa_get_sm_info, struct mad_sa_sm_info, 25);
}

TEST_WITH(mc_member_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_MCRECORD;
	assert_bytes(mad_sa_get_mc_member, struct mad_sa_mc_member, mgid, 0, 16);
	assert_bytes(mad_sa_get_mc_member, struct mad_sa_mc_member, port_gid, 16, 16);
	MC_MEMBER(qkey, 256, 32);
	MC_MEMBER(mlid, 288, 16);
	MC_MEMBER(mtu, 306, 6);
	MC_MEMBER(traffic_class, 312, 8);
	MC_MEMBER(pkey, 320, 16);
	MC_MEMBER(rate, 338, 6);
	MC_MEMBER(life_time, 346, 6);
	MC_MEMBER(sl, 352, 4);
	MC_MEMBER(flow_label, 356, 20);
	MC_MEMBER(hop_limit, 376, 8);
	MC_MEMBER(scope, 384, 4);
	MC_MEMBER(join_state, 388, 4);
	MC_MEMBER(proxy_join, 392, 1);
	assert_size(mad_sa_get_mc_member, struct mad_sa_mc_member, 52);
}

/* LinkRecords of 8 bytes in one MAD, and in a response of any length. */
TEST(table_of_an_asynchronous_result)
{
	uint8_t mad[1000] = { [1] = IB_SA_CLASS,
			      [3] = IB_MAD_RESPONSE | IB_MAD_METHOD_GET_TABLE,
			      [17] = IB_SA_ATTR_LINKRECORD,
			      [24] = 1, /* RMPP: version, data, active and first and last, length */
			      [25] = IB_RMPP_TYPE_DATA,
			      [26] = 7,
			      [35] = 20 + 2 * 8,
			      [45] = 1, /* 8 bytes a record */
			      [56] = 0,
			      [57] = 5,
			      [64 + 1] = 6 };
	struct mad_async_result result = { .mad = mad, .mad_size = IB_MAD_SIZE };
	struct mad_sa_table *made = mad_sa_table_from(&result);
	struct mad_sa_link link;

	assert_non_null(made);
	assert_int_equal(mad_sa_table_count(made), 2);
	assert_int_equal(mad_sa_table_attr_id(made), IB_SA_ATTR_LINKRECORD);
	mad[57] = 0; /* the table has a copy */
	assert_int_equal(mad_sa_get_link(made, 0, &link), 0);
	assert_int_equal(link.from_lid, 5);
	assert_int_equal(mad_sa_get_link(made, 1, &link), 0);
	assert_int_equal(link.from_lid, 6);
	mad_sa_table_free(made);

	result.mad_size = 56 + 100 * 8;
	made = mad_sa_table_from(&result);
	assert_int_equal(mad_sa_table_count(made), 100);
	mad_sa_table_free(made);
	result.mad_size++;
	assert_null_errno(mad_sa_table_from(&result), EBADMSG);

	result.error = EIO;
	result.status = 0x300; /* no records */
	made = mad_sa_table_from(&result);
	assert_non_null(made);
	assert_int_equal(mad_sa_table_count(made), 0);
	mad_sa_table_free(made);
	result.status = 0x100;
	assert_null_errno(mad_sa_table_from(&result), EIO);
	result.error = 0;
	mad[1] = IB_SMI_CLASS;
	assert_null_errno(mad_sa_table_from(&result), EINVAL);
	assert_null_errno(mad_sa_table_from(NULL), EINVAL);
	result = (struct mad_async_result){ .error = ETIMEDOUT };
	assert_null_errno(mad_sa_table_from(&result), ETIMEDOUT);
}

TEST_WITH(service_record, setup, NULL)
{
	table.attr_id = IB_SA_ATTR_SERVICERECORD;
	SERVICE(id, 0, 64);
	assert_bytes(mad_sa_get_service, struct mad_sa_service, gid, 8, 16);
	SERVICE(pkey, 192, 16);
	SERVICE(lease, 224, 32);
	assert_bytes(mad_sa_get_service, struct mad_sa_service, key, 32, 16);
	assert_text(mad_sa_get_service, struct mad_sa_service, name, 48);
	assert_bytes(mad_sa_get_service, struct mad_sa_service, data, 112, 64);
	assert_size(mad_sa_get_service, struct mad_sa_service, 176);
}
