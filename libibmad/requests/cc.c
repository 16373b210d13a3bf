/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Congestion control: Get and Set with a CC key (annex A10).
 */
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

int mad_cc_request(ib_rpc_cc_t *rpc, ib_portid_t *portid, int method, unsigned attrid, unsigned mod,
		   uint64_t cckey)
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
	return 0;
}

static void *call(int method, void *payload, void *rcvbuf, ib_portid_t *portid, unsigned attrid,
		  unsigned mod, unsigned timeout, int *rstatus, const struct ibmad_port *srcport,
		  uint64_t cckey)
{
	ib_rpc_cc_t rpc;
	int error;

	if (!rcvbuf || !portid)
		return mad_refuse_call(-EINVAL);
	mad_cc_request(&rpc, portid, method, attrid, mod, cckey);
	rpc.timeout = timeout;
	error = mad_rpc_call(srcport, (ib_rpc_t *)&rpc, portid, payload, rcvbuf);
	if (rstatus)
		*rstatus = rpc.rstatus;
	return mad_data_or_null(error, rcvbuf);
}

void *cc_query_status_via(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
			  unsigned timeout, int *rstatus, const struct ibmad_port *srcport,
			  uint64_t cckey)
{
	return call(IB_MAD_METHOD_GET, rcvbuf, rcvbuf, portid, attrid, mod, timeout, rstatus,
		    srcport, cckey);
}

void *cc_config_status_via(void *payload, void *rcvbuf, ib_portid_t *portid, unsigned attrid,
			   unsigned mod, unsigned timeout, int *rstatus,
			   const struct ibmad_port *srcport, uint64_t cckey)
{
	return call(IB_MAD_METHOD_SET, payload, rcvbuf, portid, attrid, mod, timeout, rstatus,
		    srcport, cckey);
}
