/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Builds a SubnGet(NodeInfo), and reads its headers again. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	ib_portid_t to = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_DIRECT_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = IB_ATTR_NODE_INFO },
		.trid = mad_trid(),
		.dataoffs = IB_SMP_DATA_OFFS,
		.datasz = IB_SMP_DATA_SIZE,
	};
	void *umad = mad_alloc();
	uint8_t mad[IB_MAD_SIZE] = { 0 };

	if (!umad)
		return 1;
	printf("%d bytes\n", mad_build_pkt(umad, &rpc, &to, NULL, NULL));
	printf("hop count %u, attribute 0x%02x\n",
	       mad_get_field(umad_get_mad(umad), 0, IB_DRSMP_HOPCNT_F),
	       mad_get_field(umad_get_mad(umad), 0, IB_MAD_ATTRID_F));

	/* mad_encode() writes the MAD alone, without a umad buffer. */
	if (!mad_encode(mad, &rpc, &to.drpath, NULL))
		return 1;
	printf("the same: %s\n", memcmp(mad, umad_get_mad(umad), sizeof(mad)) ? "no" : "yes");
	mad_free(umad);
	return 0;
}
