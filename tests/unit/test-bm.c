/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/bm.c: board management calls, the B_Key, and calls that do not wait. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <string.h>

#define BM_AGENT   4
#define TIMEOUT_MS 20

static uint8_t data[IB_BM_DATA_SZ + 8];

static ib_bm_call_t call_of(unsigned method)
{
	return (ib_bm_call_t){ .method = method,
			       .attrid = IB_BM_ATTR_READ_VPD,
			       .mod = 5,
			       .timeout = TIMEOUT_MS,
			       .bkey = 0x1122334455667788 };
}

static void expect_mod(unsigned method, unsigned mod, int timeout_ms,
		       const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET], payload[IB_BM_DATA_SZ];

	fakeumad_pattern(payload, sizeof(payload), 1);
	fakeumad_build(packet, &(struct fakeumad_packet){
				       .agent = BM_AGENT,
				       .timeout_ms = timeout_ms,
				       .lid = 4,
				       .qpn = 1,
				       .qkey = IB_DEFAULT_QP1_QKEY,
				       .mgmt_class = IB_BOARD_MGMT_CLASS,
				       .method = (uint8_t)method,
				       .attr_id = IB_BM_ATTR_READ_VPD,
				       .attr_mod = mod,
				       .data = payload,
				       .data_size = sizeof(payload),
				       .data_offset = IB_BM_DATA_OFFS,
			       });
	memcpy(packet + FAKEUMAD_HEADER + 24, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
	fakeumad_expect_write(packet, sizeof(packet), reply, reply ? 1 : 0);
}

static void expect(unsigned method, int timeout_ms, const struct fakeumad_reply *reply)
{
	expect_mod(method, 5, timeout_ms, reply);
}

FAKEUMAD_TEST(methods_with_a_response)
{
	static const unsigned methods[] = { IB_MAD_METHOD_GET, IB_MAD_METHOD_SET,
					    IB_MAD_METHOD_TRAP };

	for (size_t i = 0; i < 3; i++) {
		uint8_t found[IB_BM_DATA_SZ];
		struct fakeumad_reply reply = { .data = found,
						.data_size = sizeof(found),
						.data_offset = IB_BM_DATA_OFFS };
		ib_bm_call_t call = call_of(methods[i]);
		ib_portid_t to = { .lid = 4 };

		fakeumad_pattern(data, sizeof(data), 1);
		fakeumad_pattern(found, sizeof(found), 77);
		expect(methods[i], TIMEOUT_MS, &reply);
		assert_ptr_equal(bm_call_via(data, &to, &call, *state), data);
		assert_memory_equal(data, found, sizeof(found));
		assert_int_equal(data[IB_BM_DATA_SZ], IB_BM_DATA_SZ + 1);
	}
}

/*
 * A Send is a request where bit 0 of its attribute modifier is 0, and the kernel keeps it for its
 * timeout: it drops responses to what it does not keep. The call does not wait.
 */
FAKEUMAD_TEST(send_is_a_request)
{
	uint8_t found[IB_BM_DATA_SZ];
	struct fakeumad_reply reply = { .method = IB_MAD_METHOD_SEND,
					.data = found,
					.data_size = sizeof(found),
					.data_offset = IB_BM_DATA_OFFS };
	ib_bm_call_t call = call_of(IB_MAD_METHOD_SEND);
	ib_portid_t to = { .lid = 4 };
	uint8_t *umad;

	call.mod = 4;
	fakeumad_pattern(data, sizeof(data), 1);
	fakeumad_pattern(found, sizeof(found), 77);
	expect_mod(IB_MAD_METHOD_SEND, 4, TIMEOUT_MS, &reply);
	assert_ptr_equal(bm_call_via(data, &to, &call, *state), data);
	assert_int_equal(data[0], 1);
	umad = mad_receive_via(NULL, 1000, *state);
	assert_non_null(umad);
	assert_memory_equal(umad + FAKEUMAD_HEADER + IB_BM_DATA_OFFS, found, sizeof(found));
	mad_free(umad);
}

FAKEUMAD_TEST(send_without_a_timeout_has_that_of_the_port)
{
	ib_bm_call_t call = call_of(IB_MAD_METHOD_SEND);
	ib_portid_t to = { .lid = 4 };

	call.mod = 4;
	call.timeout = 0;
	mad_rpc_set_timeout(*state, 123);
	fakeumad_pattern(data, sizeof(data), 1);
	expect_mod(IB_MAD_METHOD_SEND, 4, 123, NULL);
	assert_ptr_equal(bm_call_via(data, &to, &call, *state), data);
}

/* With bit 0 of the attribute modifier it is a response, which gets none itself. */
FAKEUMAD_TEST(send_is_a_response)
{
	ib_bm_call_t call = call_of(IB_MAD_METHOD_SEND);
	ib_portid_t to = { .lid = 4 };

	fakeumad_pattern(data, sizeof(data), 1);
	expect(IB_MAD_METHOD_SEND, 0, NULL);
	assert_ptr_equal(bm_call_via(data, &to, &call, *state), data);
	assert_int_equal(data[0], 1);
}

/* mad_send_via() knows the bit too, and for no other class. */
FAKEUMAD_TEST(plain_sends)
{
	static const struct {
		int mgmt_class;
		unsigned mod;
		int timeout_ms;
	} cases[] = { { 5, 0, TIMEOUT_MS }, { 5, 0x11, 0 }, { 4, 0, 0 }, { 0x0a, 0, 0 } };
	ib_portid_t to = { .lid = 4, .qp = 1 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ib_rpc_t rpc = { .mgtclass = cases[i].mgmt_class,
				 .method = IB_MAD_METHOD_SEND,
				 .attr = { 0x10, cases[i].mod },
				 .timeout = TIMEOUT_MS };
		const struct ib_user_mad *umad;

		assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, *state), 0);
		umad = (const void *)fakeumad_written((int)i + 1);
		assert_int_equal(umad->timeout_ms, cases[i].timeout_ms);
	}
}

FAKEUMAD_TEST(failures)
{
	struct fakeumad_reply bad = { .status = 0x0c }, late = FAKEUMAD_TIMED_OUT;
	ib_bm_call_t call = call_of(IB_MAD_METHOD_GET);
	ib_portid_t to = { .lid = 4 };

	mad_rpc_set_retries(*state, 1);
	fakeumad_expect_write(NULL, 0, &bad, 1);
	assert_null(bm_call_via(data, &to, &call, *state));
	assert_int_equal(errno, EIO);
	fakeumad_expect_write(NULL, 0, &late, 1);
	assert_null(bm_call_via(data, &to, &call, *state));
	assert_int_equal(errno, ETIMEDOUT);
	fakeumad_expect_write_error(NULL, 0, EACCES);
	assert_null(bm_call_via(data, &to, &call, *state));
	assert_int_equal(errno, EACCES);
}

FAKEUMAD_TEST(wrong_arguments)
{
	ib_bm_call_t call = call_of(IB_MAD_METHOD_GET);
	ib_portid_t to = { .lid = 4 }, route = { .drpath = { .cnt = 2 } };

	errno = 0;
	assert_null(bm_call_via(data, &route, &call, *state));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(bm_call_via(NULL, &to, &call, *state));
	assert_int_equal(errno, EINVAL);
	assert_null(bm_call_via(data, NULL, &call, *state));
	assert_null(bm_call_via(data, &to, NULL, *state));
	assert_null(bm_call_via(data, &to, &call, NULL));
	assert_int_equal(fakeumad_writes(), 0);
}
