/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* received.h - requests that a server of the tests receives (libibmad/requests/server.c). */
#ifndef TESTS_UNIT_RECEIVED_H
#define TESTS_UNIT_RECEIVED_H

#include "fakeumad.h"

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#define PM_AGENT 3

/* A request as it comes in; the whole MAD after the header has a pattern. */
static inline void make_request(uint8_t packet[FAKEUMAD_PACKET], int mgmt_class, int method)
{
	ib_user_mad_t *umad = (void *)packet;
	uint8_t rest[FAKEUMAD_MAD - 24];

	fakeumad_pattern(rest, sizeof(rest), 1);
	fakeumad_build(packet, &(struct fakeumad_packet){
				       .agent = PM_AGENT,
				       .lid = 0x21,
				       .qpn = 0x1234,
				       .qkey = 0x89abcdef,
				       .sl = 6,
				       .pkey_index = 4,
				       .mgmt_class = (uint8_t)mgmt_class,
				       .method = (uint8_t)method,
				       .tid = 0x0102030405060708,
				       .attr_id = 0x12,
				       .attr_mod = 0x3456,
				       .data = rest,
				       .data_size = sizeof(rest),
				       .data_offset = 24,
			       });
	umad->addr.path_bits = 2;
	umad->length = FAKEUMAD_PACKET;
}

#endif
