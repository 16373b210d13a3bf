/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a call leaves in its request, as mad.h documents it: rstatus after every outcome,
 * transaction IDs, and how much of a response madrpc_save_mad() saves.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define BEFORE	   0x55 /* in rstatus before a call */
#define TIMEOUT_MS 20

static uint8_t data[IB_SA_DATA_SIZE];

static ib_rpc_t perf_get(void)
{
	return (ib_rpc_t){ .mgtclass = IB_PERFORMANCE_CLASS,
			   .method = IB_MAD_METHOD_GET,
			   .attr = { 0x12, 0 },
			   .rstatus = BEFORE,
			   .dataoffs = IB_PC_DATA_OFFS,
			   .datasz = IB_PC_DATA_SZ,
			   .timeout = TIMEOUT_MS };
}

/* Makes the request, once by mad_rpc() and once by mad_rpc_rmpp(): same errno and rstatus. */
static void check(struct ibmad_port *port, ib_rpc_t rpc, const struct fakeumad_reply *reply,
		  int error, uint32_t rstatus)
{
	for (int rmpp = 0; rmpp < 2; rmpp++) {
		ib_portid_t to = { .lid = 4, .qp = 1 };
		ib_rpc_t used = rpc;

		if (reply)
			fakeumad_expect_write(NULL, 0, reply, 1);
		errno = 0;
		if (rmpp)
			mad_rpc_rmpp(port, &used, &to, NULL, data);
		else
			mad_rpc(port, &used, &to, NULL, data);
		assert_int_equal(errno, error);
		assert_int_equal(used.rstatus, rstatus);
	}
}

FAKEUMAD_TEST(rstatus_of_a_response)
{
	struct fakeumad_reply good = { 0 }, bad = { .status = 0x1c };
	struct fakeumad_reply good_15 = { .status = 0x8000 }, bad_15 = { .status = 0x801c };

	check(*state, perf_get(), &good, 0, 0);
	check(*state, perf_get(), &bad, EIO, 0x1c);
	check(*state, perf_get(), &good_15, 0, 0);
	check(*state, perf_get(), &bad_15, EIO, 0x1c);
}

FAKEUMAD_TEST(rstatus_without_a_response)
{
	struct fakeumad_reply returned = FAKEUMAD_TIMED_OUT;
	struct fakeumad_reply late = { .delay_ms = 60000 };

	mad_rpc_set_retries(*state, 1);
	check(*state, perf_get(), &returned, ETIMEDOUT, BEFORE);
	check(*state, perf_get(), &late, ETIMEDOUT, BEFORE);
}

FAKEUMAD_TEST(rstatus_of_what_is_not_sent)
{
	ib_rpc_t unregistered = perf_get(), too_long = perf_get();
	ib_portid_t to = { .lid = 4, .qp = 1 };
	ib_rpc_t rpc = perf_get();

	unregistered.mgtclass = 0x06;
	too_long.dataoffs = 257;
	check(*state, unregistered, NULL, EINVAL, BEFORE);
	check(*state, too_long, NULL, EINVAL, BEFORE);
	mad_rpc_set_retries(*state, 1);
	fakeumad_expect_write_error(NULL, 0, EACCES);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(errno, EACCES);
	assert_int_equal(rpc.rstatus, BEFORE);
}

/* A redirect (13.5.1) to LID 9, and its outcome. */
static const uint8_t info[72] = { [29] = 9, [35] = 1 };
static const struct fakeumad_reply redirect = {
	.status = 2, .data = info, .data_size = sizeof(info), .data_offset = IB_PC_DATA_OFFS
};

FAKEUMAD_TEST(rstatus_after_a_redirect)
{
	struct fakeumad_reply good = { 0 }, bad = { .status = 0x1c };
	struct fakeumad_reply returned = FAKEUMAD_TIMED_OUT;

	mad_rpc_set_retries(*state, 1);
	for (int i = 0; i < 3; i++) {
		const struct fakeumad_reply *const last[] = { &good, &bad, &returned };
		static const uint32_t wanted[] = { 0, 0x1c, BEFORE };
		ib_portid_t to = { .lid = 4, .qp = 1 };
		ib_rpc_t rpc = perf_get();

		fakeumad_expect_write(NULL, 0, &redirect, 1);
		fakeumad_expect_write(NULL, 0, last[i], 1);
		mad_rpc(*state, &rpc, &to, NULL, data);
		assert_int_equal(rpc.rstatus, wanted[i]);
		assert_int_equal(to.lid, 9);
	}
}

static int redirect_all(const struct fakeumad_request *request, void *context)
{
	(void)context;
	fakeumad_reply(request, &redirect);
	return 0;
}

FAKEUMAD_TEST(rstatus_of_redirects_without_end)
{
	ib_portid_t to = { .lid = 4, .qp = 1 };
	ib_rpc_t rpc = perf_get();

	fakeumad_respond_with(redirect_all, NULL);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(errno, ELOOP);
	assert_int_equal(rpc.rstatus, BEFORE);
}

FAKEUMAD_TEST(rstatus_of_an_aborted_transfer)
{
	static const uint8_t abort_header[12] = { 1, IB_RMPP_TYPE_ABORT, IB_RMPP_FLAG_ACTIVE, 118 };
	struct fakeumad_reply reply = { .data = abort_header,
					.data_size = sizeof(abort_header),
					.data_offset = 24 };
	ib_rmpp_hdr_t rmpp = { .flags = IB_RMPP_FLAG_ACTIVE };
	ib_portid_t to = { .lid = 4, .qp = 1 };
	ib_rpc_t rpc = perf_get();

	rpc.mgtclass = IB_SA_CLASS;
	rpc.dataoffs = IB_SA_DATA_OFFS;
	rpc.datasz = IB_SA_DATA_SIZE;
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_null(mad_rpc_rmpp(*state, &rpc, &to, &rmpp, data));
	assert_int_equal(errno, ECONNABORTED);
	assert_int_equal(rpc.rstatus, 0);
}

/* What goes out as the status is what rstatus held. */
FAKEUMAD_TEST(rstatus_goes_out)
{
	struct fakeumad_reply reply = { 0 };
	ib_portid_t to = { .lid = 4, .qp = 1 };
	ib_rpc_t rpc = perf_get();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 4, "\x00\x55", 2);
}

typedef void *status_call(struct ibmad_port *port, void *buffer, ib_portid_t *to, int *rstatus);

static void *get_smp(struct ibmad_port *port, void *buffer, ib_portid_t *to, int *rstatus)
{
	return smp_query_status_via(buffer, to, 0x11, 0, TIMEOUT_MS, rstatus, port);
}

static void *set_smp(struct ibmad_port *port, void *buffer, ib_portid_t *to, int *rstatus)
{
	return smp_set_status_via(buffer, to, 0x11, 0, TIMEOUT_MS, rstatus, port);
}

static void *get_cc(struct ibmad_port *port, void *buffer, ib_portid_t *to, int *rstatus)
{
	return cc_query_status_via(buffer, to, 0x11, 0, TIMEOUT_MS, rstatus, port, 0);
}

static void *set_cc(struct ibmad_port *port, void *buffer, ib_portid_t *to, int *rstatus)
{
	return cc_config_status_via(buffer, buffer, to, 0x11, 0, TIMEOUT_MS, rstatus, port, 0);
}

FAKEUMAD_TEST(rstatus_of_helpers)
{
	static status_call *const calls[] = { get_smp, set_smp, get_cc, set_cc };
	struct fakeumad_reply good = { 0 }, bad = { .status = 0x1c };
	struct fakeumad_reply returned = FAKEUMAD_TIMED_OUT;
	const struct fakeumad_reply *const replies[] = { &good, &bad, &returned };
	static const int wanted[] = { 0, 0x1c, 0 };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < 4; i++) {
		ib_portid_t to = { .lid = 4 };
		int rstatus;

		for (size_t k = 0; k < 3; k++) {
			rstatus = BEFORE;
			fakeumad_expect_write(NULL, 0, replies[k], 1);
			calls[i](*state, data, &to, &rstatus);
			assert_int_equal(rstatus, wanted[k]);
		}
		rstatus = BEFORE;
		fakeumad_expect_write_error(NULL, 0, EACCES);
		assert_null(calls[i](*state, data, &to, &rstatus));
		assert_int_equal(rstatus, 0);
		rstatus = BEFORE;
		assert_null(calls[i](*state, NULL, &to, &rstatus));
		assert_null(calls[i](*state, data, NULL, &rstatus));
	}
}

/* Chosen transaction IDs are written to rpc->trid, and to no ib_sa_call_t. */
FAKEUMAD_TEST(transaction_ids)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };
	struct fakeumad_reply reply = { 0 };
	ib_portid_t to = { .lid = 4 };
	ib_rpc_t rpc = perf_get();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
	assert_true(sa.trid == 0);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_true(rpc.trid != 0);
	assert_true(mad_get_field64((void *)(fakeumad_written(2) + FAKEUMAD_HEADER), 0,
				    IB_MAD_TRID_F) == rpc.trid);
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
