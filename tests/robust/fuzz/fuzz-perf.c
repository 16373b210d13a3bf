/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Responses to PerfMgt queries and resets. */
#include "call.h"

static void make_call(const struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	unsigned id = which & 4 ? fuzz_u16(input) : IB_GSI_PORT_COUNTERS + (which >> 3);
	int number = fuzz_u8(input);
	struct fuzz_call call;
	ib_portid_t portid;
	uint8_t *result;

	fuzz_portid(input, &portid);
	fuzz_call_begin(&call, port, IB_PC_DATA_SZ, input);
	if (which & 1)
		result = performance_reset_via(call.data, &portid, number, fuzz_u16(input),
					       call.timeout_ms, id, port);
	else
		result = pma_query_via(call.data, &portid, number, call.timeout_ms, id, port);
	fuzz_call_end(&call, result, IB_PC_DATA_OFFS, false);
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
