/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * RMPP headers without the Active flag: none at all, whatever type, status and lengths they hold
 * (13.6.2.1), since senders without RMPP may leave anything there.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/mad_sa.h>
#include <string.h>

#define TIMEOUT_MS 20

/* From byte 24 of an SA response on: RMPP header, SA header (records of 64 bytes), data. */
static uint8_t body[256 - 24];

static struct fakeumad_reply response(int type, int flags)
{
	memset(body, 0, sizeof(body));
	body[0] = 1;
	body[1] = (uint8_t)type;
	body[2] = (uint8_t)(0xf8 | flags); /* no response time */
	body[3] = 118;
	body[7] = 3;
	body[11] = 200;
	body[21] = 64 / 8;
	fakeumad_pattern(body + 32, sizeof(body) - 32, 1);
	return (struct fakeumad_reply){ .data = body,
					.data_size = sizeof(body),
					.data_offset = 24 };
}

#define TYPES 8 /* none, DATA, ACK, STOP, ABORT, and numbers that are no type */
#define LAST  IB_RMPP_FLAG_LAST
#define FIRST IB_RMPP_FLAG_FIRST

FAKEUMAD_TEST(inactive_headers)
{
	static const int flags[] = { 0, FIRST, LAST, FIRST | LAST };

	for (int i = 0; i < TYPES * 4; i++) {
		struct fakeumad_reply reply = response(i / 4, flags[i % 4]);
		ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD,
				    .method = IB_MAD_METHOD_GET,
				    .rmpp = { .type = IB_RMPP_TYPE_DATA,
					      .flags = IB_RMPP_FLAG_ACTIVE } };
		uint8_t data[IB_SA_DATA_SIZE] = { 0 };
		ib_portid_t to = { .lid = 7 };

		fakeumad_expect_write(NULL, 0, &reply, 1);
		assert_non_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
		assert_memory_equal(data, body + 32, sizeof(data));
		assert_false(sa.rmpp.flags & IB_RMPP_FLAG_ACTIVE);
	}
}

FAKEUMAD_TEST(inactive_headers_of_vendor_classes)
{
	for (int type = 0; type < TYPES; type++) {
		struct fakeumad_reply reply = response(type, 0);
		ib_vendor_call_t call = { .method = IB_MAD_METHOD_GET,
					  .mgmt_class = 0x32,
					  .oui = IB_OPENIB_OUI,
					  .rmpp = { .type = IB_RMPP_TYPE_DATA,
						    .flags = IB_RMPP_FLAG_ACTIVE } };
		uint8_t data[IB_VENDOR_RANGE2_DATA_SIZE] = { 0 };
		ib_portid_t to = { .lid = 7 };

		fakeumad_expect_write(NULL, 0, &reply, 1);
		assert_non_null(ib_vendor_call_via(data, &to, &call, *state));
		assert_memory_equal(data, body + 16, sizeof(data));
	}
}

FAKEUMAD_TEST(inactive_headers_of_tables)
{
	for (int type = 0; type < TYPES; type++) {
		struct mad_sa_request query = { .method = IB_MAD_METHOD_GET,
						.attr_id = IB_SA_ATTR_NODERECORD };
		struct fakeumad_reply reply = response(type, 0);
		ib_portid_t to = { .lid = 7 };
		struct mad_sa_table *table;
		size_t size;

		fakeumad_expect_write(NULL, 0, &reply, 1);
		table = mad_sa_query(*state, &to, &query, sizeof(query), NULL);
		assert_int_equal(mad_sa_table_count(table), 1);
		assert_memory_equal(mad_sa_table_record(table, 0, &size), body + 32, 64);
		assert_int_equal(size, 64);
		mad_sa_table_free(table);
	}
}

FAKEUMAD_TEST(active_headers)
{
	static const int errors[TYPES] = {
		[IB_RMPP_TYPE_STOP] = ECONNABORTED, [IB_RMPP_TYPE_ABORT] = ECONNABORTED
	};

	for (int type = IB_RMPP_TYPE_DATA; type <= IB_RMPP_TYPE_ABORT; type++) {
		struct fakeumad_reply reply = response(type, IB_RMPP_FLAG_ACTIVE | FIRST | LAST);
		ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD,
				    .method = IB_MAD_METHOD_GET,
				    .rmpp = { .type = IB_RMPP_TYPE_DATA,
					      .flags = IB_RMPP_FLAG_ACTIVE } };
		uint8_t data[IB_SA_DATA_SIZE] = { 0 };
		ib_portid_t to = { .lid = 7 };

		if (type == IB_RMPP_TYPE_ACK)
			continue; /* no response: the kernel's business */
		fakeumad_expect_write(NULL, 0, &reply, 1);
		errno = 0;
		if (errors[type])
			assert_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
		else
			assert_non_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
		assert_int_equal(errno, errors[type]);
		assert_int_equal(sa.rmpp.type, type);
		assert_int_equal(sa.rmpp.status, 118);
		assert_int_equal(sa.rmpp.d1.segnum, 3);
		assert_int_equal(sa.rmpp.d2.len, 200);
	}
}

static void check_aborted(const char *call, bool failed)
{
	if (!failed || errno != ECONNABORTED)
		fail_msg("%s: %s", call, failed ? strerror(errno) : "no error");
}

/* A transfer that ends early is an error for every call, also for those without a header. */
FAKEUMAD_TEST(active_headers_without_one_in_the_request)
{
	static const int types[] = { IB_RMPP_TYPE_STOP, IB_RMPP_TYPE_ABORT };
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = IB_MAD_METHOD_GET_TABLE,
			 .dataoffs = IB_SA_DATA_OFFS,
			 .datasz = IB_SA_DATA_SIZE };
	struct mad_sa_request query = { .method = IB_MAD_METHOD_GET };
	ib_sa_call_t sa = { .method = IB_MAD_METHOD_GET_TABLE };
	ib_vendor_call_t call = { .method = IB_MAD_METHOD_GET,
				  .mgmt_class = 0x32,
				  .oui = IB_OPENIB_OUI };
	ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	uint8_t data[IB_MAD_SIZE];

	for (size_t i = 0; i < COUNT(types); i++) {
		struct fakeumad_reply reply = response(types[i], IB_RMPP_FLAG_ACTIVE);

		fakeumad_expect_write(NULL, 0, &reply, 1);
		check_aborted("mad_rpc", !mad_rpc(*state, &rpc, &to, NULL, data));
		fakeumad_expect_write(NULL, 0, &reply, 1);
		check_aborted("mad_rpc_rmpp", !mad_rpc_rmpp(*state, &rpc, &to, NULL, data));
		fakeumad_expect_write(NULL, 0, &reply, 1);
		check_aborted("sa_rpc_call", !sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
		fakeumad_expect_write(NULL, 0, &reply, 1);
		check_aborted("mad_sa_query",
			      !mad_sa_query(*state, &to, &query, sizeof(query), NULL));
		fakeumad_expect_write(NULL, 0, &reply, 1);
		check_aborted("ib_vendor_call_via", !ib_vendor_call_via(data, &to, &call, *state));
	}
}
