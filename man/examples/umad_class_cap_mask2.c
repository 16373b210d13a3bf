/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The capabilities and the response time in ClassPortInfo. */
#include <arpa/inet.h>
#include <infiniband/umad_sa.h>
#include <stdio.h>

int main(void)
{
	/* As received in a MAD: CapabilityMask2 in 27 bits, RespTimeValue in 5. */
	struct umad_class_port_info info = {
		.cap_mask2_resp_time = htonl(UMAD_SA_CAP_MASK2_IS_QOS_SUP << 5 | 18),
	};
	unsigned time = umad_class_resp_time(&info);

	printf("quality of service: %s\n",
	       umad_class_cap_mask2(&info) & UMAD_SA_CAP_MASK2_IS_QOS_SUP ? "yes" : "no");
	printf("responses within 4.096 us * 2^%u, that is %.0f ms\n", time,
	       4.096e-3 * (double)(1u << time));
	printf("on the wire 0x%08x\n", umad_swap_be32(info.cap_mask2_resp_time));
	return 0;
}
