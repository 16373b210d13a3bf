/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the tests of libibmad/requests/rpc.c share: two requests, the packets and data they have. */
#ifndef TESTS_UNIT_REQUESTS_H
#define TESTS_UNIT_REQUESTS_H

#include "fakeumad.h"
#include "test.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define UNTOUCHED  0xee
#define SA_AGENT   2
#define PM_AGENT   3
#define TIMEOUT_MS 20

static uint8_t data[4096]; /* of responses */

static inline ib_rpc_t pm_get(void)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_GET };

	rpc.attr.id = 0x12;
	rpc.attr.mod = 0x01020304;
	rpc.dataoffs = IB_PC_DATA_OFFS;
	rpc.datasz = IB_PC_DATA_SZ;
	rpc.timeout = TIMEOUT_MS;
	return rpc;
}

static inline ib_rpc_t sa_table(void)
{
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS, .method = IB_MAD_METHOD_GET_TABLE };

	rpc.attr.id = IB_SA_ATTR_NODERECORD;
	rpc.dataoffs = IB_SA_DATA_OFFS;
	rpc.datasz = IB_SA_DATA_SIZE;
	rpc.mask = 0x8000000000000011;
	rpc.timeout = TIMEOUT_MS;
	return rpc;
}

static inline ib_portid_t gsi(void)
{
	return (ib_portid_t){
		.lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY, .sl = 3, .pkey_idx = 2
	};
}

static inline struct fakeumad_packet pm_packet(void)
{
	return (struct fakeumad_packet){
		.agent = PM_AGENT,
		.timeout_ms = TIMEOUT_MS,
		.lid = 4,
		.qpn = 1,
		.qkey = IB_DEFAULT_QP1_QKEY,
		.sl = 3,
		.pkey_index = 2,
		.mgmt_class = IB_PERFORMANCE_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr_id = 0x12,
		.attr_mod = 0x01020304,
	};
}

static inline void expect_pm_get(const struct fakeumad_packet *changes,
				 const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, changes);
	fakeumad_expect_write(packet, sizeof(packet), reply, reply ? 1 : 0);
}

/* Sends pm_get() without payload; the response's data goes to `data`. */
static inline void *call(struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *to)
{
	memset(data, UNTOUCHED, sizeof(data));
	errno = 0;
	return mad_rpc(port, rpc, to, NULL, data);
}

static inline void assert_untouched(void)
{
	for (size_t i = 0; i < sizeof(data); i++)
		assert_int_equal(data[i], UNTOUCHED);
}

static inline struct mad_rpc_statistics statistics_of(const struct ibmad_port *port)
{
	struct mad_rpc_statistics statistics;

	assert_int_equal(mad_rpc_get_statistics(port, &statistics, sizeof(statistics)), 0);
	return statistics;
}

#endif
