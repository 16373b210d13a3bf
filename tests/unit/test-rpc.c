/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/rpc.c: requests byte by byte, what comes back, and statuses. */
#include "requests.h"

FAKEUMAD_TEST(request_and_response)
{
	uint8_t response[IB_PC_DATA_SZ];
	struct fakeumad_reply reply = { .data = response,
					.data_size = sizeof(response),
					.data_offset = IB_PC_DATA_OFFS };
	struct fakeumad_packet wanted = pm_packet();
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_pattern(response, sizeof(response), 7);
	expect_pm_get(&wanted, &reply);
	rpc.rstatus = 0;
	assert_ptr_equal(call(*state, &rpc, &to), data);
	assert_memory_equal(data, response, sizeof(response));
	assert_int_equal(data[sizeof(response)], UNTOUCHED);
	assert_int_equal(rpc.rstatus, 0);
	assert_true(rpc.trid != 0);
}

FAKEUMAD_TEST(payload_goes_out)
{
	uint8_t payload[IB_PC_DATA_SZ];
	struct fakeumad_packet wanted = pm_packet();
	struct fakeumad_reply reply = { 0 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_pattern(payload, sizeof(payload), 9);
	wanted.method = rpc.method = IB_MAD_METHOD_SET;
	wanted.data = payload;
	wanted.data_size = sizeof(payload);
	wanted.data_offset = IB_PC_DATA_OFFS;
	expect_pm_get(&wanted, &reply);
	assert_ptr_equal(mad_rpc(*state, &rpc, &to, payload, data), data);
}

FAKEUMAD_TEST(grh_goes_out)
{
	struct fakeumad_packet wanted = pm_packet();
	struct fakeumad_reply reply = { 0 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	to.grh_present = 1;
	memset(to.gid, 0xab, sizeof(to.gid));
	wanted.gid = to.gid;
	expect_pm_get(&wanted, &reply);
	assert_non_null(call(*state, &rpc, &to));
}

FAKEUMAD_TEST(trid_is_sent_as_given)
{
	struct fakeumad_reply reply = { 0 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	rpc.trid = 0x0102030405060708;
	assert_non_null(call(*state, &rpc, &to));
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 8,
			    "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
	assert_true(rpc.trid == 0x0102030405060708);
}

FAKEUMAD_TEST(data_at_an_offset_of_its_own)
{
	uint8_t response[IB_MAD_SIZE - 24];
	struct fakeumad_reply reply = { .data = response,
					.data_size = sizeof(response),
					.data_offset = 24 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_pattern(response, sizeof(response), 0);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	rpc.dataoffs = 246;
	rpc.datasz = 10;
	assert_non_null(call(*state, &rpc, &to));
	assert_memory_equal(data, response + 246 - 24, 10);
	assert_int_equal(data[10], UNTOUCHED);
}

FAKEUMAD_TEST(response_that_nobody_wants)
{
	struct fakeumad_reply reply = { 0 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	rpc.rstatus = 0x5555;
	assert_null(mad_rpc(*state, &rpc, &to, NULL, NULL));
	assert_int_equal(rpc.rstatus, 0);
}

FAKEUMAD_TEST(data_beyond_the_mad_is_refused)
{
	static const int where[][2] = { { 64, 193 }, { 256, 1 }, { 257, 0 },
					{ -1, 4 },   { 64, -1 }, { 0x7fffffff, 0x7fffffff } };

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		ib_rpc_t rpc = pm_get();
		ib_portid_t to = gsi();

		rpc.dataoffs = where[i][0];
		rpc.datasz = where[i][1];
		assert_null(call(*state, &rpc, &to));
		assert_int_equal(errno, EINVAL);
		assert_untouched();
	}
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(path_of_64_hops_is_refused)
{
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = { .drpath = { .cnt = 64 } };

	rpc.mgtclass = IB_SMI_DIRECT_CLASS;
	rpc.datasz = 64;
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(class_that_is_not_registered)
{
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	rpc.mgtclass = IB_DEVICE_MGMT_CLASS;
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(missing_arguments)
{
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	errno = 0;
	assert_null(mad_rpc(NULL, &rpc, &to, NULL, data));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(mad_rpc(*state, NULL, &to, NULL, data));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(mad_rpc(*state, &rpc, NULL, NULL, data));
	assert_int_equal(errno, EINVAL);
}

FAKEUMAD_TEST(error_status)
{
	struct fakeumad_reply reply = { .status = 0x001c };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, EIO);
	assert_int_equal(rpc.rstatus, 0x1c);
	assert_untouched();
}

FAKEUMAD_TEST(direction_bit_is_no_error)
{
	struct fakeumad_reply reply = { .status = 0x8000 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = { .drpath = { .cnt = 1 } };

	fakeumad_expect_write(NULL, 0, &reply, 1);
	rpc.mgtclass = IB_SMI_DIRECT_CLASS;
	rpc.datasz = 64;
	assert_non_null(call(*state, &rpc, &to));
	assert_int_equal(rpc.rstatus, 0);
}

FAKEUMAD_TEST(version_1_says_why)
{
	static const struct {
		struct fakeumad_reply reply;
		int error;
	} cases[] = { { { 0 }, 0 },
		      { { .status = 0x1c }, EIO },
		      { FAKEUMAD_TIMED_OUT, ETIMEDOUT },
		      { { .error = ENODEV }, ENODEV } };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ib_rpc_t plain = pm_get();
		ib_portid_t to = gsi();
		ib_rpc_v1_t rpc;

		memcpy(&rpc, &plain, sizeof(rpc));
		rpc.mgtclass |= IB_MAD_RPC_VERSION1;
		rpc.error = 0x5555;
		fakeumad_expect_write(NULL, 0, &cases[i].reply, 1);
		call(*state, (ib_rpc_t *)(void *)&rpc, &to);
		assert_int_equal(rpc.error, cases[i].error);
		assert_int_equal(errno, cases[i].error);
	}
}

FAKEUMAD_TEST(short_response_is_filled_with_zeros)
{
	uint8_t response[36];
	struct fakeumad_reply reply = {
		.data = response, .data_size = sizeof(response), .data_offset = 64, .length = 100
	};
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_pattern(response, sizeof(response), 1);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(call(*state, &rpc, &to));
	assert_memory_equal(data, response, 36);
	for (int i = 36; i < IB_PC_DATA_SZ; i++)
		assert_int_equal(data[i], 0);
	assert_int_equal(data[IB_PC_DATA_SZ], UNTOUCHED);
}

FAKEUMAD_TEST(response_without_data_is_not_believed)
{
	static const size_t lengths[] = { 1, 10, 23, 24, 64 };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct fakeumad_reply reply = { .length = lengths[i] };
		ib_rpc_t rpc = pm_get();
		ib_portid_t to = gsi();

		fakeumad_expect_write(NULL, 0, &reply, 1);
		assert_null(call(*state, &rpc, &to));
		assert_int_equal(errno, ETIMEDOUT);
		assert_untouched();
	}
	assert_int_equal(statistics_of(*state).errors, sizeof(lengths) / sizeof(lengths[0]));
}

FAKEUMAD_TEST(short_response_with_an_error_status)
{
	struct fakeumad_reply reply = { .status = 0x0c, .length = 24 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, EIO);
	assert_int_equal(rpc.rstatus, 0x0c);
}

FAKEUMAD_TEST(attribute_offset_goes_to_recsz)
{
	static const uint8_t offset[] = { 0x01, 0x0d };
	struct fakeumad_reply reply = { .data = offset, .data_size = 2, .data_offset = 44 };
	ib_rpc_t rpc = sa_table();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(call(*state, &rpc, &to));
	assert_int_equal(rpc.recsz, 0x010d);
}

FAKEUMAD_TEST(saved_mad_is_the_reply)
{
	struct fakeumad_reply reply = { 0 };
	uint8_t saved[100];
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	memset(saved, UNTOUCHED, sizeof(saved));
	madrpc_save_mad(saved, 60);
	assert_non_null(call(*state, &rpc, &to));
	assert_int_equal(saved[1], IB_PERFORMANCE_CLASS);
	assert_int_equal(saved[3], IB_MAD_METHOD_GET_RESPONSE);
	assert_int_equal(saved[60], UNTOUCHED);
	memset(saved, UNTOUCHED, sizeof(saved));
	rpc.trid = 0;
	assert_non_null(call(*state, &rpc, &to));
	assert_int_equal(saved[0], UNTOUCHED);
}

FAKEUMAD_TEST(reply_with_an_error_is_saved_too)
{
	struct fakeumad_reply reply = { .status = 0x1c };
	uint8_t saved[256];
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	madrpc_save_mad(saved, sizeof(saved));
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(saved[5], 0x1c);
}
