/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Joining and leaving multicast groups: MCMemberRecord Set and Delete (volume 1, 15.2.5.17).
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sa_mcm.h>

#include "common/bytes.h"
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

void mad_sa_put_mc_member(const struct mad_sa_mc_request *request, void *record)
{
	const struct mad_sa_mc_member *member = &request->member;
	struct umad_sa_mcmember_record wire = {
		.qkey = htobe32(member->qkey),
		.mlid = htobe16(member->mlid),
		.mtu = umad_sa_set_rate_mtu_or_life(request->mtu_selector, member->mtu),
		.tclass = member->traffic_class,
		.pkey = htobe16(member->pkey),
		.rate = umad_sa_set_rate_mtu_or_life(request->rate_selector, member->rate),
		.pkt_life = umad_sa_set_rate_mtu_or_life(request->life_time_selector,
							 member->life_time),
		.sl_flow_hop = umad_sa_mcm_set_sl_flow_hop(member->sl, member->flow_label,
							   member->hop_limit),
		.scope_state = umad_sa_mcm_set_scope_state(member->scope, member->join_state),
		.proxy_join = member->proxy_join ? 0x80 : 0,
	};

	memcpy(wire.mgid, member->mgid, sizeof(wire.mgid));
	memcpy(wire.portgid, member->port_gid, sizeof(wire.portgid));
	memset(record, 0, IB_SA_DATA_SIZE);
	memcpy(record, &wire, sizeof(wire));
}

static bool is_zero(const ibmad_gid_t gid)
{
	static const ibmad_gid_t zero;

	return !memcmp(gid, zero, sizeof(zero));
}

/* What has a default, and the bits of the mask that every such request has. */
static int complete(const struct ibmad_port *port, struct mad_sa_mc_request *request)
{
	struct mad_sa_mc_member *member = &request->member;

	if (request->mtu_selector > UMAD_SA_SELECTOR_MASK ||
	    request->rate_selector > UMAD_SA_SELECTOR_MASK ||
	    request->life_time_selector > UMAD_SA_SELECTOR_MASK)
		return mad_state_refuse(-EINVAL);
	if (!member->join_state)
		member->join_state = UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER;
	if (!is_zero(member->mgid))
		request->mask |= UMAD_SA_MCM_COMP_MASK_MGID;
	request->mask |= UMAD_SA_MCM_COMP_MASK_PORT_GID | UMAD_SA_MCM_COMP_MASK_JOIN_STATE;
	return is_zero(member->port_gid) ? mad_resolve_self(port, NULL, NULL, &member->port_gid)
					 : 0;
}

static int send_request(const struct ibmad_port *port, ib_portid_t *sm, unsigned method,
			const struct mad_sa_mc_request *request, struct mad_sa_mc_member *result,
			unsigned *status)
{
	uint8_t record[IB_SA_DATA_SIZE];
	const struct mad_sa_table table = { .records = record,
					    .count = 1,
					    .record_size = sizeof(record) };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_MCRECORD,
			    .method = method,
			    .mask = request->mask };
	ib_rpc_v1_t rpc;
	int error = mad_sa_request(&rpc, sm, &sa, mad_port_sa_key(port));

	if (error)
		return mad_state_refuse(error);
	rpc.timeout = (int)request->timeout_ms;
	mad_sa_put_mc_member(request, record);
	error = mad_rpc_call(port, (ib_rpc_t *)&rpc, sm, record, record);
	*status = rpc.rstatus;
	return error ? error : mad_record_get_mc_member(&table, 0, result);
}

static int call(const struct ibmad_port *port, ib_portid_t *sm, unsigned method,
		const struct mad_sa_mc_request *request, struct mad_sa_mc_member *result,
		unsigned *status)
{
	struct mad_sa_mc_request completed;
	struct mad_sa_mc_member member;
	ib_portid_t local_sm;
	int error;

	*status = 0;
	if (!port || !request || request->timeout_ms > INT32_MAX)
		return mad_state_refuse(-EINVAL);
	completed = *request;
	error = complete(port, &completed);
	if (!error && !sm) {
		sm = &local_sm;
		error = mad_resolve_sm(port, 0, sm);
	}
	if (!error)
		error = send_request(port, sm, method, &completed, &member, status);
	if (!error && result)
		*result = member;
	return error;
}

int mad_sa_join_mc_group(const struct ibmad_port *srcport, ib_portid_t *sm,
			 const struct mad_sa_mc_request *request, struct mad_sa_mc_member *joined,
			 unsigned *status)
{
	unsigned unused;

	return mad_zero_or_error(
		call(srcport, sm, IB_MAD_METHOD_SET, request, joined, status ? status : &unused));
}

int mad_sa_leave_mc_group(const struct ibmad_port *srcport, ib_portid_t *sm,
			  const struct mad_sa_mc_request *request, struct mad_sa_mc_member *left,
			  unsigned *status)
{
	unsigned unused;

	return mad_zero_or_error(
		call(srcport, sm, IB_MAD_METHOD_DELETE, request, left, status ? status : &unused));
}
