/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA tables: what is refused, large ones, and every length. What else a response can be is in
 * requests.tbl.
 */
#include "test.h"
#include "fakeumad.h"
#include "sa-response.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define assert_refused(call, error)             \
	do {                                    \
		errno = 0;                      \
		assert_null(call);              \
		assert_int_equal(errno, error); \
	} while (0)

static size_t record_size(const struct mad_sa_table *table)
{
	size_t size = 0;

	mad_sa_table_record(table, 0, &size);
	return size;
}

/* One MAD of many, which a simulator passes on without an RMPP header's type. */
FAKEUMAD_TEST(cut_by_a_simulator)
{
	for (int whole = 0; whole < 2; whole++) {
		struct sa_response response = {
			0, whole ? DATA : NONE, whole ? WHOLE : ACTIVE, 132, 14, NULL, 256
		};
		struct mad_sa_table *table;

		fakeumad_respond_with(sa_response_give, &response);
		assert_return_code(sa_response_query(*state, 0, &table), errno);
		assert_int_equal(mad_sa_table_count(table), 1);
		assert_int_equal(mad_sa_table_truncated(table), !whole);
		mad_sa_table_free(table);
	}
}

/* Small responses between large ones: nothing of one is in the other. */
FAKEUMAD_TEST(twenty_thousand_records)
{
	enum { MANY = 20000 };
	struct sa_response large = { .type = DATA,
				     .flags = ACTIVE | FIRST,
				     .payload = MANY * NODE_STRIDE +
						(MANY * NODE_STRIDE + 199) / 200 * 20,
				     .attr_offset = NODE_STRIDE / 8,
				     .records = sa_response_make_nodes(MANY),
				     .length = SA_DATA + MANY * NODE_STRIDE };
	struct sa_response small = large;
	struct mad_sa_table *tables[4];

	small.flags = WHOLE;
	small.payload = 20 + NODE_STRIDE;
	small.records += NODE_STRIDE;
	small.length = SA_DATA + NODE_STRIDE;
	for (int i = 0; i < 4; i++) {
		fakeumad_respond_with(sa_response_give, i % 2 ? &small : &large);
		assert_return_code(sa_response_query(*state, 0, &tables[i]), errno);
	}
	assert_int_equal(fakeumad_writes(), 4);
	for (int i = 0; i < 4; i++) {
		unsigned count = i % 2 ? 1 : MANY;
		struct mad_sa_node node;

		assert_int_equal(mad_sa_table_count(tables[i]), count);
		assert_int_equal(record_size(tables[i]), NODE_STRIDE);
		assert_memory_equal(mad_sa_table_record(tables[i], 0, NULL),
				    large.records + i % 2 * NODE_STRIDE, count * NODE_STRIDE);
		assert_int_equal(mad_sa_get_node(tables[i], count - 1, &node, sizeof(node)), 0);
		assert_int_equal(node.lid, i % 2 ? 1 : MANY - 1);
		assert_null(mad_sa_table_record(tables[i], count, NULL));
		mad_sa_table_free(tables[i]);
	}
	free((void *)large.records);
}

/* Every length from a bare MAD header on, and every payload that it may claim: no read outside. */
FAKEUMAD_TEST(every_length)
{
	uint8_t records[344];

	memset(records, 0x5a, sizeof(records));
	for (size_t length = SA_DATA + 1; length <= SA_DATA + sizeof(records); length++) {
		struct sa_response response = { .type = DATA,
						.flags = WHOLE,
						.payload = (uint32_t)(length * 7 % 300),
						.attr_offset = (uint16_t)(length % 5),
						.records = records,
						.length = length };
		struct mad_sa_table *table;

		fakeumad_respond_with(sa_response_give, &response);
		if (sa_response_query(*state, 0, &table) < 0) {
			assert_int_equal(errno, EBADMSG);
			sa_response_assert_empty(table);
			continue;
		}
		assert_true((size_t)mad_sa_table_count(table) * record_size(table) <=
			    length - SA_DATA);
		for (unsigned i = 0; i < mad_sa_table_count(table); i++)
			assert_memory_equal(mad_sa_table_record(table, i, NULL), records,
					    record_size(table));
		mad_sa_table_free(table);
	}
}

static int give_short_then_whole(const struct fakeumad_request *request, void *context)
{
	struct sa_response response = { 0, DATA, WHOLE, 20, 14, NULL, SA_DATA - 1 };

	(void)context;
	sa_response_give(request, &response);
	response.payload = 20 + NODE_STRIDE;
	response.length = SA_DATA + NODE_STRIDE;
	return sa_response_give(request, &response);
}

/* A response shorter than the SA header is invalid: the valid one arrives later. */
FAKEUMAD_TEST(short_response_is_not_taken)
{
	struct mad_rpc_statistics statistics;
	struct mad_sa_table *table;

	fakeumad_respond_with(give_short_then_whole, NULL);
	assert_return_code(sa_response_query(*state, 0, &table), errno);
	assert_int_equal(mad_sa_table_count(table), 1);
	mad_sa_table_free(table);
	assert_int_equal(mad_rpc_get_statistics(*state, &statistics, sizeof(statistics)), 0);
	assert_int_equal(statistics.errors, 1);
	assert_int_equal(statistics.received, 2);
	assert_int_equal(statistics.sent, 1);
}

FAKEUMAD_TEST(get_one_record)
{
	uint8_t *records = sa_response_make_nodes(2);
	struct sa_response response = { 0, NONE, 0, 0, NODE_STRIDE / 8, records, 256 };
	struct mad_sa_table *table;
	struct mad_sa_node node;

	fakeumad_respond_with(sa_response_give, &response);
	for (int i = 0; i < 2; i++) {
		response.attr_offset = i ? NODE_STRIDE / 8 : 0; /* may be left out of a GetResp */
		assert_return_code(sa_response_query(*state, IB_MAD_METHOD_GET, &table), errno);
		assert_int_equal(mad_sa_table_count(table), 1);
		assert_int_equal(record_size(table), i ? NODE_STRIDE : ONE_MAD);
		assert_int_equal(mad_sa_get_node(table, 0, &node, sizeof(node)), 0);
		assert_string_equal(node.description, "node 0");
		mad_sa_table_free(table);
	}
	free(records);
}

/* A response to Get without an error has a record: one that ends before it is invalid. */
FAKEUMAD_TEST(get_without_a_record)
{
	struct sa_response response = { 0, NONE, 0, 0, NODE_STRIDE / 8, NULL, SA_DATA };
	struct mad_sa_table *table;

	fakeumad_respond_with(sa_response_give, &response);
	errno = 0;
	assert_int_equal(sa_response_query(*state, IB_MAD_METHOD_GET, &table), -1);
	assert_int_equal(errno, EBADMSG);
	sa_response_assert_empty(table);
}

FAKEUMAD_TEST(all_records_of_an_attribute)
{
	struct sa_response response = { 0, DATA, WHOLE, 20, 0, NULL, 256 };
	ib_portid_t sm = { .lid = 1 };
	struct mad_sa_table *table;
	const uint8_t *mad;

	fakeumad_respond_with(sa_response_give, &response);
	table = mad_sa_query_all(*state, &sm, IB_SA_ATTR_SERVICERECORD, TIMEOUT_MS);
	assert_non_null(table);
	sa_response_assert_empty(table);
	assert_int_equal(mad_sa_table_attr_id(table), IB_SA_ATTR_SERVICERECORD);
	mad_sa_table_free(table);
	mad = fakeumad_written(1) + FAKEUMAD_HEADER;
	assert_int_equal(mad[3], IB_MAD_METHOD_GET_TABLE);
	assert_int_equal(mad[16] << 8 | mad[17], 0x31);
}

/* All paths from one port, or those to one other. */
FAKEUMAD_TEST(paths_are_asked_for_by_gid)
{
	static const uint8_t from[16] = { 0xfe, 0x80, [15] = 1 },
			     into[16] = { 0xfe, 0x80, [15] = 2 };
	struct sa_response response = { 0, DATA, WHOLE, 20, 0, NULL, 256 };
	ib_portid_t sm = { .lid = 1 };
	struct mad_sa_table *table;

	fakeumad_respond_with(sa_response_give, &response);
	for (int i = 0; i < 2; i++) {
		const uint8_t *dgid = i ? into : NULL, *mad;

		table = mad_sa_query_paths(*state, &sm, from, dgid, TIMEOUT_MS);
		assert_non_null(table);
		mad_sa_table_free(table);
		mad = fakeumad_written(i + 1) + FAKEUMAD_HEADER;
		assert_memory_equal(mad + 48, i ? "\0\0\0\0\0\0\x10\x0c" : "\0\0\0\0\0\0\x10\x08",
				    8);
		assert_memory_equal(mad + SA_DATA + 8, i ? into : (uint8_t[16]){ 0 }, 16);
		assert_memory_equal(mad + SA_DATA + 24, from, 16);
		assert_int_equal(mad[SA_DATA + 49], 127); /* as many as there are */
	}
}

FAKEUMAD_TEST(what_is_refused)
{
	static const uint8_t data[IB_SA_DATA_SIZE + 1];
	static const struct mad_sa_request good = { .attr_id = IB_SA_ATTR_NODERECORD };
	static const struct mad_sa_request wrong[] = {
		{ .attr_id = 0x11, .data_size = 1 },
		{ .attr_id = 0x11, .data = data, .data_size = sizeof(data) },
		{ .attr_id = 0x11, .data = data, .method = IB_MAD_METHOD_SET },
		{ .attr_id = 0x10011 },
		{ .attr_id = 0x11, .method = 0x112 },
		{ .attr_id = 0x11, .timeout_ms = -1 },
	};
	const ib_portid_t sm = { .lid = 1 }, no_lid = { 0 }, far = { .lid = 0x10001 };
	struct {
		struct mad_sa_request known;
		uint64_t more;
	} longer = { good, 1 };

	assert_refused(mad_sa_query(NULL, &sm, &good, sizeof(good), NULL), EINVAL);
	assert_refused(mad_sa_query(*state, &sm, NULL, sizeof(good), NULL), EINVAL);
	assert_refused(mad_sa_query(*state, &no_lid, &good, sizeof(good), NULL), EINVAL);
	assert_refused(mad_sa_query_paths(*state, &sm, NULL, NULL, 0), EINVAL);
	assert_refused(mad_sa_query_all(*state, &far, 0x11, 0), EINVAL);
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_refused(mad_sa_query(*state, &sm, &wrong[i], sizeof(wrong[i]), NULL),
			       EINVAL);
	for (size_t size = 0; size < sizeof(good); size++) /* of other versions */
		assert_refused(mad_sa_query(*state, &sm, &good, size, NULL), EINVAL);
	assert_refused(mad_sa_query(*state, &sm, &longer.known, sizeof(longer), NULL), E2BIG);
	assert_refused(mad_sa_query(*state, &sm, &longer.known, SIZE_MAX, NULL), E2BIG);
	assert_int_equal(fakeumad_writes(), 0);
	mad_sa_table_free(NULL);
}

/* What a library of another version has more or less: zeros. */
FAKEUMAD_TEST(records_in_structures_of_any_size)
{
	uint8_t *records = sa_response_make_nodes(1);
	struct sa_response response = { 0, NONE, 0, 0, NODE_STRIDE / 8, records, 256 };
	struct {
		struct mad_sa_node known;
		uint64_t more;
	} node;
	struct mad_sa_path path;
	struct mad_sa_table *table;

	fakeumad_respond_with(sa_response_give, &response);
	assert_return_code(sa_response_query(*state, IB_MAD_METHOD_GET, &table), errno);
	memset(&node, 0x5a, sizeof(node));
	assert_int_equal(mad_sa_get_node(table, 0, &node.known, sizeof(node)), 0);
	assert_string_equal(node.known.description, "node 0");
	assert_true(node.more == 0);
	assert_int_equal(mad_sa_get_node(table, 0, &node.known, 8), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_sa_get_node(table, 0, &node.known, SIZE_MAX), -1);
	assert_int_equal(errno, E2BIG);
	assert_int_equal(mad_sa_get_path(table, 0, &path, sizeof(path)),
			 -1); /* they are no paths */
	assert_int_equal(errno, EINVAL);
	mad_sa_table_free(table);
	free(records);
}
