/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/rpc.c: requests with an RMPP header, and responses larger than one MAD. */
#include "requests.h"

#define TABLE_OFFSET 32 /* behind the RMPP and SA headers */

static uint8_t response[TABLE_OFFSET + 3000];
static const uint8_t rmpp_last[12] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 3, 32 };

static ib_rmpp_hdr_t rmpp_request(void)
{
	return (ib_rmpp_hdr_t){ .type = IB_RMPP_TYPE_DATA, .flags = IB_RMPP_FLAG_ACTIVE };
}

static void *call_rmpp(struct ibmad_port *port, ib_rpc_t *rpc, ib_rmpp_hdr_t *rmpp)
{
	ib_portid_t to = gsi();

	memset(data, UNTOUCHED, sizeof(data));
	errno = 0;
	return mad_rpc_rmpp(port, rpc, &to, rmpp, data);
}

/* A response with a table of so many bytes. */
static struct fakeumad_reply table_of(size_t size)
{
	memset(response, 0, sizeof(response));
	memcpy(response, rmpp_last, sizeof(rmpp_last));
	fakeumad_pattern(response + TABLE_OFFSET, size, 5);
	return (struct fakeumad_reply){ .data = response,
					.data_size = TABLE_OFFSET + size,
					.data_offset = 24,
					.length = 24 + TABLE_OFFSET + size };
}

FAKEUMAD_TEST(rmpp_request_header)
{
	struct fakeumad_reply reply = { .data = rmpp_last, .data_size = 12, .data_offset = 24 };
	ib_rmpp_hdr_t rmpp = rmpp_request();
	ib_rpc_t rpc = sa_table();
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){
				       .agent = SA_AGENT,
				       .timeout_ms = TIMEOUT_MS,
				       .lid = 4,
				       .qpn = 1,
				       .qkey = IB_DEFAULT_QP1_QKEY,
				       .sl = 3,
				       .pkey_index = 2,
				       .mgmt_class = IB_SA_CLASS,
				       .method = IB_MAD_METHOD_GET_TABLE,
				       .attr_id = IB_SA_ATTR_NODERECORD,
			       });
	memcpy(packet + FAKEUMAD_HEADER + 24, "\x01\x01\xf9", 3);
	memcpy(packet + FAKEUMAD_HEADER + 48, "\x80\0\0\0\0\0\0\x11", 8);
	memset(packet + FAKEUMAD_HEADER + 56, UNTOUCHED, 200);
	fakeumad_expect_write(packet, sizeof(packet), &reply, 1);
	assert_ptr_equal(call_rmpp(*state, &rpc, &rmpp), data);
	assert_int_equal(rmpp.type, IB_RMPP_TYPE_DATA);
	assert_int_equal(rmpp.flags, 7);
	assert_int_equal(rmpp.status, 0);
	assert_int_equal(rmpp.d1.segnum, 1);
	assert_int_equal(rmpp.d2.len, 800);
}

FAKEUMAD_TEST(without_rmpp_no_header_goes_out)
{
	struct fakeumad_reply reply = { 0 };
	ib_rpc_t rpc = sa_table();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(call_rmpp(*state, &rpc, NULL), data);
	for (int i = 24; i < 36; i++)
		assert_int_equal(fakeumad_written(1)[FAKEUMAD_HEADER + i], 0);
}

/* A response of 800 bytes: the first read has too small a buffer, and the next one returns the
 * whole response. */
FAKEUMAD_TEST(response_of_many_packets)
{
	struct fakeumad_reply reply = table_of(800);
	ib_rmpp_hdr_t rmpp = rmpp_request();
	ib_rpc_t rpc = sa_table();

	rpc.datasz = 800;
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(call_rmpp(*state, &rpc, &rmpp), data);
	assert_memory_equal(data, response + TABLE_OFFSET, 800);
	assert_int_equal(data[800], UNTOUCHED);
	assert_int_equal(rmpp.d2.len, 800);
}

FAKEUMAD_TEST(response_larger_than_the_callers_buffer)
{
	struct fakeumad_reply reply = table_of(3000);
	ib_rmpp_hdr_t rmpp = rmpp_request();
	ib_rpc_t rpc = sa_table();

	rpc.datasz = 500;
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(call_rmpp(*state, &rpc, &rmpp), data);
	assert_memory_equal(data, response + TABLE_OFFSET, 500);
	assert_int_equal(data[500], UNTOUCHED);
}

FAKEUMAD_TEST(buffer_larger_than_the_response)
{
	struct fakeumad_reply reply = table_of(800);
	ib_rmpp_hdr_t rmpp = rmpp_request();
	ib_rpc_t rpc = sa_table();

	rpc.datasz = 1000;
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(call_rmpp(*state, &rpc, &rmpp), data);
	assert_memory_equal(data, response + TABLE_OFFSET, 800);
	for (int i = 800; i < 1000; i++)
		assert_int_equal(data[i], 0);
	assert_int_equal(data[1000], UNTOUCHED);
}

FAKEUMAD_TEST(large_response_to_a_plain_request)
{
	static uint8_t message[1000];
	struct fakeumad_reply reply = { .data = message,
					.data_size = sizeof(message),
					.data_offset = 64,
					.length = 64 + sizeof(message) };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_pattern(message, sizeof(message), 5);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(call(*state, &rpc, &to), data);
	assert_memory_equal(data, message, IB_PC_DATA_SZ);
	assert_int_equal(data[IB_PC_DATA_SZ], UNTOUCHED);
}

FAKEUMAD_TEST(next_call_after_a_large_response)
{
	struct fakeumad_reply large = { .length = 64 + 1000 }, reply = { 0 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &large, 1);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(call(*state, &rpc, &to));
	rpc.trid = 0;
	assert_non_null(call(*state, &rpc, &to));
}

FAKEUMAD_TEST(abort_and_stop_are_errors)
{
	static const uint8_t headers[][4] = { { 1, IB_RMPP_TYPE_ABORT, 1, 120 },
					      { 1, IB_RMPP_TYPE_STOP, 1, 1 } };

	for (size_t i = 0; i < 2; i++) {
		struct fakeumad_reply reply = { .data = headers[i],
						.data_size = 4,
						.data_offset = 24 };
		ib_rmpp_hdr_t rmpp = rmpp_request();
		ib_rpc_t rpc = sa_table();

		fakeumad_expect_write(NULL, 0, &reply, 1);
		assert_null(call_rmpp(*state, &rpc, &rmpp));
		assert_true(errno != 0);
		assert_int_equal(rmpp.type, headers[i][1]);
		assert_int_equal(rmpp.status, headers[i][3]);
		assert_untouched();
	}
}

FAKEUMAD_TEST(rmpp_bad_status)
{
	struct fakeumad_reply reply = { .status = 0x0300 };
	ib_rmpp_hdr_t rmpp = rmpp_request();
	ib_rpc_t rpc = sa_table();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_null(call_rmpp(*state, &rpc, &rmpp));
	assert_int_equal(errno, EIO);
	assert_int_equal(rpc.rstatus, 0x0300);
}

/* Vendor range 2: data may be absent. */
FAKEUMAD_TEST(response_without_payload)
{
	static const uint8_t rmpp_none[12] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 0, 4 };
	struct fakeumad_reply reply = { .data = rmpp_none,
					.data_size = sizeof(rmpp_none),
					.data_offset = 24,
					.length = IB_VENDOR_RANGE2_DATA_OFFS };
	ib_rmpp_hdr_t rmpp = rmpp_request();
	ib_rpc_t rpc = { .mgtclass = 0x32, .method = IB_MAD_METHOD_GET, .timeout = TIMEOUT_MS };

	rpc.oui = IB_OPENIB_OUI;
	rpc.dataoffs = IB_VENDOR_RANGE2_DATA_OFFS;
	rpc.datasz = IB_VENDOR_RANGE2_DATA_SIZE;
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(call_rmpp(*state, &rpc, &rmpp), data);
	assert_int_equal(rpc.rstatus, 0);
	for (size_t i = 0; i < IB_VENDOR_RANGE2_DATA_SIZE; i++)
		assert_int_equal(data[i], 0);
}
