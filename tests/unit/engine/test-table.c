/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA tables: valid responses, and every way in which the length of one can be wrong.
 * Built with AddressSanitizer too (sanitized.sh).
 */
#include "test.h"
#include "count-memory.h"
#include "fakeumad.h"
#include "sa-response.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t record_size(const struct mad_sa_table *table)
{
	size_t size = 0;

	mad_sa_table_record(table, 0, &size);
	return size;
}

FAKEUMAD_TEST(believable_responses)
{
	static const struct {
		const char *what;
		struct sa_response response;
		unsigned count;
		unsigned record_size;
		unsigned truncated;
	} cases[] = {
		{ "one record, as the kernel joins it",
		  { 0, DATA, WHOLE, 20 + 112, 14, NULL, 56 + 112 },
		  1,
		  112,
		  0 },
		{ "one record in a whole MAD",
		  { 0, DATA, WHOLE, 20 + 112, 14, NULL, 256 },
		  1,
		  112,
		  0 },
		{ "a full MAD", { 0, DATA, WHOLE, 20 + 200, 1, NULL, 256 }, 25, 8, 0 },
		{ "a full MAD without RMPP", { 0, NONE, 0, 0, 5, NULL, 256 }, 5, 40, 0 },
		{ "two MADs",
		  { 0, DATA, ACTIVE | FIRST, 224 + 40, 14, NULL, 56 + 224 },
		  2,
		  112,
		  0 },
		{ "two MADs of unknown length",
		  { 0, DATA, ACTIVE | FIRST, 0, 14, NULL, 56 + 224 },
		  2,
		  112,
		  0 },
		{ "the shortest of two MADs",
		  { 0, DATA, ACTIVE | FIRST, 0, 1, NULL, 56 + 208 },
		  26,
		  8,
		  0 },
		{ "cut by a simulator", { 0, NONE, ACTIVE, 0, 14, NULL, 256 }, 1, 112, 1 },
		{ "no record, in a whole MAD", { 0, DATA, WHOLE, 20, 14, NULL, 256 }, 0, 0, 0 },
		{ "no record and no record size", { 0, DATA, WHOLE, 20, 0, NULL, 256 }, 0, 0, 0 },
	};
	uint8_t pattern[224];

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(i + 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sa_response response = cases[i].response;
		struct mad_sa_table *table;

		response.records = response.length - SA_DATA <= sizeof(pattern) ? pattern : NULL;
		fakeumad_respond_with(sa_response_give, &response);
		print_message("%s\n", cases[i].what);
		assert_return_code(sa_response_query(*state, 0, &table), errno);
		assert_int_equal(mad_sa_table_count(table), cases[i].count);
		assert_int_equal(sa_response_status, 0);
		assert_int_equal(mad_sa_table_truncated(table), cases[i].truncated);
		if (mad_sa_table_count(table)) {
			assert_int_equal(record_size(table), cases[i].record_size);
			assert_memory_equal(mad_sa_table_record(table, 0, NULL), pattern,
					    mad_sa_table_count(table) * record_size(table));
		}
		mad_sa_table_free(table);
	}
}

/* An SA without such records: RMPP data of no records, which the kernel delivers as 56 bytes. */
FAKEUMAD_TEST(empty_table_as_the_kernel_joins_it)
{
	struct sa_response response = { 0, DATA, WHOLE, 20, 0, NULL, SA_DATA };
	struct mad_rpc_statistics statistics;
	struct mad_sa_table *table;

	fakeumad_respond_with(sa_response_give, &response);
	assert_return_code(sa_response_query(*state, 0, &table), errno);
	sa_response_assert_empty(table);
	mad_sa_table_free(table);
	assert_int_equal(fakeumad_writes(), 1);
	assert_int_equal(mad_rpc_get_statistics(*state, &statistics, sizeof(statistics)), 0);
	assert_int_equal(statistics.received, 1);
	assert_int_equal(statistics.timeouts + statistics.errors, 0);
}

FAKEUMAD_TEST(unbelievable_responses)
{
	static const struct {
		const char *what;
		struct sa_response response;
		int error;
	} cases[] = {
		{ "record size 0", { 0, DATA, WHOLE, 20 + 112, 0, NULL, 256 }, EBADMSG },
		{ "record size 0, many MADs",
		  { 0, DATA, ACTIVE | FIRST, 0, 0, NULL, 2056 },
		  EBADMSG },
		{ "half a record", { 0, DATA, WHOLE, 20 + 168, 14, NULL, 256 }, EBADMSG },
		{ "half a record, many MADs",
		  { 0, DATA, ACTIVE | FIRST, 0, 14, NULL, 56 + 280 },
		  EBADMSG },
		{ "a record larger than all",
		  { 0, DATA, WHOLE, 20 + 112, 0xffff, NULL, 256 },
		  EBADMSG },
		{ "a record larger than all, many MADs",
		  { 0, DATA, ACTIVE | FIRST, 0, 0xffff, NULL, 2056 },
		  EBADMSG },
		{ "less than the SA header", { 0, DATA, WHOLE, 19, 14, NULL, 256 }, EBADMSG },
		{ "no payload", { 0, DATA, WHOLE, 0, 14, NULL, 256 }, EBADMSG },
		{ "more than a MAD holds", { 0, DATA, WHOLE, 20 + 201, 14, NULL, 256 }, EBADMSG },
		{ "more than came", { 0, DATA, WHOLE, 20 + 112, 14, NULL, 56 + 104 }, EBADMSG },
		{ "as much as there is", { 0, DATA, WHOLE, 0xffffffff, 14, NULL, 256 }, EBADMSG },
		{ "not the last one",
		  { 0, DATA, ACTIVE | FIRST, 20 + 112, 14, NULL, 256 },
		  EBADMSG },
		{ "an ACK", { 0, ACK, ACTIVE, 0, 14, NULL, 256 }, EBADMSG },
		{ "a type that is none", { 0, 9, ACTIVE, 0, 14, NULL, 256 }, EBADMSG },
		{ "no RMPP, record size 0", { 0, NONE, 0, 0, 0, NULL, 256 }, EBADMSG },
		{ "no RMPP, records do not divide", { 0, NONE, 0, 0, 14, NULL, 256 }, EBADMSG },
		{ "cut, record size 0", { 0, NONE, ACTIVE, 0, 0, NULL, 256 }, EBADMSG },
		{ "stop", { 0, STOP, ACTIVE, 0, 14, NULL, 256 }, ECONNABORTED },
		{ "abort", { 0, ABORT, ACTIVE, 0, 14, NULL, 256 }, ECONNABORTED },
		{ "refused", { SA_REQ_INVALID, DATA, WHOLE, 20, 0, NULL, 256 }, EIO },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sa_response response = cases[i].response;
		struct mad_sa_table *table;

		fakeumad_respond_with(sa_response_give, &response);
		print_message("%s\n", cases[i].what);
		count_memory_begin();
		assert_int_equal(sa_response_query(*state, 0, &table), -1);
		assert_int_equal(errno, cases[i].error);
		sa_response_assert_empty(table);
		assert_int_equal(sa_response_status, response.status);
		assert_true(count_memory_now() < 1024);
	}
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

FAKEUMAD_TEST(no_such_records)
{
	struct sa_response response = { SA_NO_RECORDS, DATA, WHOLE, 20, 0, NULL, 256 };
	struct mad_sa_table *table;

	fakeumad_respond_with(sa_response_give, &response);
	assert_return_code(sa_response_query(*state, 0, &table), errno);
	sa_response_assert_empty(table);
	mad_sa_table_free(table);
	assert_int_equal(sa_response_status, SA_NO_RECORDS);
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

FAKEUMAD_TEST(nobody_responds)
{
	struct mad_sa_request what = { .attr_id = IB_SA_ATTR_NODERECORD, .timeout_ms = 10 };
	ib_portid_t sm = { .lid = 1 };

	fakeumad_respond_with(NULL, NULL);
	assert_null(mad_sa_query(*state, &sm, &what, sizeof(what), NULL));
	assert_int_equal(errno, ETIMEDOUT);
	assert_int_equal(fakeumad_writes(), 3);
}

FAKEUMAD_TEST(impossible_queries)
{
	struct mad_sa_request what = { .attr_id = IB_SA_ATTR_NODERECORD };
	ib_portid_t sm = { .lid = 1 }, no_lid = { 0 };
	uint8_t data[IB_SA_DATA_SIZE + 1] = { 0 };

	assert_null(mad_sa_query(NULL, &sm, &what, sizeof(what), NULL));
	assert_int_equal(errno, EINVAL);
	assert_null(mad_sa_query(*state, &sm, NULL, sizeof(struct mad_sa_request), NULL));
	assert_int_equal(errno, EINVAL);
	assert_null(mad_sa_query(*state, &no_lid, &what, sizeof(what), NULL));
	assert_int_equal(errno, EINVAL);
	what.data_size = 1; /* and no data */
	assert_null(mad_sa_query(*state, &sm, &what, sizeof(what), NULL));
	assert_int_equal(errno, EINVAL);
	what.data = data;
	what.data_size = sizeof(data);
	assert_null(mad_sa_query(*state, &sm, &what, sizeof(what), NULL));
	assert_int_equal(errno, EINVAL);
	what.data_size = 0;
	what.method = IB_MAD_METHOD_SET;
	assert_null(mad_sa_query(*state, &sm, &what, sizeof(what), NULL));
	assert_int_equal(errno, EINVAL);
	assert_null(mad_sa_query_paths(*state, &sm, NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 0);
	mad_sa_table_free(NULL);
}

/* Numbers that are wider than their fields, and sizes of other versions. */
FAKEUMAD_TEST(a_request_that_does_not_fit)
{
	static const struct mad_sa_request wrong[] = { { .attr_id = 0x10011 },
						       { .attr_id = 0x11, .method = 0x112 },
						       { .attr_id = 0x11, .timeout_ms = -1 } };
	const ib_portid_t sm = { .lid = 1 }, far = { .lid = 0x10001 };
	struct {
		struct mad_sa_request known;
		uint64_t more;
	} longer = { .known = { .attr_id = 0x11 }, .more = 1 };

	for (size_t i = 0; i < 3; i++) {
		assert_null(mad_sa_query(*state, &sm, &wrong[i], sizeof(wrong[i]), NULL));
		assert_int_equal(errno, EINVAL);
	}
	assert_null(mad_sa_query_all(*state, &far, 0x11, 0));
	assert_int_equal(errno, EINVAL);
	for (size_t size = 0; size < sizeof(longer.known); size++) {
		assert_null(mad_sa_query(*state, &sm, &longer.known, size, NULL));
		assert_int_equal(errno, EINVAL);
	}
	assert_null(mad_sa_query(*state, &sm, &longer.known, sizeof(longer), NULL));
	assert_int_equal(errno, E2BIG);
	assert_null(mad_sa_query(*state, &sm, &longer.known, SIZE_MAX, NULL));
	assert_int_equal(errno, E2BIG);
	assert_int_equal(fakeumad_writes(), 0);
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
