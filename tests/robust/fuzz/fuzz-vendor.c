/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Responses to vendor requests of both ranges, and to board management. */
#include "call.h"

static bool has_response(unsigned method)
{
	return method == IB_MAD_METHOD_GET || method == IB_MAD_METHOD_SET ||
	       method == IB_MAD_METHOD_TRAP;
}

static void call_vendor(struct ibmad_port *port, struct fuzz_input *input)
{
	static const uint8_t classes[] = { 0x0a, 0x32, 0x0b, 0x04 };
	uint8_t which = fuzz_u8(input);
	ib_vendor_call_t vendor = {
		.mgmt_class = which & 4 ? fuzz_u8(input) : classes[which & 3],
		.method = which & 8 ? fuzz_u8(input) : 1 + (which >> 4 & 1),
		.attrid = fuzz_u16(input),
		.mod = which & 0x20 ? fuzz_u32(input) : 0,
		.oui = which & 0x40 ? fuzz_u32(input) : 0x1405,
		.rmpp = { .flags = which & 0x80 ? fuzz_u8(input) : 0 },
	};
	bool range1 = mad_is_vendor_range1((int)vendor.mgmt_class);
	size_t size = range1 ? IB_VENDOR_RANGE1_DATA_SIZE : IB_VENDOR_RANGE2_DATA_SIZE;
	struct fuzz_call call;
	ib_portid_t portid;
	uint8_t *result;

	fuzz_portid(input, &portid);
	fuzz_call_begin(&call, port, size, input);
	vendor.timeout = call.timeout_ms;
	result = ib_vendor_call_via(call.data, &portid, &vendor, port);
	if (result && !has_response(vendor.method))
		FUZZ_CHECK(!memcmp(call.data, call.before, size));
	else
		fuzz_call_end(&call, result,
			      range1 ? IB_VENDOR_RANGE1_DATA_OFFS : IB_VENDOR_RANGE2_DATA_OFFS,
			      true);
}

static void call_bm(struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	ib_bm_call_t bm = {
		.method = which & 8 ? fuzz_u8(input) : 1 + (which >> 4 & 1),
		.attrid = fuzz_u16(input),
		.mod = which & 0x20 ? fuzz_u32(input) : 0,
		.bkey = which & 0x40 ? fuzz_u64(input) : 0,
	};
	struct fuzz_call call;
	ib_portid_t portid;
	uint8_t *result;

	fuzz_portid(input, &portid);
	fuzz_call_begin(&call, port, IB_BM_DATA_SZ, input);
	bm.timeout = call.timeout_ms;
	result = bm_call_via(call.data, &portid, &bm, port);
	if (result && !has_response(bm.method))
		FUZZ_CHECK(!memcmp(call.data, call.before, IB_BM_DATA_SZ));
	else
		fuzz_call_end(&call, result, IB_BM_DATA_OFFS, true);
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	int calls = 4;

	do {
		if (fuzz_u8(input) & 1)
			call_bm(port, input);
		else
			call_vendor(port, input);
	} while (input->left && --calls);
	mad_rpc_close_port(port);
}
