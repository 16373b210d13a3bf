/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The umad header: 64 bytes, or 56 where the MAD begins in the place of the P_Key index. A program
 * may replace umad_size() together with umad_send() and umad_recv(); so umad_size() is in another
 * file, where no compiler inlines it.
 */
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libibumad/internal.h"

static bool has_pkey_index(void)
{
	return umad_size() == UMAD_HEADER_SIZE;
}

void *umad_get_mad(void *umad)
{
	return (char *)umad + umad_size();
}

int umad_status(void *umad)
{
	const ib_user_mad_t *head = umad;

	return (int)head->status;
}

ib_mad_addr_t *umad_get_mad_addr(void *umad)
{
	ib_user_mad_t *head = umad;

	return &head->addr;
}

int umad_set_addr(void *umad, int dlid, int dqp, int sl, int qkey)
{
	return umad_set_addr_net(umad, htobe16((uint16_t)dlid), htobe32((uint32_t)dqp), sl,
				 htobe32((uint32_t)qkey));
}

int umad_set_addr_net(void *umad, __be16 dlid, __be32 dqp, int sl, __be32 qkey)
{
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);

	addr->lid = dlid;
	addr->qpn = dqp;
	addr->sl = (uint8_t)sl;
	addr->qkey = qkey;
	return 0;
}

/* gid_index stays: it selects one of the local port's GIDs and has its own setter. */
int umad_set_grh_net(void *umad, void *mad_addr)
{
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);
	const ib_mad_addr_t *route = mad_addr;

	if (!route) {
		addr->grh_present = 0;
		return 0;
	}
	memmove(addr->gid, route->gid, sizeof(addr->gid));
	addr->flow_label = route->flow_label;
	addr->hop_limit = route->hop_limit;
	addr->traffic_class = route->traffic_class;
	addr->grh_present = 1;
	return 0;
}

int umad_set_grh(void *umad, void *mad_addr)
{
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);

	umad_set_grh_net(umad, mad_addr);
	if (mad_addr)
		addr->flow_label = htobe32(addr->flow_label);
	return 0;
}

int umad_set_pkey(void *umad, int pkey_index)
{
	if (has_pkey_index())
		umad_get_mad_addr(umad)->pkey_index = (uint16_t)pkey_index;
	return 0;
}

int umad_get_pkey(void *umad)
{
	return has_pkey_index() ? umad_get_mad_addr(umad)->pkey_index : 0;
}

/* Prints what the older library prints, the flow label in memory byte order, but for the P_Key
 * index of the shorter header. A dump is a single write, so that those of several threads do not
 * mix. */
void umad_addr_dump(ib_mad_addr_t *addr)
{
	char gid[2 * sizeof(addr->gid) + 1], text[512];

	for (size_t i = 0; i < sizeof(addr->gid); i++)
		snprintf(gid + 2 * i, 3, "%02x", addr->gid[i]);
	snprintf(text, sizeof(text),
		 "ibwarn: [%d] umad_addr_dump: qpn %d qkey 0x%x lid %d sl %d\n"
		 "grh_present %d gid_index %d hop_limit %d traffic_class %d flow_label 0x%x "
		 "pkey_index 0x%x\n"
		 "Gid 0x%s\n",
		 (int)getpid(), (int)be32toh(addr->qpn), be32toh(addr->qkey), be16toh(addr->lid),
		 addr->sl, addr->grh_present, addr->gid_index, addr->hop_limit, addr->traffic_class,
		 addr->flow_label, has_pkey_index() ? addr->pkey_index : 0, gid);
	fputs(text, stderr);
}

void umad_dump(void *umad)
{
	const ib_user_mad_t *head = umad;
	char text[128];

	snprintf(text, sizeof(text), "ibwarn: [%d] umad_dump: agent id %d status %x timeout %d\n",
		 (int)getpid(), (int)head->agent_id, head->status, (int)head->timeout_ms);
	fputs(text, stderr);
	umad_addr_dump(umad_get_mad_addr(umad));
}
