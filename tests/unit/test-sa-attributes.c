/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA responses whose attribute is another than that of the request: SubnAdmGetMulti of
 * MultiPathRecords gives PathRecords (o15-0.2.7), SubnAdmGetTraceTable gives TraceRecords.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/mad_sa.h>
#include <string.h>

#define TRACE_RECORD 0x39
#define TIMEOUT_MS   20

/* A response of two records of 64 bytes: RMPP header (active, first and last), SA header, data. */
static uint8_t records[256 - 24] = { 1,	       IB_RMPP_TYPE_DATA, 7, 0, 0, 0, 0, 1, 0, 0, 0,
				     20 + 128, [21] = 64 / 8 };

static struct fakeumad_reply response(int method, int attr_id)
{
	fakeumad_pattern(records + 32, 128, 1);
	return (struct fakeumad_reply){ .method = (uint8_t)method,
					.attr_id = (uint16_t)attr_id,
					.data = records,
					.data_size = sizeof(records),
					.data_offset = 24 };
}

struct exchange {
	int method;
	int attr_id;
	int response_method;
	int response_attr_id;
};

static const struct exchange good[] = {
	{ IB_MAD_METHOD_GETMULTI, IB_SA_ATTR_MULTIPATH, IB_MAD_METHOD_GETMULTI_RESPONSE,
	  IB_SA_ATTR_PATHRECORD },
	{ IB_MAD_METHOD_GET_TRACE_TABLE, IB_SA_ATTR_PATHRECORD, IB_MAD_METHOD_GET_TABLE_RESPONSE,
	  TRACE_RECORD },
	{ IB_MAD_METHOD_GET_TRACE_TABLE, IB_SA_ATTR_MULTIPATH,
	  IB_MAD_METHOD_GET_TRACE_TABLE_RESPONSE, TRACE_RECORD },
	{ IB_MAD_METHOD_GET_TRACE_TABLE, TRACE_RECORD, IB_MAD_METHOD_GET_TABLE_RESPONSE,
	  TRACE_RECORD },
	{ IB_MAD_METHOD_GETMULTI, IB_SA_ATTR_MULTIPATH, IB_MAD_METHOD_GETMULTI_RESPONSE,
	  IB_SA_ATTR_MULTIPATH },
};

/* Other attributes are no response to these requests. */
static const struct exchange bad[] = {
	{ IB_MAD_METHOD_GETMULTI, IB_SA_ATTR_MULTIPATH, IB_MAD_METHOD_GETMULTI_RESPONSE,
	  IB_SA_ATTR_NODERECORD },
	{ IB_MAD_METHOD_GET_TRACE_TABLE, IB_SA_ATTR_PATHRECORD, IB_MAD_METHOD_GET_TABLE_RESPONSE,
	  IB_SA_ATTR_NODERECORD },
	{ IB_MAD_METHOD_GET_TABLE, IB_SA_ATTR_MULTIPATH, IB_MAD_METHOD_GET_TABLE_RESPONSE,
	  IB_SA_ATTR_PATHRECORD },
	{ IB_MAD_METHOD_GET, IB_SA_ATTR_PATHRECORD, IB_MAD_METHOD_GET_RESPONSE, TRACE_RECORD },
	{ IB_MAD_METHOD_GET, IB_SA_ATTR_NODERECORD, IB_MAD_METHOD_GET_RESPONSE,
	  IB_SA_ATTR_PATHRECORD },
};

static int call(struct ibmad_port *port, const struct exchange *exchange, uint8_t *data)
{
	ib_sa_call_t sa = { .attrid = (unsigned)exchange->attr_id,
			    .method = (unsigned)exchange->method };
	struct fakeumad_reply reply =
		response(exchange->response_method, exchange->response_attr_id);
	ib_portid_t to = { .lid = 7 };

	fakeumad_expect_write(NULL, 0, &reply, 1);
	errno = 0;
	return sa_rpc_call(port, data, &to, &sa, TIMEOUT_MS) ? 0 : errno;
}

FAKEUMAD_TEST(calls)
{
	uint8_t data[IB_SA_DATA_SIZE];

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		memset(data, 0, sizeof(data));
		assert_int_equal(call(*state, &good[i], data), 0);
		assert_memory_equal(data, records + 32, 128);
	}
}

FAKEUMAD_TEST(tables)
{
	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct mad_sa_request query = { .method = (unsigned)good[i].method,
						.attr_id = (unsigned)good[i].attr_id,
						.timeout_ms = TIMEOUT_MS };
		struct fakeumad_reply reply =
			response(good[i].response_method, good[i].response_attr_id);
		ib_portid_t to = { .lid = 7 };
		struct mad_sa_table *table;
		size_t size;

		fakeumad_expect_write(NULL, 0, &reply, 1);
		table = mad_sa_query(*state, &to, &query, sizeof(query), NULL);
		assert_int_equal(mad_sa_table_count(table), 2);
		assert_memory_equal(mad_sa_table_record(table, 0, &size), records + 32, 128);
		assert_int_equal(size, 64);
		mad_sa_table_free(table);
	}
}

FAKEUMAD_TEST(other_attributes)
{
	uint8_t data[IB_SA_DATA_SIZE] = { 0 };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(call(*state, &bad[i], data), ETIMEDOUT);
}

/* The same numbers in another class are no such request. */
FAKEUMAD_TEST(other_classes)
{
	struct fakeumad_reply reply =
		response(IB_MAD_METHOD_GETMULTI_RESPONSE, IB_SA_ATTR_PATHRECORD);
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
			 .method = IB_MAD_METHOD_GETMULTI,
			 .attr = { IB_SA_ATTR_MULTIPATH, 0 },
			 .dataoffs = IB_PC_DATA_OFFS,
			 .datasz = 8,
			 .timeout = TIMEOUT_MS };
	ib_portid_t to = { .lid = 7, .qp = 1 };
	uint8_t data[8];

	mad_rpc_set_retries(*state, 1);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(errno, ETIMEDOUT);
}
