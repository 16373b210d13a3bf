/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests of the general services: of performance management (16.1), of congestion control with a
 * CC key (annex A10), of the two vendor class ranges (13.4.4), of which the second has an OUI and
 * an optional RMPP header, and of board management with a B_Key (16.2), at the offset of the M_Key
 * in SMPs. sa.c has those of the SA.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

int mad_perf_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, int method, int port, unsigned attrid)
{
	*rpc = (ib_rpc_v1_t){
		.mgtclass = IB_PERFORMANCE_CLASS | IB_MAD_RPC_VERSION1,
		.method = method,
		.attr = { .id = attrid },
		.dataoffs = IB_PC_DATA_OFFS,
		.datasz = IB_PC_DATA_SZ,
	};
	if (__builtin_expect(portid->lid < 0 || port < 0 || port > UINT8_MAX, 0))
		return mad_refuse(portid->lid < 0 ? MAD_REFUSED_LID_ROUTED
						  : MAD_REFUSED_PORT_NUMBER);
	mad_address_gsi(portid);
	return 0;
}

/* The counters that a Set resets: all for mask 0; the upper half of the mask goes to
 * CounterSelect2. */
void mad_perf_select_counters(void *data, int port, unsigned mask, unsigned attrid)
{
	if (!mask)
		mask = ~0U;
	memset(data, 0, IB_PC_DATA_SZ);
	mad_set_field(data, 0, IB_PC_PORT_SELECT_F, port);
	mad_set_field(data, 0, IB_PC_COUNTER_SELECT_F, mask & 0xffff);
	mad_set_field(data, 0,
		      attrid == IB_GSI_PORT_COUNTERS_EXT ? IB_PC_EXT_COUNTER_SELECT2_F
							 : IB_PC_COUNTER_SELECT2_F,
		      mask >> 16);
}

static uint8_t *call_perf(const char *function, int method, void *data, ib_portid_t *dest, int port,
			  unsigned mask, unsigned timeout, unsigned id,
			  const struct ibmad_port *srcport)
{
	ib_rpc_v1_t rpc;
	int error = data && dest ? mad_perf_request(&rpc, dest, method, port, id)
				 : mad_refuse(MAD_REFUSED_DATA);

	if (error) {
		if (dest && dest->lid < 0)
			mad_warn(function, "only lid routed is supported");
		return mad_end_helper(function, mad_state_refuse(error), NULL);
	}
	if (method == IB_MAD_METHOD_SET)
		mad_perf_select_counters(data, port, mask, id);
	else
		mad_set_field(data, 0, IB_PC_PORT_SELECT_F, port);
	rpc.timeout = timeout;
	error = mad_rpc_call(srcport, (ib_rpc_t *)&rpc, dest, data, data);
	return mad_end_helper(function, error, data);
}

uint8_t *pma_query_via(void *rcvbuf, ib_portid_t *dest, int port, unsigned timeout, unsigned id,
		       const struct ibmad_port *srcport)
{
	return call_perf(__func__, IB_MAD_METHOD_GET, rcvbuf, dest, port, 0, timeout, id, srcport);
}

uint8_t *performance_reset_via(void *rcvbuf, ib_portid_t *dest, int port, unsigned mask,
			       unsigned timeout, unsigned id, const struct ibmad_port *srcport)
{
	return call_perf(__func__, IB_MAD_METHOD_SET, rcvbuf, dest, port, mask, timeout, id,
			 srcport);
}

void mad_cc_request(ib_rpc_cc_t *rpc, ib_portid_t *portid, int method, unsigned attrid,
		    unsigned mod, uint64_t cckey)
{
	bool log = attrid == IB_CC_ATTR_CONGESTION_LOG;

	*rpc = (ib_rpc_cc_t){
		.mgtclass = IB_CC_CLASS,
		.method = method,
		.attr = { .id = attrid, .mod = mod },
		.dataoffs = log ? IB_CC_LOG_DATA_OFFS : IB_CC_DATA_OFFS,
		.datasz = log ? IB_CC_LOG_DATA_SZ : IB_CC_DATA_SZ,
		.cckey = cckey,
	};
	mad_address_gsi(portid);
}

static void *call_cc(const char *function, int method, void *payload, void *rcvbuf,
		     ib_portid_t *portid, unsigned attrid, unsigned mod, unsigned timeout,
		     int *rstatus, const struct ibmad_port *srcport, uint64_t cckey)
{
	ib_rpc_cc_t rpc;
	int error;

	if (!rcvbuf || !portid)
		return mad_end_helper(function, mad_state_refuse(mad_refuse(MAD_REFUSED_DATA)),
				      NULL);
	mad_cc_request(&rpc, portid, method, attrid, mod, cckey);
	rpc.timeout = timeout;
	error = mad_rpc_call(srcport, (ib_rpc_t *)&rpc, portid, payload, rcvbuf);
	if (rstatus)
		*rstatus = rpc.rstatus;
	return mad_end_helper(function, error, rcvbuf);
}

void *cc_query_status_via(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
			  unsigned timeout, int *rstatus, const struct ibmad_port *srcport,
			  uint64_t cckey)
{
	return call_cc(__func__, IB_MAD_METHOD_GET, rcvbuf, rcvbuf, portid, attrid, mod, timeout,
		       rstatus, srcport, cckey);
}

void *cc_config_status_via(void *payload, void *rcvbuf, ib_portid_t *portid, unsigned attrid,
			   unsigned mod, unsigned timeout, int *rstatus,
			   const struct ibmad_port *srcport, uint64_t cckey)
{
	return call_cc(__func__, IB_MAD_METHOD_SET, payload, rcvbuf, portid, attrid, mod, timeout,
		       rstatus, srcport, cckey);
}

int mad_vendor_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, const ib_vendor_call_t *call)
{
	bool range1 = mad_is_vendor_range1(call->mgmt_class);
	bool range2 = mad_is_vendor_range2(call->mgmt_class);

	*rpc = (ib_rpc_v1_t){
		.mgtclass = call->mgmt_class | IB_MAD_RPC_VERSION1,
		.method = call->method,
		.attr = { .id = call->attrid, .mod = call->mod },
		.timeout = call->timeout,
		.oui = call->oui,
		.dataoffs = range1 ? IB_VENDOR_RANGE1_DATA_OFFS : IB_VENDOR_RANGE2_DATA_OFFS,
		.datasz = range1 ? IB_VENDOR_RANGE1_DATA_SIZE : IB_VENDOR_RANGE2_DATA_SIZE,
	};
	if (!range1 && !(range2 && call->oui))
		return mad_refuse(MAD_REFUSED_VENDOR_CLASS);
	if (portid->lid <= 0)
		return mad_refuse(MAD_REFUSED_LID_ROUTED);
	mad_address_gsi(portid);
	return 0;
}

/* Sends a request that has no response; waits for that of any other. */
static int call_or_send(const struct ibmad_port *srcport, ib_rpc_v1_t *rpc, ib_portid_t *portid,
			ib_rmpp_hdr_t *rmpp, void *data, unsigned options)
{
	if (!mad_method_has_response(rpc->method))
		return mad_send_request(srcport, (ib_rpc_t *)rpc, portid, rmpp, data);
	return mad_rpc_call_with(srcport, (ib_rpc_t *)rpc, portid, rmpp, data, data, options);
}

uint8_t *ib_vendor_call_via(void *data, ib_portid_t *portid, ib_vendor_call_t *call,
			    struct ibmad_port *srcport)
{
	ib_rmpp_hdr_t *rmpp;
	ib_rpc_v1_t rpc;
	int error;

	if (data && portid && call)
		error = mad_vendor_request(&rpc, portid, call);
	else
		error = mad_refuse(call ? MAD_REFUSED_DATA : MAD_REFUSED_CALL);
	if (error)
		return mad_refuse_call(error);
	rmpp = mad_is_vendor_range2(call->mgmt_class) && call->rmpp.flags ? &call->rmpp : NULL;
	error = call_or_send(srcport, &rpc, portid, rmpp, data, MAD_REQUEST_RMPP);
	return mad_data_or_null(error, data);
}

uint8_t *bm_call_via(void *data, ib_portid_t *portid, ib_bm_call_t *call,
		     struct ibmad_port *srcport)
{
	ib_rpc_v1_t rpc;

	if (portid && portid->lid <= 0)
		mad_warn("bm_call_via", "only lid routes are supported");
	if (!data || !portid || !call || portid->lid <= 0)
		return mad_refuse_call(mad_refuse(!call		   ? MAD_REFUSED_CALL
						  : data && portid ? MAD_REFUSED_LID_ROUTED
								   : MAD_REFUSED_DATA));
	rpc = (ib_rpc_v1_t){
		.mgtclass = IB_BOARD_MGMT_CLASS | IB_MAD_RPC_VERSION1,
		.method = call->method,
		.attr = { .id = call->attrid, .mod = call->mod },
		.mkey = call->bkey,
		.timeout = call->timeout,
		.dataoffs = IB_BM_DATA_OFFS,
		.datasz = IB_BM_DATA_SZ,
	};
	mad_address_gsi(portid);
	return mad_data_or_null(call_or_send(srcport, &rpc, portid, NULL, data, 0), data);
}
