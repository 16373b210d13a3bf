/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_sa_mc_join: joins a group, creating it where it is not there, and leaves it. */
#include <infiniband/mad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/umad_str.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	const struct mad_sa_mc_member group = {
		.mgid = { 0xff, 0x12, 0x12, 0x34, [15] = 0x42 },
		.qkey = 0x1234,
		.pkey = 0xffff,
		.scope = UMAD_SA_MCM_ADDR_SCOPE_LINK_LOCAL,
	};
	struct mad_sa_mc_request request = {
		.member = &group,
		.mask = UMAD_SA_MCM_COMP_MASK_QKEY | UMAD_SA_MCM_COMP_MASK_PKEY |
			UMAD_SA_MCM_COMP_MASK_TCLASS | UMAD_SA_MCM_COMP_MASK_SL |
			UMAD_SA_MCM_COMP_MASK_FLOW_LABEL,
	};
	struct mad_sa_mc_member member;
	unsigned status;

	if (!port)
		return 1;
	if (mad_sa_mc_join(port, NULL, &request, &member, &status) < 0) {
		perror(status ? umad_sa_mad_status_str(htobe16(status)) : "join");
		return 1;
	}
	printf("MLID 0x%04x, MTU code %u, join state %u\n", member.mlid, member.mtu,
	       member.join_state);
	request.mask = 0;
	if (mad_sa_mc_leave(port, NULL, &request, &status) < 0)
		perror("leave");
	if (mad_sa_mc_leave(port, NULL, &request, &status) < 0)
		printf("again: %s\n", umad_sa_mad_status_str(htobe16(status)));
	mad_rpc_close_port(port);
	return 0;
}
