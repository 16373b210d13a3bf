/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/perf.c: reading and resetting counters. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define PM_AGENT   3
#define TIMEOUT_MS 20

static uint8_t data[IB_PC_DATA_SZ];
static const struct fakeumad_reply response = { 0 };

static void expect(int method, int attr_id, const uint8_t wanted[IB_PC_DATA_SZ],
		   const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){
				       .agent = PM_AGENT,
				       .timeout_ms = TIMEOUT_MS,
				       .lid = 4,
				       .qpn = 1,
				       .qkey = IB_DEFAULT_QP1_QKEY,
				       .mgmt_class = IB_PERFORMANCE_CLASS,
				       .method = (uint8_t)method,
				       .attr_id = (uint16_t)attr_id,
				       .data = wanted,
				       .data_size = IB_PC_DATA_SZ,
				       .data_offset = IB_PC_DATA_OFFS,
			       });
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

FAKEUMAD_TEST(query)
{
	uint8_t wanted[IB_PC_DATA_SZ], counters[IB_PC_DATA_SZ];
	struct fakeumad_reply reply = { .data = counters,
					.data_size = sizeof(counters),
					.data_offset = 64 };
	ib_portid_t to = { .lid = 4 };

	fakeumad_pattern(data, sizeof(data), 0);
	fakeumad_pattern(wanted, sizeof(wanted), 0);
	fakeumad_pattern(counters, sizeof(counters), 77);
	wanted[1] = 200; /* the port select */
	expect(IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS, wanted, &reply);
	assert_ptr_equal(pma_query_via(data, &to, 200, TIMEOUT_MS, IB_GSI_PORT_COUNTERS, *state),
			 data);
	assert_memory_equal(data, counters, sizeof(data));
	assert_int_equal(to.qp, 1);
	assert_int_equal(to.qkey, IB_DEFAULT_QP1_QKEY);
}

FAKEUMAD_TEST(query_of_any_attribute)
{
	static const int ids[] = { CLASS_PORT_INFO, 0x10, 0x11, 0x15, 0x1d, 0x1f, 0x31, 0x37 };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		uint8_t wanted[IB_PC_DATA_SZ] = { 0, 3 };
		ib_portid_t to = { .lid = 4 };

		memset(data, 0, sizeof(data));
		expect(IB_MAD_METHOD_GET, ids[i], wanted, &response);
		assert_non_null(pma_query_via(data, &to, 3, TIMEOUT_MS, (unsigned)ids[i], *state));
	}
}

FAKEUMAD_TEST(qp_of_a_redirect_stays)
{
	ib_portid_t to = { .lid = 4, .qp = 7, .qkey = 0x4444 };

	fakeumad_expect_write(NULL, 0, &response, 1);
	assert_non_null(pma_query_via(data, &to, 3, TIMEOUT_MS, IB_GSI_PORT_COUNTERS, *state));
	assert_memory_equal(fakeumad_written(1) + 20, "\0\0\0\x07\0\0\x44\x44", 8);
}

static void assert_reset(struct ibmad_port *port, unsigned mask, int id, const char *selects)
{
	uint8_t wanted[IB_PC_DATA_SZ] = { 0, 3 };
	ib_portid_t to = { .lid = 4 };

	memcpy(wanted + 2, selects, 2);
	if (id == IB_GSI_PORT_COUNTERS_EXT)
		memcpy(wanted + 6, selects + 2, 2);
	else
		wanted[18] = (uint8_t)selects[3];
	memset(data, 0xee, sizeof(data));
	expect(IB_MAD_METHOD_SET, id, wanted, &response);
	assert_ptr_equal(performance_reset_via(data, &to, 3, mask, TIMEOUT_MS, (unsigned)id, port),
			 data);
}

FAKEUMAD_TEST(reset_of_some)
{
	assert_reset(*state, 0x0000ffff, IB_GSI_PORT_COUNTERS, "\xff\xff\x00\x00");
	assert_reset(*state, 0x00010001, IB_GSI_PORT_COUNTERS, "\x00\x01\x00\x01");
	assert_reset(*state, 0x12345678, IB_GSI_PORT_COUNTERS, "\x56\x78\x12\x34");
	assert_reset(*state, 0x12345678, IB_GSI_PORT_RCV_ERROR_DETAILS, "\x56\x78\x12\x34");
}

FAKEUMAD_TEST(reset_of_extended_counters)
{
	assert_reset(*state, 0x12345678, IB_GSI_PORT_COUNTERS_EXT, "\x56\x78\x12\x34");
	assert_reset(*state, 0x000000ff, IB_GSI_PORT_COUNTERS_EXT, "\x00\xff\x00\x00");
}

FAKEUMAD_TEST(mask_0_is_all)
{
	assert_reset(*state, 0, IB_GSI_PORT_COUNTERS, "\xff\xff\xff\xff");
	assert_reset(*state, 0, IB_GSI_PORT_COUNTERS_EXT, "\xff\xff\xff\xff");
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
		ib_portid_t to = { .lid = 4 };

		fakeumad_expect_write(NULL, 0, &cases[i].reply, 1);
		errno = 0;
		assert_null(pma_query_via(data, &to, 1, TIMEOUT_MS, 0x12, *state));
		assert_int_equal(errno, cases[i].error);
		fakeumad_expect_write(NULL, 0, &cases[i].reply, 1);
		errno = 0;
		assert_null(performance_reset_via(data, &to, 1, 1, TIMEOUT_MS, 0x12, *state));
		assert_int_equal(errno, cases[i].error);
	}
}

FAKEUMAD_TEST(negative_lid)
{
	ib_portid_t to = { .lid = -1 };

	assert_null(pma_query_via(data, &to, 1, TIMEOUT_MS, 0x12, *state));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(performance_reset_via(data, &to, 1, 1, TIMEOUT_MS, 0x12, *state));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(missing_arguments)
{
	ib_portid_t to = { .lid = 4 };

	assert_null(pma_query_via(NULL, &to, 1, TIMEOUT_MS, 0x12, *state));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(pma_query_via(data, NULL, 1, TIMEOUT_MS, 0x12, *state));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(performance_reset_via(NULL, &to, 1, 1, TIMEOUT_MS, 0x12, *state));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(performance_reset_via(data, &to, 1, 1, TIMEOUT_MS, 0x12, NULL));
	assert_int_equal(errno, EINVAL);
}
