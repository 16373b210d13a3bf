/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_rpc() and mad_rpc_rmpp(), and SMPs: Get and Set of the attributes that the SMA of every port
 * implements (chapter 14). SMPs by LID go by directed route where the port has that set; the
 * caller's address is left unchanged then.
 */
#include "libibmad/engine/request.h"
#include "libibmad/requests/requests.h"
#include "libibmad/routes/routes.h"

int mad_call_adjusted(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		      const void *payload, void *rcvdata)
{
	ib_rpc_v1_t routed; /* of either version: has an error, which is not the caller's */
	ib_portid_t to;
	int result = 0;

	if (rpc && dport)
		result = mad_route_adjust(port, rpc, dport, (ib_rpc_t *)&routed, &to);
	if (result < 0)
		return mad_rpc_note_error(rpc, mad_state_refuse(result));
	if (!result)
		return mad_rpc_call(port, rpc, dport, payload, rcvdata);
	result = mad_rpc_call_with(port, (ib_rpc_t *)&routed, &to, NULL, payload, rcvdata,
				   MAD_REQUEST_ROUTED);
	rpc->rstatus = routed.rstatus;
	rpc->trid = routed.trid;
	return mad_rpc_note_error(rpc, result);
}

void *mad_rpc(const struct ibmad_port *srcport, ib_rpc_t *rpc, ib_portid_t *dport, void *payload,
	      void *rcvdata)
{
	return mad_data_or_null(mad_call(srcport, rpc, dport, payload, rcvdata), rcvdata);
}

void *mad_rpc_rmpp(const struct ibmad_port *srcport, ib_rpc_t *rpc, ib_portid_t *dport,
		   ib_rmpp_hdr_t *rmpp, void *data)
{
	bool is_adjusted =
		srcport && !rmpp && mad_port_is_adjusting(srcport); /* SMPs have no RMPP */
	int error = is_adjusted ? mad_call_adjusted(srcport, rpc, dport, data, data)
				: mad_rpc_call_with(srcport, rpc, dport, rmpp, data, data,
						    MAD_REQUEST_RMPP);

	return mad_data_or_null(error, data);
}

static inline __attribute__((always_inline)) int call_smp(int method, void *data,
							  ib_portid_t *portid, unsigned attrid,
							  unsigned mod, unsigned timeout,
							  int *rstatus,
							  const struct ibmad_port *srcport)
{
	ib_rpc_t rpc;
	int error;

	if (!data || !portid)
		return mad_state_refuse(mad_refuse(MAD_REFUSED_DATA));
	mad_smp_request(&rpc, portid, method, attrid, mod, srcport ? mad_port_mkey(srcport) : 0);
	rpc.timeout = timeout;
	error = mad_call(srcport, &rpc, portid, data, data);
	if (rstatus)
		*rstatus = rpc.rstatus;
	return error;
}

int mad_smp_get(const struct ibmad_port *port, void *data, ib_portid_t *portid, unsigned attrid,
		unsigned mod, unsigned timeout)
{
	return call_smp(IB_MAD_METHOD_GET, data, portid, attrid, mod, timeout, NULL, port);
}

uint8_t *smp_query_status_via(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
			      unsigned timeout, int *rstatus, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call_smp(IB_MAD_METHOD_GET, rcvbuf, portid, attrid, mod, timeout, rstatus, srcport),
		rcvbuf);
}

uint8_t *smp_query_via(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
		       unsigned timeout, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call_smp(IB_MAD_METHOD_GET, rcvbuf, portid, attrid, mod, timeout, NULL, srcport),
		rcvbuf);
}

uint8_t *smp_set_status_via(void *data, ib_portid_t *portid, unsigned attrid, unsigned mod,
			    unsigned timeout, int *rstatus, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call_smp(IB_MAD_METHOD_SET, data, portid, attrid, mod, timeout, rstatus, srcport),
		data);
}

uint8_t *smp_set_via(void *data, ib_portid_t *portid, unsigned attrid, unsigned mod,
		     unsigned timeout, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call_smp(IB_MAD_METHOD_SET, data, portid, attrid, mod, timeout, NULL, srcport),
		data);
}
