/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Joining and leaving multicast groups: MCMemberRecord Set and Delete (volume 1, 15.2.5.17).
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sa_mcm.h>

#include "common/bytes.h"
#include "common/sized.h"
#include "libibmad/engine/request.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

/* A request with the member that it points to, both as this library knows them. */
struct mc_request {
	struct mad_sa_mc_request request;
	struct mad_sa_mc_member member;
};

/* Returns 0 or -EINVAL. */
static int check(const struct mc_request *mc)
{
	const struct mad_sa_mc_request *request = &mc->request;
	const struct mad_sa_mc_member *member = &mc->member;

	if (request->timeout_ms < 0)
		return mad_refuse(MAD_REFUSED_TIMEOUT);
	if (request->mtu_selector > 3 || request->rate_selector > 3 ||
	    request->life_time_selector > 3 || request->reserved)
		return mad_refuse(MAD_REFUSED_MC_SELECTOR);
	return member->mtu < 64 && member->rate < 64 && member->life_time < 64 && member->sl < 16 &&
			       member->flow_label < 1 << 20 && member->scope < 16 &&
			       member->join_state < 16 && member->proxy_join <= 1
		       ? 0
		       : mad_refuse(MAD_REFUSED_MC_MEMBER);
}

static int take(struct mc_request *mc, const struct mad_sa_mc_request *request, size_t size,
		size_t member_size)
{
	int error = SIZED_TAKE(&mc->request, reserved, request, size);

	if (!error)
		error = SIZED_TAKE(&mc->member, proxy_join, mc->request.member, member_size);
	return error ? error : check(mc);
}

static void encode(const struct mc_request *mc, uint8_t record[IB_SA_DATA_SIZE])
{
	const struct mad_sa_mc_request *request = &mc->request;
	const struct mad_sa_mc_member *member = &mc->member;
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

int mad_sa_mc_encode_sized(const struct mad_sa_mc_request *request, size_t size, size_t member_size,
			   uint8_t *record)
{
	struct mc_request mc;
	int error = record ? take(&mc, request, size, member_size) : mad_refuse(MAD_REFUSED_RECORD);

	if (!error)
		encode(&mc, record);
	return mad_zero_or_error(error);
}

static bool is_zero(const ibmad_gid_t gid)
{
	static const ibmad_gid_t zero;

	return !memcmp(gid, zero, sizeof(zero));
}

/* Fills in defaults, and the bits of the mask that every join and leave has. */
static int complete(const struct ibmad_port *port, struct mc_request *mc)
{
	struct mad_sa_mc_member *member = &mc->member;

	if (!member->join_state)
		member->join_state = UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER;
	if (!is_zero(member->mgid))
		mc->request.mask |= UMAD_SA_MCM_COMP_MASK_MGID;
	mc->request.mask |= UMAD_SA_MCM_COMP_MASK_PORT_GID | UMAD_SA_MCM_COMP_MASK_JOIN_STATE;
	return is_zero(member->port_gid) ? mad_resolve_self(port, NULL, NULL, &member->port_gid)
					 : 0;
}

static int send_request(const struct ibmad_port *port, ib_portid_t *sm, unsigned method,
			const struct mc_request *mc, struct mad_sa_mc_member *result,
			unsigned *status)
{
	uint8_t record[IB_SA_DATA_SIZE], response[IB_MAD_SIZE];
	struct mad_sa_table table = { .attr_id = IB_SA_ATTR_MCRECORD,
				      .records = response + IB_SA_DATA_OFFS };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_MCRECORD,
			    .method = method,
			    .mask = mc->request.mask };
	uint64_t umad[MAD_REQUEST_WORDS];
	struct mad_request request;
	ib_rpc_v1_t rpc;
	int error = mad_sa_request(&rpc, sm, &sa, mad_port_sa_key(port));

	if (error)
		return mad_state_refuse(error);
	rpc.timeout = mc->request.timeout_ms;
	encode(mc, record);
	mad_request_prepare(&request, port, sm, umad, response);
	error = mad_request_run(&request, "mad_rpc", (ib_rpc_t *)&rpc, NULL, record,
				sizeof(record));
	*status = rpc.rstatus;
	if (!error)
		error = mad_table_measure(IB_MAD_METHOD_GET, response, request.response_length,
					  &table);
	return error ? error : mad_record_get(&table, 0, IB_SA_ATTR_MCRECORD, result);
}

static int call(const struct ibmad_port *port, const ib_portid_t *sm, unsigned method,
		const struct mad_sa_mc_request *request, size_t size, size_t member_size,
		struct mad_sa_mc_member *result, unsigned *status)
{
	MAD_QUIET_BLOCK;
	struct mc_request mc;
	ib_portid_t address;
	unsigned unused;
	int error = take(&mc, request, size, member_size);

	if (!status)
		status = &unused;
	*status = 0;
	if (error)
		return mad_state_refuse(error);
	error = mad_sa_address(port, sm, &address);
	if (!error)
		error = complete(port, &mc);
	return error ? error : send_request(port, &address, method, &mc, result, status);
}

int mad_sa_mc_join_sized(struct ibmad_port *port, const ib_portid_t *sm,
			 const struct mad_sa_mc_request *request, size_t size,
			 struct mad_sa_mc_member *joined, size_t member_size, unsigned *status)
{
	size_t least = SIZED_TO(joined, proxy_join);
	struct mad_sa_mc_member member = { .qkey = 0 };
	int error = joined ? sized_check(joined, member_size, least) : 0;

	if (!error)
		error = call(port, sm, IB_MAD_METHOD_SET, request, size, member_size, &member,
			     status);
	if (!error && joined)
		error = sized_give(joined, member_size, least, &member, sizeof(member));
	return mad_zero_or_error(error);
}

int mad_sa_mc_leave_sized(struct ibmad_port *port, const ib_portid_t *sm,
			  const struct mad_sa_mc_request *request, size_t size, size_t member_size,
			  unsigned *status)
{
	struct mad_sa_mc_member left = { .qkey = 0 };

	return mad_zero_or_error(
		call(port, sm, IB_MAD_METHOD_DELETE, request, size, member_size, &left, status));
}
