/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/vendor.c: calls of both vendor class ranges, with and without RMPP. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define RANGE1	     0x0a
#define RANGE1_AGENT 6
#define RANGE2	     0x32
#define RANGE2_AGENT 7
#define TIMEOUT_MS   20

static uint8_t data[240];

static ib_vendor_call_t call_of(unsigned mgmt_class, unsigned method)
{
	return (ib_vendor_call_t){ .method = method,
				   .mgmt_class = mgmt_class,
				   .attrid = 0x50,
				   .mod = 0x51525354,
				   .oui = 0x00abcdef,
				   .timeout = TIMEOUT_MS };
}

static void expect(unsigned mgmt_class, unsigned method, int timeout_ms,
		   const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET], payload[IB_VENDOR_RANGE1_DATA_SIZE];
	bool range2 = mgmt_class == RANGE2;

	fakeumad_pattern(payload, sizeof(payload), 1);
	fakeumad_build(packet, &(struct fakeumad_packet){
				       .agent = range2 ? RANGE2_AGENT : RANGE1_AGENT,
				       .timeout_ms = timeout_ms,
				       .lid = 4,
				       .qpn = 1,
				       .qkey = IB_DEFAULT_QP1_QKEY,
				       .mgmt_class = (uint8_t)mgmt_class,
				       .method = (uint8_t)method,
				       .attr_id = 0x50,
				       .attr_mod = 0x51525354,
				       .data = payload,
				       .data_size = range2 ? 216 : 232,
				       .data_offset = range2 ? 40 : 24,
			       });
	if (range2)
		memcpy(packet + FAKEUMAD_HEADER + 37, "\xab\xcd\xef", 3);
	fakeumad_expect_write(packet, sizeof(packet), reply, reply ? 1 : 0);
}

FAKEUMAD_TEST(methods_with_a_response)
{
	static const unsigned methods[] = { IB_MAD_METHOD_GET, IB_MAD_METHOD_SET,
					    IB_MAD_METHOD_TRAP };

	for (size_t i = 0; i < 6; i++) {
		unsigned mgmt_class = i % 2 ? RANGE2 : RANGE1;
		size_t size = i % 2 ? 216 : 232;
		uint8_t found[232];
		struct fakeumad_reply reply = { .data = found,
						.data_size = size,
						.data_offset = FAKEUMAD_MAD - size };
		ib_vendor_call_t call = call_of(mgmt_class, methods[i / 2]);
		ib_portid_t to = { .lid = 4 };

		fakeumad_pattern(data, sizeof(data), 1);
		fakeumad_pattern(found, sizeof(found), 77);
		expect(mgmt_class, methods[i / 2], TIMEOUT_MS, &reply);
		assert_ptr_equal(ib_vendor_call_via(data, &to, &call, *state), data);
		assert_memory_equal(data, found, size);
		assert_int_equal(data[size], (uint8_t)(size + 1));
		assert_int_equal(to.qp, 1);
		assert_int_equal(to.qkey, IB_DEFAULT_QP1_QKEY);
	}
}

FAKEUMAD_TEST(range_1_has_no_rmpp_header)
{
	struct fakeumad_reply reply = { 0 };
	ib_vendor_call_t call = call_of(RANGE1, IB_MAD_METHOD_GET), before;
	ib_portid_t to = { .lid = 4 };

	call.rmpp.type = IB_RMPP_TYPE_DATA;
	call.rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	before = call;
	fakeumad_pattern(data, sizeof(data), 1);
	expect(RANGE1, IB_MAD_METHOD_GET, TIMEOUT_MS, &reply);
	assert_non_null(ib_vendor_call_via(data, &to, &call, *state));
	assert_memory_equal(&call.rmpp, &before.rmpp, sizeof(before.rmpp));
}

FAKEUMAD_TEST(range_2_with_rmpp)
{
	static uint8_t response[16 + 616] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 2, 0x68 };
	struct fakeumad_reply reply = { .data = response,
					.data_size = sizeof(response),
					.data_offset = 24,
					.length = 24 + sizeof(response) };
	ib_vendor_call_t call = call_of(RANGE2, IB_MAD_METHOD_GET);
	ib_portid_t to = { .lid = 4 };

	call.rmpp.type = IB_RMPP_TYPE_DATA;
	call.rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	fakeumad_pattern(response + 16, 616, 5);
	fakeumad_pattern(data, sizeof(data), 1);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(ib_vendor_call_via(data, &to, &call, *state), data);
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 24, "\x01\x01\xf9\x00", 4);
	assert_memory_equal(data, response + 16, 216);
	assert_int_equal(data[216], 217);
	assert_int_equal(call.rmpp.flags, 7);
	assert_int_equal(call.rmpp.d2.len, 0x268);
}

FAKEUMAD_TEST(methods_without_a_response)
{
	static const unsigned methods[] = { IB_MAD_METHOD_SEND, IB_MAD_METHOD_TRAP_REPRESS };

	for (size_t i = 0; i < 4; i++) {
		unsigned mgmt_class = i % 2 ? RANGE2 : RANGE1;
		ib_vendor_call_t call = call_of(mgmt_class, methods[i / 2]);
		ib_portid_t to = { .lid = 4 };

		fakeumad_pattern(data, sizeof(data), 1);
		expect(mgmt_class, methods[i / 2], 0, NULL);
		assert_ptr_equal(ib_vendor_call_via(data, &to, &call, *state), data);
		assert_int_equal(data[0], 1);
	}
}

FAKEUMAD_TEST(send_that_fails)
{
	ib_vendor_call_t call = call_of(RANGE2, IB_MAD_METHOD_SEND);
	ib_portid_t to = { .lid = 4 };

	fakeumad_expect_write_error(NULL, 0, EACCES);
	assert_null(ib_vendor_call_via(data, &to, &call, *state));
	assert_int_equal(errno, EACCES);
}

FAKEUMAD_TEST(errno_tells_why)
{
	static const struct {
		struct fakeumad_reply reply;
		int error;
	} cases[] = { { { .status = 0x0c }, EIO },
		      { FAKEUMAD_TIMED_OUT, ETIMEDOUT },
		      { { .tid_change = 1 }, ETIMEDOUT },
		      { { .error = ENODEV }, ENODEV } };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ib_vendor_call_t call = call_of(RANGE2, IB_MAD_METHOD_GET);
		ib_portid_t to = { .lid = 4 };

		fakeumad_expect_write(NULL, 0, &cases[i].reply, 1);
		errno = 0;
		assert_null(ib_vendor_call_via(data, &to, &call, *state));
		assert_int_equal(errno, cases[i].error);
	}
}

FAKEUMAD_TEST(other_classes)
{
	static const unsigned classes[] = { 0, 0x04, 0x08, 0x10, 0x2f, 0x50, 0x10a };
	ib_portid_t to = { .lid = 4 };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		ib_vendor_call_t call = call_of(classes[i], IB_MAD_METHOD_GET);

		errno = 0;
		assert_null(ib_vendor_call_via(data, &to, &call, *state));
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(lid_1_is_one)
{
	ib_vendor_call_t call = call_of(RANGE2, IB_MAD_METHOD_SEND);
	ib_portid_t to = { .lid = 1 };

	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_ptr_equal(ib_vendor_call_via(data, &to, &call, *state), data);
}

FAKEUMAD_TEST(class_that_is_not_registered)
{
	ib_vendor_call_t call = call_of(0x33, IB_MAD_METHOD_SEND);
	ib_portid_t to = { .lid = 4 };

	assert_null(ib_vendor_call_via(data, &to, &call, *state));
	assert_int_equal(errno, EINVAL);
	call = call_of(0x33, IB_MAD_METHOD_GET);
	assert_null(ib_vendor_call_via(data, &to, &call, *state));
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(wrong_arguments)
{
	ib_vendor_call_t call = call_of(RANGE2, IB_MAD_METHOD_GET);
	ib_portid_t to = { .lid = 4 }, route = { .drpath = { .cnt = 1 } };

	errno = 0;
	assert_null(ib_vendor_call_via(data, &route, &call, *state));
	assert_int_equal(errno, EINVAL);
	assert_null(ib_vendor_call_via(NULL, &to, &call, *state));
	assert_null(ib_vendor_call_via(data, NULL, &call, *state));
	assert_null(ib_vendor_call_via(data, &to, NULL, *state));
	assert_null(ib_vendor_call_via(data, &to, &call, NULL));
	assert_int_equal(fakeumad_writes(), 0);
}
