/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests and responses through libibmad on a real port: vendor and other classes, error status,
 * redirects, responses of many MADs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "loop.h"
#include "optional.h"
#include "responder.h"
#include "sys.h"
#include "tap.h"

enum {
	STATUS_BUSY = 0x0001,
	STATUS_UNSUPPORTED = 0x000c,
	REDIRECTS_MAX = 8,
	TIMEOUT_MS = 1000,
	ENDLESS = 1000000,
	LARGE = 100000,
};

TEST(a_request_gets_a_response)
{
	struct responder responder = { 0 };
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	for (unsigned i = 0; i < 20; i++)
		check_equal(caller_call(&caller, TIMEOUT_MS, i), 0);
	check_equal(atomic_load(&responder.requests), 20);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(a_vendor_call_gets_a_response)
{
	ib_vendor_call_t call = {
		.method = METHOD_SET,
		.mgmt_class = LOOP_CLASS,
		.attrid = CALLER_ATTR,
		.oui = LOOP_OUI,
		.timeout = TIMEOUT_MS,
	};
	uint8_t data[CALLER_DATA_SIZE], want[CALLER_DATA_SIZE];
	struct responder responder = { 0 };
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	memset(data, 0x5a, sizeof(data));
	memcpy(want, data, sizeof(want));
	check(ib_vendor_call_via(data, &caller.portid, &call, caller.port) != NULL);
	check(!memcmp(data, want, sizeof(data)));
	check_equal(atomic_load(&responder.requests), 1);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(a_performance_query_gets_a_response)
{
	struct responder responder = { .mgmt_class = IB_PERFORMANCE_CLASS };
	uint8_t counters[256] = { 0 };
	struct caller caller;
	bool responded, served;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check(mad_register_client_via(IB_PERFORMANCE_CLASS, 0, caller.port) >= 0);
	responded = pma_query_via(counters, &caller.portid, 1, TIMEOUT_MS, IB_GSI_PORT_COUNTERS,
				  caller.port);
	served = atomic_load(&responder.requests) > 0;
	caller_close(&caller);
	responder_stop(&responder);
	if (!served)
		tap_skip("this kernel takes performance queries to soft RoCE itself");
	check(responded);
	check_equal(mad_get_field(counters, 0, IB_PC_PORT_SELECT_F), 1);
}

/* A Get of board management, with data that come back. */
static void check_board_call(struct caller *caller)
{
	ib_bm_call_t call = {
		.method = METHOD_GET,
		.attrid = IB_BM_ATTR_READ_VPD,
		.timeout = TIMEOUT_MS,
	};
	uint8_t data[IB_BM_DATA_SZ] = { 0x5a };

	check(mad_register_client_via(IB_BOARD_MGMT_CLASS, 0, caller->port) >= 0);
	check(bm_call_via(data, &caller->portid, &call, caller->port) != NULL);
	check_equal(data[0], 0x5a);
}

TEST(a_board_management_call_gets_a_response)
{
	struct responder responder = { .mgmt_class = IB_BOARD_MGMT_CLASS };
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check_board_call(&caller);
	check_equal(atomic_load(&responder.requests), 1);
	caller_close(&caller);
	responder_stop(&responder);
}

/* The status reaches the caller, and the request is not made again. */
static void check_status(struct caller *caller, unsigned status)
{
	uint8_t data[CALLER_DATA_SIZE] = { 0 };
	ib_rpc_t rpc = caller_rpc(TIMEOUT_MS);

	errno = 0;
	check(!mad_rpc(caller->port, &rpc, &caller->portid, data, data));
	check_equal(errno, EIO);
	check_equal(rpc.rstatus, status);
}

TEST(an_error_status_reaches_the_caller)
{
	struct responder responder = { .status = STATUS_BUSY };
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check_status(&caller, STATUS_BUSY);
	check_equal(atomic_load(&responder.requests), 1);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(what_nobody_serves_is_unsupported)
{
	struct caller caller;

	require(caller_open(&caller, LOOP_DEVICE));
	check_status(&caller, STATUS_UNSUPPORTED);
	caller_close(&caller);
}

TEST(a_redirect_is_followed)
{
	struct responder responder = { .redirects = 3, .redirect_lid = 7 };
	struct mad_rpc_statistics statistics;
	uint8_t data[CALLER_DATA_SIZE] = { 0 };
	ib_rpc_t rpc = caller_rpc(TIMEOUT_MS);
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check(mad_rpc(caller.port, &rpc, &caller.portid, data, data) != NULL);
	check_equal(caller.portid.lid, 7);
	check_equal(caller.portid.qp, 1);
	check_equal(caller.portid.qkey, LOOP_QKEY);
	check_equal(atomic_load(&responder.requests), 4);
	if (caller_statistics(&caller, &statistics)) {
		check_equal(statistics.redirected, 3);
		check_equal(statistics.sent, 4);
		check_equal(statistics.received, 4);
	}
	check_equal(caller_call(&caller, TIMEOUT_MS, 1), 0);
	caller_close(&caller);
	responder_stop(&responder);
}

/* Not of a vendor class: ClassPortInfo is elsewhere. */
TEST(a_redirect_of_board_management)
{
	struct responder responder = {
		.mgmt_class = IB_BOARD_MGMT_CLASS,
		.redirects = 1,
		.redirect_lid = 7,
	};
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check_board_call(&caller);
	check_equal(caller.portid.lid, 7);
	check_equal(atomic_load(&responder.requests), 2);
	caller_close(&caller);
	responder_stop(&responder);
}

/* A GID that can't be resolved, since a RoCE port has no SA to ask. */
TEST(a_redirect_to_a_GID_alone)
{
	struct responder responder = { .redirects = 1 };
	struct caller caller;
	int result;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	result = caller_call(&caller, TIMEOUT_MS, 1);
	tap_note("redirected to a GID: errno %d (%s)", result, strerror(result));
	check(result > 0 && result != EPROTO);
	check_equal(atomic_load(&responder.requests), 1);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(endless_redirects_end)
{
	struct responder responder = { .redirects = ENDLESS, .redirect_lid = 7 };
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check_equal(caller_call(&caller, TIMEOUT_MS, 1), ELOOP);
	check_equal(atomic_load(&responder.requests), REDIRECTS_MAX + 1);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(a_response_of_many_MADs_comes_whole)
{
	struct responder responder = { .response_size = LARGE, .response_seed = 3 };
	uint8_t *data = calloc(1, LARGE);
	ib_rpc_t rpc = caller_rpc(10000);
	ib_rmpp_hdr_t rmpp = { 0 };
	struct caller caller;

	require(data && responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check(mad_register_client_via(LOOP_CLASS, 1, caller.port) >= 0);
	rpc.datasz = LARGE - CALLER_DATA_OFFSET;
	check(mad_rpc_rmpp(caller.port, &rpc, &caller.portid, &rmpp, data) != NULL);
	check(loop_holds_pattern(data, LARGE - CALLER_DATA_OFFSET, 3));
	check_equal(rmpp.type, IB_RMPP_TYPE_DATA);
	caller_close(&caller);
	responder_stop(&responder);
	free(data);
}

/* One MAD is taken of it, and the port goes on. */
TEST(a_response_too_long_for_its_caller)
{
	struct responder responder = { .response_size = 3000, .response_seed = 4 };
	uint8_t data[CALLER_DATA_SIZE] = { 0 };
	ib_rpc_t rpc = caller_rpc(TIMEOUT_MS);
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	check(mad_register_client_via(LOOP_CLASS, 1, caller.port) >= 0);
	check(mad_rpc(caller.port, &rpc, &caller.portid, data, data) != NULL);
	check(loop_holds_pattern(data, CALLER_DATA_SIZE, 4));
	rpc = caller_rpc(TIMEOUT_MS);
	check(mad_rpc(caller.port, &rpc, &caller.portid, data, data) != NULL);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(a_class_that_is_not_registered_is_refused)
{
	uint8_t data[IB_MAD_SIZE] = { 0 };
	struct caller caller;

	require(caller_open(&caller, LOOP_DEVICE));
	errno = 0;
	check(!pma_query_via(data, &caller.portid, 1, 50, IB_GSI_PORT_COUNTERS, caller.port));
	check_equal(errno, EINVAL);
	caller_close(&caller);
}

TEST(a_port_without_subnet_management_is_refused)
{
	int classes[] = { IB_SMI_CLASS, LOOP_CLASS };
	unsigned fds = sys_count_fds();

	errno = 0;
	check(!mad_rpc_open_port((char *)LOOP_DEVICE, 1, classes, 2));
	check_equal(errno, EPROTONOSUPPORT); /* what the kernel says: no QP 0 */
	check_equal(sys_count_fds(), fds);
}

TEST(a_pair_opens_one_device_for_both)
{
	int classes[] = { LOOP_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_ports_pair *pair;

	pair = mad_rpc_open_port2((char *)LOOP_DEVICE, 1, classes, 2, 0);
	require(pair != NULL);
	check(mad_rpc_class_agent(pair->gsi.port, LOOP_CLASS) >= 0);
	check_equal(mad_rpc_class_agent(pair->smi.port, LOOP_CLASS), -1);
	mad_rpc_close_port2(pair);
}

/* The kernel refuses an agent of QP 0 on a port that has none; and no such port is an SMI's. */
TEST(a_pair_has_no_subnet_management)
{
	int classes[] = { IB_SMI_CLASS, IB_PERFORMANCE_CLASS };
	unsigned fds = sys_count_fds();

	for (unsigned enforce_smi = 0; enforce_smi < 2; enforce_smi++) {
		struct ibmad_ports_pair *pair;

		errno = 0;
		pair = mad_rpc_open_port2((char *)LOOP_DEVICE, 1, classes, 2, enforce_smi);
		tap_note("enforce_smi %u: %s, errno %d", enforce_smi, pair ? "a pair" : "no pair",
			 errno);
		check(!pair);
		check_equal(errno, enforce_smi ? ENODEV : EPROTONOSUPPORT);
		if (pair)
			mad_rpc_close_port2(pair);
	}
	check_equal(sys_count_fds(), fds);
}
