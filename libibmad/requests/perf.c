/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Performance management: reads and resets the counters of a port (chapter 16.1).
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
	if (portid->lid < 0 || port < 0 || port > UINT8_MAX)
		return -EINVAL;
	mad_address_gsi(portid);
	return 0;
}

void mad_perf_select_port(void *data, int port)
{
	mad_set_field(data, 0, IB_PC_PORT_SELECT_F, port);
}

/* The counters that a Set resets: all for mask 0; the upper half of the mask goes to
 * CounterSelect2. */
void mad_perf_select_counters(void *data, int port, unsigned mask, unsigned attrid)
{
	if (!mask)
		mask = ~0U;
	memset(data, 0, IB_PC_DATA_SZ);
	mad_perf_select_port(data, port);
	mad_set_field(data, 0, IB_PC_COUNTER_SELECT_F, mask & 0xffff);
	mad_set_field(data, 0,
		      attrid == IB_GSI_PORT_COUNTERS_EXT ? IB_PC_EXT_COUNTER_SELECT2_F
							 : IB_PC_COUNTER_SELECT2_F,
		      mask >> 16);
}

static bool check(const char *function, const void *rcvbuf, const ib_portid_t *dest, int port)
{
	if (rcvbuf && dest && dest->lid >= 0 && port >= 0 && port <= UINT8_MAX)
		return true;
	if (dest && dest->lid < 0)
		mad_warn(function, "only lid routed is supported");
	mad_refuse_call(-EINVAL);
	return false;
}

static uint8_t *call(int method, void *data, ib_portid_t *dest, int port, unsigned timeout,
		     unsigned id, const struct ibmad_port *srcport)
{
	ib_rpc_v1_t rpc;

	mad_perf_request(&rpc, dest, method, port, id);
	rpc.timeout = timeout;
	return mad_data_or_null(mad_rpc_call(srcport, (ib_rpc_t *)&rpc, dest, data, data), data);
}

uint8_t *pma_query_via(void *rcvbuf, ib_portid_t *dest, int port, unsigned timeout, unsigned id,
		       const struct ibmad_port *srcport)
{
	if (!check("pma_query_via", rcvbuf, dest, port))
		return NULL;
	mad_perf_select_port(rcvbuf, port);
	return call(IB_MAD_METHOD_GET, rcvbuf, dest, port, timeout, id, srcport);
}

uint8_t *performance_reset_via(void *rcvbuf, ib_portid_t *dest, int port, unsigned mask,
			       unsigned timeout, unsigned id, const struct ibmad_port *srcport)
{
	if (!check("performance_reset_via", rcvbuf, dest, port))
		return NULL;
	mad_perf_select_counters(rcvbuf, port, mask, id);
	return call(IB_MAD_METHOD_SET, rcvbuf, dest, port, timeout, id, srcport);
}
