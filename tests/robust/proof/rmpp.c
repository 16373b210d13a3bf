/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The RMPP header: written into packets (mad_build_pkt()), read by captures, which take it from
 * any program or from the fabric. How responses of the SA are read by it is in sa-table.c.
 */
#include <errno.h>
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

/* Any MAD, read back: every field of the header that programs see; what ends a transfer is an
 * error; nothing else of a MAD is looked at than its RMPP header. */
void rmpp_read(void)
{
	uint8_t header[RMPP_LENGTH + 4];
	ib_rmpp_hdr_t rmpp;
	int result;

	for (unsigned i = 0; i < sizeof(header); i++)
		header[i] = nondet_byte();
	result = mad_packet_read_rmpp(header, &rmpp);
	PROVE(rmpp.type == header[RMPP_TYPE] && rmpp.status == header[RMPP_STATUS],
	      "type and status");
	PROVE(rmpp.flags == (header[RMPP_RTIME_FLAGS] & 7), "flags without the response time");
	PROVE(rmpp.d1.u == mad_get_be32(header + RMPP_SEGMENT), "segment number");
	PROVE(rmpp.d2.u == mad_get_be32(header + RMPP_LENGTH), "length");
	PROVE(result ==
		      ((rmpp.flags & 1) && (rmpp.type == 3 || rmpp.type == 4) ? -ECONNABORTED : 0),
	      "STOP and ABORT end a transfer");
}

/* PayloadLength of a response in one MAD never makes its data longer. */
void rmpp_data(void)
{
	struct any_mad mad = nondet_mad();
	size_t offset = nondet_size(), untouched = nondet_size(), bytes = untouched;
	int result;

	ASSUME(offset >= RMPP_END && offset <= IB_MAD_SIZE);
	result = mad_packet_count_rmpp_data(mad.byte, offset, &bytes);
	PROVE(bytes <= untouched, "no more data than there are");
	PROVE(!result || bytes == untouched, "a failure changes nothing");
}
