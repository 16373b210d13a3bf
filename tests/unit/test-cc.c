/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/cc.c: congestion control, its key, and the log that lies elsewhere than the
 * rest. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define CC_AGENT   5
#define TIMEOUT_MS 20
#define KEY	   0x1122334455667788

static uint8_t data[IB_CC_LOG_DATA_SZ];

static size_t offset_of(int attr_id)
{
	return attr_id == IB_CC_ATTR_CONGESTION_LOG ? IB_CC_LOG_DATA_OFFS : IB_CC_DATA_OFFS;
}

static void expect(int method, int attr_id, const uint8_t *payload,
		   const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){
				       .agent = CC_AGENT,
				       .timeout_ms = TIMEOUT_MS,
				       .lid = 4,
				       .qpn = 1,
				       .qkey = IB_DEFAULT_QP1_QKEY,
				       .mgmt_class = IB_CC_CLASS,
				       .method = (uint8_t)method,
				       .attr_id = (uint16_t)attr_id,
				       .attr_mod = 0x77,
				       .data = payload,
				       .data_size = FAKEUMAD_MAD - offset_of(attr_id),
				       .data_offset = offset_of(attr_id),
			       });
	memcpy(packet + FAKEUMAD_HEADER + 24, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

FAKEUMAD_TEST(query_of_each_attribute)
{
	for (int id = IB_CC_ATTR_CONGESTION_INFO; id <= IB_CC_ATTR_TIMESTAMP; id++) {
		size_t size = FAKEUMAD_MAD - offset_of(id);
		uint8_t payload[IB_CC_LOG_DATA_SZ], found[IB_CC_LOG_DATA_SZ];
		struct fakeumad_reply reply = { .data = found,
						.data_size = size,
						.data_offset = offset_of(id) };
		ib_portid_t to = { .lid = 4 };
		int rstatus = -1;

		fakeumad_pattern(payload, sizeof(payload), (uint8_t)id);
		fakeumad_pattern(found, sizeof(found), 99);
		memcpy(data, payload, sizeof(data));
		expect(IB_MAD_METHOD_GET, id, payload, &reply);
		assert_ptr_equal(cc_query_status_via(data, &to, (unsigned)id, 0x77, TIMEOUT_MS,
						     &rstatus, *state, KEY),
				 data);
		assert_memory_equal(data, found, size);
		assert_memory_equal(data + size, payload + size, sizeof(data) - size);
		assert_int_equal(rstatus, 0);
	}
}

FAKEUMAD_TEST(config_of_each_attribute)
{
	for (int id = IB_CC_ATTR_CONGESTION_KEY_INFO; id <= IB_CC_ATTR_TIMESTAMP; id++) {
		uint8_t payload[IB_CC_LOG_DATA_SZ], before[IB_CC_LOG_DATA_SZ];
		struct fakeumad_reply reply = { 0 };
		ib_portid_t to = { .lid = 4 };

		fakeumad_pattern(payload, sizeof(payload), 3);
		memcpy(before, payload, sizeof(before));
		memset(data, 0, sizeof(data));
		expect(IB_MAD_METHOD_SET, id, payload, &reply);
		assert_ptr_equal(cc_config_status_via(payload, data, &to, (unsigned)id, 0x77,
						      TIMEOUT_MS, NULL, *state, KEY),
				 data);
		assert_memory_equal(payload, before, sizeof(before));
		assert_memory_equal(data, payload, FAKEUMAD_MAD - offset_of(id));
	}
}

FAKEUMAD_TEST(statuses)
{
	static const struct {
		struct fakeumad_reply reply;
		int rstatus;
		int error;
	} cases[] = { { { .status = 0x1c }, 0x1c, EIO },
		      { FAKEUMAD_TIMED_OUT, 0, ETIMEDOUT },
		      { { .error = ENODEV }, 0, ENODEV } };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ib_portid_t to = { .lid = 4 };
		int rstatus = -1;

		fakeumad_expect_write(NULL, 0, &cases[i].reply, 1);
		errno = 0;
		assert_null(
			cc_query_status_via(data, &to, 0x11, 0, TIMEOUT_MS, &rstatus, *state, KEY));
		assert_int_equal(rstatus, cases[i].rstatus);
		assert_int_equal(errno, cases[i].error);
	}
}

FAKEUMAD_TEST(missing_arguments)
{
	ib_portid_t to = { .lid = 4 };

	errno = 0;
	assert_null(cc_query_status_via(NULL, &to, 0x11, 0, 0, NULL, *state, 0));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(cc_query_status_via(data, NULL, 0x11, 0, 0, NULL, *state, 0));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(cc_query_status_via(data, &to, 0x11, 0, 0, NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 0);
}
