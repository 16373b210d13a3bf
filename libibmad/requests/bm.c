/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Board (baseboard) management: requests with a B_Key (chapter 16.2), at the offset of the M_Key in
 * SMPs.
 */
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

uint8_t *bm_call_via(void *data, ib_portid_t *portid, ib_bm_call_t *call,
		     struct ibmad_port *srcport)
{
	ib_rpc_v1_t rpc = {
		.mgtclass = IB_BOARD_MGMT_CLASS | IB_MAD_RPC_VERSION1,
		.dataoffs = IB_BM_DATA_OFFS,
		.datasz = IB_BM_DATA_SZ,
	};
	int error;

	if (!data || !portid || !call || portid->lid <= 0) {
		if (portid && portid->lid <= 0)
			mad_warn("bm_call_via", "only lid routes are supported");
		return mad_refuse_call(-EINVAL);
	}
	rpc.method = call->method;
	rpc.attr.id = call->attrid;
	rpc.attr.mod = call->mod;
	rpc.timeout = call->timeout;
	rpc.mkey = call->bkey;
	mad_address_gsi(portid);
	if (mad_method_has_response(call->method))
		error = mad_rpc_call(srcport, (ib_rpc_t *)&rpc, portid, data, data);
	else
		error = mad_send_request(srcport, (ib_rpc_t *)&rpc, portid, NULL, data);
	return mad_data_or_null(error, data);
}
