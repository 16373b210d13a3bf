/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Subnet Administration: any single request, and the path and node queries on which address
 * resolution depends (chapter 15).
 */
#include <errno.h>
#include <string.h>

#include "common/bytes.h"
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

/* Component mask bit of NodeRecord (15.2.5). */
#define NODE_MASK_PORT_GUID (UINT64_C(1) << 8)

static int call(const struct ibmad_port *port, void *rcvbuf, ib_portid_t *portid, ib_sa_call_t *sa,
		unsigned timeout)
{
	ib_rpc_v1_t rpc;
	int error;

	if (!rcvbuf || !portid || !sa)
		return mad_state_refuse(mad_refuse(sa ? MAD_REFUSED_DATA : MAD_REFUSED_CALL));
	error = mad_sa_request(&rpc, portid, sa, mad_port_sa_key(port));
	if (error) {
		mad_warn("sa_rpc_call", "only lid routes are supported");
		return mad_state_refuse(error);
	}
	rpc.timeout = timeout;
	error = mad_rpc_call_with(port, (ib_rpc_t *)&rpc, portid, sa->rmpp.flags ? &sa->rmpp : NULL,
				  rcvbuf, rcvbuf, MAD_REQUEST_RMPP);
	sa->recsz = rpc.recsz;
	return error;
}

uint8_t *sa_rpc_call(const struct ibmad_port *srcport, void *rcvbuf, ib_portid_t *portid,
		     ib_sa_call_t *sa, unsigned timeout)
{
	return mad_data_or_null(call(srcport, rcvbuf, portid, sa, timeout), rcvbuf);
}

int mad_path_query(const struct ibmad_port *port, ibmad_gid_t source, ibmad_gid_t destination,
		   ib_portid_t *sm_id, void *buf)
{
	ib_sa_call_t sa;
	int error;

	if (!source || !destination || !sm_id || !buf)
		return mad_state_refuse(
			mad_refuse(sm_id && buf ? MAD_REFUSED_GID : MAD_REFUSED_DATA));
	mad_path_request(&sa, buf, source, destination);
	error = call(port, buf, sm_id, &sa, 0);
	if (error)
		mad_warn("ib_path_query_via", "sa call path_query failed");
	return error;
}

/* Returns the DLID of the path. */
int ib_path_query_via(const struct ibmad_port *srcport, ibmad_gid_t srcgid, ibmad_gid_t destgid,
		      ib_portid_t *sm_id, void *buf)
{
	int error = mad_path_query(srcport, srcgid, destgid, sm_id, buf);

	if (!error)
		return mad_get_field(buf, 0, IB_SA_PR_DLID_F);
	return mad_fail_again(__func__, error);
}

int ib_node_query_via(const struct ibmad_port *srcport, uint64_t guid, ib_portid_t *sm_id,
		      void *buf)
{
	ib_sa_call_t sa = {
		.attrid = IB_SA_ATTR_NODERECORD,
		.method = IB_MAD_METHOD_GET,
		.mask = NODE_MASK_PORT_GUID,
	};
	int error;

	if (!sm_id || !buf) {
		error = mad_state_refuse(mad_refuse(MAD_REFUSED_DATA));
	} else {
		memset(buf, 0, IB_SA_DATA_SIZE);
		mad_set_field64(buf, 0, IB_SA_NR_PORT_GUID_F, guid);
		error = call(srcport, buf, sm_id, &sa, 0);
		if (error)
			mad_warn("ib_node_query_via", "sa call node_query failed");
	}
	return mad_zero_or_error(error);
}
