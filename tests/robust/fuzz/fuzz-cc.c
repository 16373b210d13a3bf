/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Responses to congestion control queries and settings. */
#include "call.h"

static void make_call(const struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input), payload[IB_CC_LOG_DATA_SZ];
	unsigned attr = which & 4 ? fuzz_u16(input) : IB_CC_ATTR_CONGESTION_INFO + (which >> 5);
	unsigned mod = which & 8 ? fuzz_u32(input) : 0;
	uint64_t key = which & 16 ? fuzz_u64(input) : 0;
	bool log = attr == IB_CC_ATTR_CONGESTION_LOG;
	struct fuzz_call call;
	ib_portid_t portid;
	void *result;
	int status;

	fuzz_portid(input, &portid);
	fuzz_call_begin(&call, port, log ? IB_CC_LOG_DATA_SZ : IB_CC_DATA_SZ, input);
	if (which & 1) {
		memset(payload, which, sizeof(payload));
		result = cc_config_status_via(payload, call.data, &portid, attr, mod,
					      call.timeout_ms, which & 2 ? &status : NULL, port,
					      key);
	} else {
		result = cc_query_status_via(call.data, &portid, attr, mod, call.timeout_ms,
					     which & 2 ? &status : NULL, port, key);
	}
	fuzz_call_end(&call, result, log ? IB_CC_LOG_DATA_OFFS : IB_CC_DATA_OFFS, true);
	FUZZ_CHECK(!(which & 2) || !result || !status);
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	int calls = 4;

	do
		make_call(port, input);
	while (input->left && --calls);
	mad_rpc_close_port(port);
}
