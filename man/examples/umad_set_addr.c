/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Addresses a buffer to LID 5, through a router, and prints it. */
#include <arpa/inet.h>
#include <infiniband/umad.h>
#include <stdio.h>

int main(void)
{
	void *umad = umad_alloc(1, umad_size() + 256);
	ib_mad_addr_t route = { .hop_limit = 64, .traffic_class = 0, .flow_label = htonl(7) };
	const ib_mad_addr_t *addr;

	if (!umad || inet_pton(AF_INET6, "fe80::2:c903:0:1", route.gid) != 1)
		return 1;
	umad_set_addr(umad, 5, 1, 0, (int)0x80010000);
	umad_set_grh_net(umad, &route);
	umad_set_pkey(umad, 2);

	addr = umad_get_mad_addr(umad);
	printf("LID %u, QP %u, Q_Key 0x%x, P_Key index %d, GRH %s\n", ntohs(addr->lid),
	       ntohl(addr->qpn), ntohl(addr->qkey), umad_get_pkey(umad),
	       addr->grh_present ? "present" : "absent");
	umad_set_grh(umad, NULL); /* and without a GRH again */
	umad_free(umad);
	return 0;
}
