/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Subnet management: Get and Set of the attributes that the SMA of every port implements (chapter
 * 14).
 */
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"
#include "libibmad/wire/packet.h"

static inline __attribute__((always_inline)) int call(int method, void *data, ib_portid_t *portid,
						      unsigned attrid, unsigned mod,
						      unsigned timeout, int *rstatus,
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
	return call(IB_MAD_METHOD_GET, data, portid, attrid, mod, timeout, NULL, port);
}

uint8_t *smp_query_status_via(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
			      unsigned timeout, int *rstatus, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call(IB_MAD_METHOD_GET, rcvbuf, portid, attrid, mod, timeout, rstatus, srcport),
		rcvbuf);
}

uint8_t *smp_query_via(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
		       unsigned timeout, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call(IB_MAD_METHOD_GET, rcvbuf, portid, attrid, mod, timeout, NULL, srcport),
		rcvbuf);
}

uint8_t *smp_set_status_via(void *data, ib_portid_t *portid, unsigned attrid, unsigned mod,
			    unsigned timeout, int *rstatus, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call(IB_MAD_METHOD_SET, data, portid, attrid, mod, timeout, rstatus, srcport),
		data);
}

uint8_t *smp_set_via(void *data, ib_portid_t *portid, unsigned attrid, unsigned mod,
		     unsigned timeout, const struct ibmad_port *srcport)
{
	return mad_data_or_null(
		call(IB_MAD_METHOD_SET, data, portid, attrid, mod, timeout, NULL, srcport), data);
}
