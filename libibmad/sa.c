/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Subnet administration: any one request, and the path and node queries that address resolution
 * stands on (chapter 15).
 */
#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "internal.h"
#include "requests.h"

/* Component mask bits of the records that are asked for here (15.2.5). */
#define PATH_DGID      UINT64_C(0x0004)
#define PATH_SGID      UINT64_C(0x0008)
#define NODE_PORT_GUID UINT64_C(0x0100)

int mad_sa_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, const ib_sa_call_t *sa)
{
	*rpc = (ib_rpc_v1_t){
		.mgtclass = IB_SA_CLASS | IB_MAD_RPC_VERSION1,
		.method = sa->method,
		.attr = { .id = sa->attrid, .mod = sa->mod },
		.mask = sa->mask,
		.trid = sa->trid,
		.dataoffs = IB_SA_DATA_OFFS,
		.datasz = IB_SA_DATA_SIZE,
	};
	if (portid->lid <= 0)
		return -EINVAL;
	mad_address_gsi(portid);
	return 0;
}

uint8_t *sa_rpc_call(const struct ibmad_port *srcport, void *rcvbuf, ib_portid_t *portid,
		     ib_sa_call_t *sa, unsigned timeout)
{
	ib_rpc_v1_t rpc;
	int error;

	if (!rcvbuf || !portid || !sa) {
		errno = EINVAL;
		return NULL;
	}
	error = mad_sa_request(&rpc, portid, sa);
	if (error) {
		mad_warn("sa_rpc_call", "only lid routes are supported");
		errno = -error;
		return NULL;
	}
	rpc.timeout = timeout;
	error = mad_rpc_call_rmpp(srcport, (ib_rpc_t *)&rpc, portid,
				  sa->rmpp.flags ? &sa->rmpp : NULL, rcvbuf, rcvbuf);
	sa->recsz = rpc.recsz;
	return error ? NULL : rcvbuf;
}

static void warn_failed(const char *function, const char *query)
{
	mad_warn(function, "sa call %s failed", query);
}

/* Asks for one path between two GIDs; returns its DLID. */
int ib_path_query_via(const struct ibmad_port *srcport, ibmad_gid_t srcgid, ibmad_gid_t destgid,
		      ib_portid_t *sm_id, void *buf)
{
	ib_sa_call_t sa = {
		.attrid = IB_SA_ATTR_PATHRECORD,
		.method = IB_MAD_METHOD_GET,
		.mask = PATH_DGID | PATH_SGID,
	};

	if (!srcgid || !destgid || !sm_id || !buf) {
		errno = EINVAL;
		return -1;
	}
	memset(buf, 0, IB_SA_DATA_SIZE);
	mad_set_array(buf, 0, IB_SA_PR_DGID_F, destgid);
	mad_set_array(buf, 0, IB_SA_PR_SGID_F, srcgid);
	if (!sa_rpc_call(srcport, buf, sm_id, &sa, 0)) {
		warn_failed("ib_path_query_via", "path_query");
		return -1;
	}
	return mad_get_field(buf, 0, IB_SA_PR_DLID_F);
}

int ib_node_query_via(const struct ibmad_port *srcport, uint64_t guid, ib_portid_t *sm_id,
		      void *buf)
{
	ib_sa_call_t sa = {
		.attrid = IB_SA_ATTR_NODERECORD,
		.method = IB_MAD_METHOD_GET,
		.mask = NODE_PORT_GUID,
	};

	if (!sm_id || !buf) {
		errno = EINVAL;
		return -1;
	}
	memset(buf, 0, IB_SA_DATA_SIZE);
	mad_set_field64(buf, 0, IB_SA_NR_PORT_GUID_F, guid);
	if (!sa_rpc_call(srcport, buf, sm_id, &sa, 0)) {
		warn_failed("ib_node_query_via", "node_query");
		return -1;
	}
	return 0;
}
