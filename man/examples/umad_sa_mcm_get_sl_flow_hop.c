/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Fills in an MCMemberRecord, and reads it again. */
#include <infiniband/umad_sa_mcm.h>
#include <stdio.h>

int main(void)
{
	struct umad_sa_mcmember_record record = { .mgid = { 0xff, 0x12 } };
	uint8_t sl, hop_limit, scope, state;
	uint32_t flow_label;

	record.sl_flow_hop = umad_sa_mcm_set_sl_flow_hop(1, 0x12345, 255);
	record.scope_state = umad_sa_mcm_set_scope_state(UMAD_SA_MCM_ADDR_SCOPE_LINK_LOCAL,
							 UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER);

	umad_sa_mcm_get_sl_flow_hop(record.sl_flow_hop, &sl, &flow_label, &hop_limit);
	printf("SL %u, flow label 0x%05x, hop limit %u\n", sl, flow_label, hop_limit);
	umad_sa_mcm_set_join_state(&record, UMAD_SA_MCM_JOIN_STATE_NON_MEMBER);
	umad_sa_mcm_get_scope_state(record.scope_state, &scope, &state);
	printf("scope %u, join state %u, by proxy: %d\n", scope, state,
	       umad_sa_mcm_get_proxy_join(&record));
	return 0;
}
