/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-request.c - requests that wait for their response: mad_rpc() and the class helpers. What
 * the caller's buffer for the response is unchanged if there is none (but for what a helper itself
 * writes there as its request).
 */
#include "cases.h"
#include "fabric.h"

#include <errno.h>

#include <infiniband/mad_sa.h>

#define PORT ((struct ibmad_port *)run->state)
#define DATA ((void *)run->output)

#define TO   ib_portid_t to = { .lid = 7 }
#define SELF ib_portid_t to = { .lid = 0 }
#define RPC                                                      \
	TO;                                                      \
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,       \
			 .method = IB_MAD_METHOD_GET,            \
			 .attr = { .id = IB_GSI_PORT_COUNTERS }, \
			 .dataoffs = IB_PC_DATA_OFFS,            \
			 .datasz = IB_PC_DATA_SZ }
#define SA  \
	TO; \
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET }
#define VENDOR(class_)                                           \
	TO;                                                      \
	ib_vendor_call_t vendor = { .method = IB_MAD_METHOD_GET, \
				    .mgmt_class = (class_),      \
				    .oui = FABRIC_OUI }
#define BM  \
	TO; \
	ib_bm_call_t bm = { .method = IB_MAD_METHOD_GET, .attrid = IB_BM_ATTR_BKEYINFO }
#define GIDS \
	TO;  \
	ibmad_gid_t source = { 0xfe, 0x80 }, destination = { 0xfe, 0x80 }

#define LONG                                                      \
	TO;                                                       \
	ib_rmpp_hdr_t rmpp = { .type = 0 };                       \
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,                 \
			 .method = IB_MAD_METHOD_GET_TABLE,       \
			 .attr = { .id = IB_SA_ATTR_NODERECORD }, \
			 .dataoffs = IB_SA_DATA_OFFS,             \
			 .datasz = 2000 }

FAULT_CALL_POINTER(call_mad_rpc, RPC, mad_rpc(PORT, &rpc, &to, NULL, DATA))
FAULT_CALL_POINTER(call_mad_rpc_rmpp, RPC, mad_rpc_rmpp(PORT, &rpc, &to, NULL, DATA))
FAULT_CALL_POINTER(call_smp_query_via, SELF,
		   smp_query_via(DATA, &to, IB_ATTR_NODE_INFO, 0, 0, PORT))
FAULT_CALL_POINTER(call_smp_set_via, TO, smp_set_via(DATA, &to, IB_ATTR_NODE_INFO, 0, 0, PORT))
FAULT_CALL_POINTER(call_smp_query_status_via, TO;
		   int status,
		   smp_query_status_via(DATA, &to, IB_ATTR_NODE_INFO, 0, 0, &status, PORT))
FAULT_CALL_POINTER(call_smp_set_status_via, TO;
		   int status,
		   smp_set_status_via(DATA, &to, IB_ATTR_NODE_INFO, 0, 0, &status, PORT))
FAULT_CALL_POINTER(call_cc_query_status_via, TO;
		   int status, cc_query_status_via(DATA, &to, IB_CC_ATTR_CONGESTION_INFO, 0, 0,
						   &status, PORT, 0))
FAULT_CALL_POINTER(call_cc_config_status_via, TO;
		   int status, cc_config_status_via(DATA, DATA, &to, IB_CC_ATTR_CONGESTION_INFO, 0,
						    0, &status, PORT, 0))
FAULT_CALL_POINTER(call_sa_rpc_call, SA, sa_rpc_call(PORT, DATA, &to, &sa, 0))
FAULT_CALL_POINTER(call_pma_query_via, TO,
		   pma_query_via(DATA, &to, 1, 0, IB_GSI_PORT_COUNTERS, PORT))
FAULT_CALL_POINTER(call_performance_reset_via, TO,
		   performance_reset_via(DATA, &to, 1, 0, 0, IB_GSI_PORT_COUNTERS, PORT))
FAULT_CALL_POINTER(call_bm_call_via, BM, bm_call_via(DATA, &to, &bm, PORT))
FAULT_CALL_POINTER(call_vendor1, VENDOR(FABRIC_VENDOR1),
		   ib_vendor_call_via(DATA, &to, &vendor, PORT))
FAULT_CALL_POINTER(call_vendor2, VENDOR(FABRIC_VENDOR2),
		   ib_vendor_call_via(DATA, &to, &vendor, PORT))
FAULT_CALL_MINUS_ONE(call_ib_path_query_via, GIDS,
		     ib_path_query_via(PORT, source, destination, &to, DATA))
FAULT_CALL_MINUS_ONE(call_ib_node_query_via, TO, ib_node_query_via(PORT, 1, &to, DATA))

/* More data requested than one MAD holds: the response gets a separate buffer. */
FAULT_CALL_POINTER(call_long_response, LONG, mad_rpc_rmpp(PORT, &rpc, &to, &rmpp, DATA))

#define ROW(function, flags, ...) \
	FAULT_CASE(function, NULL, fabric_port, call_##function, flags, __VA_ARGS__)

static const struct fault_case cases[] = {
	ROW(mad_rpc, FAULT_UNTOUCHED),
	ROW(mad_rpc_rmpp, FAULT_UNTOUCHED),
	FAULT_CASE(mad_rpc_rmpp, "with a long response", fabric_port, call_long_response,
		   FAULT_UNTOUCHED),
	ROW(smp_query_via, FAULT_UNTOUCHED),
	ROW(smp_set_via, FAULT_UNTOUCHED),
	ROW(smp_query_status_via, FAULT_UNTOUCHED),
	ROW(smp_set_status_via, FAULT_UNTOUCHED),
	ROW(cc_query_status_via, FAULT_UNTOUCHED),
	ROW(cc_config_status_via, FAULT_UNTOUCHED),
	ROW(sa_rpc_call, FAULT_UNTOUCHED),
	ROW(pma_query_via, 0),
	ROW(performance_reset_via, 0),
	ROW(bm_call_via, FAULT_UNTOUCHED),
	FAULT_CASE(ib_vendor_call_via, "range 1", fabric_port, call_vendor1, FAULT_UNTOUCHED),
	FAULT_CASE(ib_vendor_call_via, "range 2", fabric_port, call_vendor2, FAULT_UNTOUCHED),
	ROW(ib_path_query_via, 0),
	ROW(ib_node_query_via, 0),
};

const struct fault_group cases_request = FAULT_GROUP(cases);
