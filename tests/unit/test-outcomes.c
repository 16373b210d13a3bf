/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What neither the table of requests nor the simulation shows: how much of a response
 * madrpc_save_mad() saves, and calls of the kernel while a request waits.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define TIMEOUT_MS 20

static uint8_t data[IB_SA_DATA_SIZE];

static ib_rpc_t perf_get(void)
{
	return (ib_rpc_t){ .mgtclass = IB_PERFORMANCE_CLASS,
			   .method = IB_MAD_METHOD_GET,
			   .attr = { 0x12, 0 },
			   .dataoffs = IB_PC_DATA_OFFS,
			   .datasz = IB_PC_DATA_SZ,
			   .timeout = TIMEOUT_MS };
}

/* All that the request takes: one MAD of sa_rpc_call(), everything of this mad_rpc_rmpp(). */
FAKEUMAD_TEST(saved_response_of_many_mads)
{
	static uint8_t table[832] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 3, 0x20 };
	static uint8_t records[800], saved[900];
	struct fakeumad_reply reply = { .data = table,
					.data_size = sizeof(table),
					.data_offset = 24,
					.length = 24 + sizeof(table) };
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = IB_MAD_METHOD_GET_TABLE,
			 .attr = { IB_SA_ATTR_NODERECORD, 0 },
			 .dataoffs = IB_SA_DATA_OFFS,
			 .datasz = sizeof(records) };
	ib_rmpp_hdr_t rmpp = { .flags = IB_RMPP_FLAG_ACTIVE };
	ib_portid_t to = { .lid = 4, .qp = 1 };

	fakeumad_pattern(table + 32, 800, 3);
	memset(saved, 0xee, sizeof(saved));
	fakeumad_expect_write(NULL, 0, &reply, 1);
	madrpc_save_mad(saved, sizeof(saved));
	assert_non_null(mad_rpc_rmpp(*state, &rpc, &to, &rmpp, records));
	assert_memory_equal(saved + 24, table, sizeof(table));
	assert_int_equal(saved[24 + sizeof(table)], 0xee);
}

FAKEUMAD_TEST(saved_response)
{
	struct fakeumad_reply reply = { 0 };
	ib_portid_t to = { .lid = 4, .qp = 1 };
	ib_rpc_t rpc = perf_get();
	uint8_t saved[100];

	fakeumad_expect_write(NULL, 0, &reply, 1);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	memset(saved, 0xee, sizeof(saved));
	madrpc_save_mad(saved, 60);
	assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(saved[1], IB_PERFORMANCE_CLASS);
	assert_int_equal(saved[3], IB_MAD_METHOD_GET_RESPONSE);
	assert_int_equal(saved[60], 0xee);
	memset(saved, 0xee, sizeof(saved));
	rpc.trid = 0;
	assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data)); /* which is not saved */
	assert_int_equal(saved[0], 0xee);
}

FAKEUMAD_TEST(waiting_is_not_polling)
{
	ib_portid_t to = { .lid = 4, .qp = 1 };
	ib_rpc_t rpc = perf_get();

	mad_rpc_set_retries(*state, 1);
	rpc.timeout = 100;
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(fakeumad_polls(), 1, 4);
	assert_between(fakeumad_reads(), 0, 4);
}

/* Signals neither end a request nor make it longer. */
FAKEUMAD_TEST(interrupted_polls)
{
	struct fakeumad_reply slow = { .delay_ms = 10 };
	ib_portid_t to = { .lid = 4, .qp = 1 };
	ib_rpc_t rpc = perf_get();

	fakeumad_fail_polls(3, EINTR);
	rpc.timeout = 5000;
	fakeumad_expect_write(NULL, 0, &slow, 1);
	assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	mad_rpc_set_retries(*state, 1);
	fakeumad_fail_polls(1 << 30, EINTR);
	rpc.trid = 0;
	rpc.timeout = TIMEOUT_MS;
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(errno, ETIMEDOUT);
	fakeumad_fail_polls(0, 0);
}

/* Of a MAD that may be another's: the response follows. */
FAKEUMAD_TEST(reads_that_fail_for_a_while)
{
	static const int errors[] = { ENOMEM, EINTR, EAGAIN };
	ib_portid_t to = { .lid = 4, .qp = 1 };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < COUNT(errors); i++) {
		struct fakeumad_reply replies[] = { { .error = errors[i] }, { .delay_ms = 3 } };
		ib_rpc_t rpc = perf_get();

		rpc.timeout = 5000;
		fakeumad_expect_write(NULL, 0, replies, 2);
		assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	}
}
