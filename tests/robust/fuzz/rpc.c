/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One request through mad_rpc() or mad_rpc_rmpp(), as the input says. */
#include <errno.h>

#include "rpc.h"

enum { CAPACITY = 2048, REDIRECTS_MAX = 8 };

static const uint8_t classes[] = { 0x03, 0x04, 0x81, 0x01, 0x21, 0x0a, 0x32, 0x05 };

static void read_rpc(struct fuzz_input *input, ib_rpc_cc_t *rpc)
{
	uint8_t which = fuzz_u8(input), more = fuzz_u8(input);

	memset(rpc, 0, sizeof(*rpc));
	rpc->mgtclass = more & 1 ? fuzz_u8(input) : classes[which & 7];
	if (which & 8)
		rpc->mgtclass |= IB_MAD_RPC_VERSION1;
	rpc->method = which & 16 ? fuzz_u8(input) : 1;
	rpc->attr.id = which & 32 ? fuzz_u16(input) : 0x11;
	rpc->dataoffs = which & 64 ? fuzz_u8(input) : 64;
	rpc->datasz = which & 128 ? fuzz_u16(input) % CAPACITY : 64;
	if (more & 2)
		rpc->trid = fuzz_u32(input);
	if (more & 4)
		rpc->oui = fuzz_u32(input);
	if (more & 8)
		rpc->rstatus = fuzz_u16(input);
	if (more & 16)
		rpc->cckey = rpc->mask = rpc->mkey = fuzz_u64(input);
	if (more & 32)
		rpc->datasz = -rpc->datasz;
	if (more & 64)
		rpc->dataoffs += 200;
}

static void check_result(const ib_rpc_cc_t *rpc, const void *result, const uint8_t *data,
			 size_t size)
{
	bool version1 = (rpc->mgtclass & 0xff00) == IB_MAD_RPC_VERSION1;

	FUZZ_CHECK(!version1 || rpc->error == (result ? 0 : errno));
	if (!result) {
		FUZZ_CHECK(errno > 0);
		return;
	}
	FUZZ_CHECK(result == data && !errno && !rpc->rstatus);
	FUZZ_CHECK(fuzz_kernel_responded(data, (size_t)rpc->dataoffs, size));
}

/* The same request as a packet that the caller sends: in its buffer, or refused and nothing done.
 */
static void build(struct fuzz_input *input)
{
	uint8_t *umad = fuzz_guard(FUZZ_HEADER + FUZZ_MAD), *data, copy[FUZZ_MAD];
	ib_rmpp_hdr_t rmpp = { .type = 1, .flags = 7 };
	uint8_t which = fuzz_u8(input);
	ib_portid_t portid;
	ib_rpc_cc_t rpc;
	size_t size;
	int result;

	read_rpc(input, &rpc);
	fuzz_portid(input, &portid);
	size = rpc.datasz > 0 ? (size_t)rpc.datasz : 0;
	data = fuzz_guard(size);
	memset(data, which, size);
	memset(umad, 0, FUZZ_HEADER + FUZZ_MAD);
	memset(copy, 0, sizeof(copy));
	errno = 0;
	if (which & 1)
		result = mad_build_pkt(umad, (ib_rpc_t *)&rpc, &portid, which & 2 ? &rmpp : NULL,
				       which & 4 ? NULL : data);
	else
		result = mad_encode(umad + FUZZ_HEADER, (ib_rpc_t *)&rpc,
				    which & 2 ? NULL : &portid.drpath, which & 4 ? NULL : data)
				 ? FUZZ_MAD
				 : -1;
	FUZZ_CHECK(result == FUZZ_MAD || (result == -1 && errno == EINVAL));
	FUZZ_CHECK(result > 0 || !memcmp(umad + FUZZ_HEADER, copy, FUZZ_MAD));
	if (result < 0 || (data && size && rpc.dataoffs < 24))
		return; /* data lies where headers were */
	FUZZ_CHECK(umad[FUZZ_HEADER] == 1);
	FUZZ_CHECK(umad[FUZZ_HEADER + 1] == (uint8_t)rpc.mgtclass);
}

void fuzz_rpc_once(const struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input), *data;
	struct fuzz_call call;
	ib_rmpp_hdr_t rmpp;
	ib_portid_t portid;
	ib_rpc_cc_t rpc;
	void *result;
	size_t size;

	if (which >= 0xe0) {
		build(input);
		return;
	}
	read_rpc(input, &rpc);
	size = rpc.datasz > 0 ? (size_t)rpc.datasz : 0;
	fuzz_portid(input, &portid);
	fuzz_call_begin(&call, port, 0, input);
	rpc.timeout = (int)call.timeout_ms;
	data = fuzz_guard(size);
	memset(data, which, size);
	if (which & 1) {
		rmpp = (ib_rmpp_hdr_t){ .type = which >> 4, .flags = which >> 1 & 7 };
		result = mad_rpc_rmpp(port, (ib_rpc_t *)&rpc, &portid, which & 2 ? &rmpp : NULL,
				      data);
	} else {
		result = mad_rpc(port, (ib_rpc_t *)&rpc, &portid, which & 2 ? data : NULL, data);
	}
	check_result(&rpc, result, data, size);
	FUZZ_CHECK(fuzz_kernel_writes() - call.writes <=
		   2U * (unsigned)mad_get_retries(port) * (1 + 3 * REDIRECTS_MAX));
	fuzz_call_end_time(&call);
}
