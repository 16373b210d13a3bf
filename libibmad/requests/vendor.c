/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests of the two vendor class ranges (13.4.4): range 1, and range 2, which has an OUI and an
 * optional RMPP header.
 */
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

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
		return -EINVAL;
	if (portid->lid <= 0)
		return -EINVAL;
	mad_address_gsi(portid);
	return 0;
}

uint8_t *ib_vendor_call_via(void *data, ib_portid_t *portid, ib_vendor_call_t *call,
			    struct ibmad_port *srcport)
{
	ib_rmpp_hdr_t *rmpp;
	ib_rpc_v1_t rpc;
	int error = -EINVAL;

	if (data && portid && call)
		error = mad_vendor_request(&rpc, portid, call);
	if (error)
		return mad_refuse_call(error);
	rmpp = mad_is_vendor_range2(call->mgmt_class) && call->rmpp.flags ? &call->rmpp : NULL;
	if (mad_method_has_response(call->method))
		error = mad_rpc_call_rmpp(srcport, (ib_rpc_t *)&rpc, portid, rmpp, data, data);
	else
		error = mad_send_request(srcport, (ib_rpc_t *)&rpc, portid, rmpp, data);
	return mad_data_or_null(error, data);
}
