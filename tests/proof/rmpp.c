/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The RMPP header: written into packets (mad_build_pkt()), read by captures, which take it from
 * any program or from the fabric. How responses of the SA are read by it is in sa-table.c.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "libibmad/wire/encode.c"

#include "proof.h"

void mad_warn(const char *function, const char *format, ...)
{
	(void)function;
	(void)format;
}

bool mad_state_shows_errors(void)
{
	return nondet_bool();
}

uint64_t mad_trid(void)
{
	return nondet_uint64();
}

void umad_state_set_pkey_layout(bool enabled);

/* Any request to anywhere, with an RMPP header and without data, in a packet of exactly the size
 * that it needs. */
void rmpp_packet(void)
{
	size_t header_size;
	ib_rpc_cc_t rpc; /* the longest of the three forms of a request */
	ib_portid_t to;
	ib_rmpp_hdr_t rmpp;
	uint8_t *umad, *mad;
	int result;

	umad_state_set_pkey_layout(nondet_bool());
	header_size = umad_size();
	umad = malloc(header_size + IB_MAD_SIZE);
	ASSUME(umad);
	mad = umad + header_size;
	result = mad_build_pkt(umad, (ib_rpc_t *)&rpc, &to, &rmpp, NULL);
	PROVE(result == IB_MAD_SIZE || result == -1, "result");
	if (result < 0)
		return;
	PROVE(mad[RMPP_VERSION] == 1 && mad[RMPP_TYPE] == (uint8_t)rmpp.type, "version and type");
	PROVE((mad[RMPP_RTIME_FLAGS] & 7) == (rmpp.flags & 7), "flags");
	PROVE(mad[RMPP_STATUS] == (uint8_t)rmpp.status, "status");
	PROVE(mad_get_be32(mad + RMPP_SEGMENT) == rmpp.d1.u, "segment number");
	PROVE(mad_get_be32(mad + RMPP_LENGTH) == rmpp.d2.u, "length");
}
